package pi

import (
	"fmt"
	"time"

	"checkrein/internal/harness"
	"checkrein/internal/transcript"
)

// NewReader makes a reader of one session that emits its responses; prompts and
// tool calls are left out, there is no guard that would need them.
//
// Each line is whole when it is written: the header, or an entry of a tree whose
// branches were all paid for. Of the entries, a message of the assistant is a
// response. A summary (of a compaction, or of a branch that was left) and a tool's
// result may tell the usage of requests that were made for them; pi counts those
// into the session, and so do we. What a compaction keeps of earlier messages
// (retainedTail) was counted where it happened.
func NewReader(emit func(harness.Event), r harness.Resume) harness.Reader {
	return &reader{emit: emit, resume: r}
}

type reader struct {
	emit   func(harness.Event)
	resume harness.Resume
	walk   transcript.Record
}

// entry is what one line tells of a response.
type entry struct {
	kind string
	id   string
	at   time.Time
	own  paid // a summary's
	message
}

// message is what a message tells of itself.
type message struct {
	role           string
	id             string // the provider's id of the response, or pi's of the tool call
	asked, replied string // models
	sent           int64  // Unix milliseconds
	paid
}

// paid is the tokens of a response and what pi says it cost.
type paid struct {
	usage harness.Usage
	usd   float64
}

func (r *reader) Line(_ int64, line []byte) {
	var e entry
	ok := r.walk.Read(line, func(name []byte) {
		switch string(name) {
		case "type":
			e.kind = r.walk.String()
		case "id":
			e.id = r.walk.String()
		case "timestamp":
			e.at, _ = time.Parse(time.RFC3339Nano, r.walk.String())
		case "usage":
			e.own.read(&r.walk)
		case "message":
			e.message = message{}
			r.walk.Object(func(name []byte) { e.message.member(&r.walk, name) })
		}
	})
	if ok {
		r.add(&e)
	}
}

func (m *message) member(r *transcript.Record, name []byte) {
	switch string(name) {
	case "role":
		m.role = r.String()
	case "model":
		m.asked = r.String()
	case "responseModel": // where a router chose another one
		m.replied = r.String()
	case "responseId", "toolCallId":
		m.id = r.String()
	case "timestamp":
		m.sent, _ = r.Int()
	case "usage":
		m.paid.read(r)
	}
}

// read takes pi's counts: input without the cached ones, output with the
// reasoning.
func (p *paid) read(r *transcript.Record) {
	*p = paid{}
	r.Object(func(name []byte) {
		switch string(name) {
		case "input":
			p.usage.Input = r.Count()
		case "output":
			p.usage.Output = r.Count()
		case "reasoning":
			p.usage.Reasoning = r.Count()
		case "cacheRead":
			p.usage.CacheRead = r.Count()
		case "cacheWrite":
			p.usage.CacheWrite = r.Count()
		case "cacheWrite1h":
			p.usage.CacheWrite1h = r.Count()
		case "cost":
			r.Object(func(name []byte) {
				if string(name) == "total" {
					p.usd = r.Number()
				}
			})
		}
	})
}

func (r *reader) add(e *entry) {
	switch {
	case e.kind == "message" && (e.role == "assistant" || e.role == "toolResult"):
		if e.sent > 0 {
			e.at = time.UnixMilli(e.sent)
		}
		r.response(e.message.id, e.model(), e.at, e.paid)
	case e.kind == "compaction" || e.kind == "branch_summary":
		r.response(e.id, "", e.at, e.own)
	}
}

// model is the one that answered.
func (m *message) model() string {
	if m.replied != "" {
		return m.replied
	}
	return m.asked
}

// response emits one that used tokens; an aborted one may have none. A fork copies
// entries as they are, but entries of version 1 have no id, and get one in each
// file that is opened again; and a provider's own id need be unique to one run of a
// local server only. So a response is known by all that its message says of it; one
// without id and time is not known again.
func (r *reader) response(id, model string, at time.Time, p paid) {
	u := p.usage
	if u == (harness.Usage{}) {
		return
	}
	e := harness.Event{Kind: harness.Response, Time: at, Model: model, Usage: u, USD: p.usd}
	if id != "" || !at.IsZero() {
		e.ID = fmt.Sprintf("pi/%s/%s/%d/%d/%d/%d/%d", id, model, at.UnixMilli(), u.Input, u.CacheRead, u.CacheWrite, u.Output)
	}
	r.emit(e)
}

// Close holds nothing back: a line has its final tokens.
func (r *reader) Close(end int64, _ bool) (int64, harness.Resume) { return end, r.resume }
