package opencode

import (
	"fmt"
	"time"

	"checkrein/internal/harness"
	"checkrein/internal/transcript"
)

// message is what the data column of an assistant's message tells.
type message struct {
	role, model string
	created     int64 // Unix milliseconds
	completed   int64
	paid        []paid // what the message says of itself, or one a model step
}

// paid is the tokens of one request and what OpenCode says it cost.
type paid struct {
	usage harness.Usage
	told  bool
	usd   float64
}

// read fills m from a message's data; false when it is none of the model's.
func (m *message) read(r *transcript.Record, data []byte) bool {
	var own paid
	ok := r.Read(data, func(name []byte) {
		switch string(name) {
		case "role":
			m.role = r.String()
		case "modelID":
			m.model = r.String()
		case "time":
			r.Object(func(name []byte) {
				switch string(name) {
				case "created":
					m.created, _ = r.Int()
				case "completed":
					m.completed, _ = r.Int()
				}
			})
		default:
			own.member(r, name)
		}
	})
	if own.told && own.usage != (harness.Usage{}) {
		m.paid = []paid{own}
	}
	return ok && m.role == "assistant"
}

func (p *paid) member(r *transcript.Record, name []byte) {
	switch string(name) {
	case "tokens":
		p.usage, p.told = tokens(r)
	case "cost":
		p.usd = r.Number()
	}
}

// tokens reads OpenCode's counts: input without the cached ones, output without
// the reasoning.
func tokens(r *transcript.Record) (u harness.Usage, ok bool) {
	ok = r.Object(func(name []byte) {
		switch string(name) {
		case "input":
			u.Input = r.Count()
		case "output":
			u.Output += r.Count()
		case "reasoning":
			u.Reasoning = r.Count()
			u.Output += u.Reasoning
		case "cache":
			r.Object(func(name []byte) {
				switch string(name) {
				case "read":
					u.CacheRead = r.Count()
				case "write":
					u.CacheWrite = r.Count()
				}
			})
		}
	})
	return u, ok
}

// readStep is the end of a model step, from a part's data.
func readStep(r *transcript.Record, data []byte) (p paid, ok bool) {
	kind := ""
	ok = r.Read(data, func(name []byte) {
		if string(name) == "type" {
			kind = r.String()
			return
		}
		p.member(r, name)
	})
	return p, ok && kind == "step-finish" && p.told
}

// events are the message's responses. A fork copies messages under new ids, so
// a response is known by what stays the same: when it was made, by which model,
// and its tokens.
func (m *message) events(emit func(harness.Event)) {
	var at time.Time
	if m.created > 0 {
		at = time.UnixMilli(m.created)
	}
	for i, p := range m.paid {
		u := p.usage
		emit(harness.Event{
			Kind: harness.Response, Time: at, Model: m.model, Usage: u, USD: p.usd,
			ID: fmt.Sprintf("%s/%d/%d/%d/%d/%d/%d/%d", m.model, m.created, m.completed, i, u.Input, u.CacheRead, u.CacheWrite, u.Output),
		})
	}
}
