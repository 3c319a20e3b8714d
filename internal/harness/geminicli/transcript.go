package geminicli

import (
	"time"

	"checkrein/internal/harness"
	"checkrein/internal/transcript"
)

// NewReader makes a reader of one chat that emits its responses; prompts and
// tool calls are left out, there is no guard that would need them.
//
// A chat of today is a log of operations: a header, messages, and $set records,
// which may hold all messages once more. A message comes again whenever it
// grows, with the tokens it had. Older chats are one document with a list of
// messages, which is read as one line. What a $rewindTo took back was paid for
// all the same, so it stays.
func NewReader(emit func(harness.Event), r harness.Resume) harness.Reader {
	return &reader{queue: transcript.NewQueue(emit), resume: r}
}

type reader struct {
	queue  *transcript.Queue
	resume harness.Resume
	walk   transcript.Record
	found  []message // of the line being read, which may turn out malformed
}

// message is what one message of a chat tells of a response.
type message struct {
	id, kind, model string
	at              string
	usage           harness.Usage
	counted         bool
}

func (r *reader) Line(_ int64, line []byte) {
	r.found = r.found[:0]
	var own message
	ok := r.walk.Read(line, func(name []byte) {
		switch string(name) {
		case "$set":
			r.walk.Object(func(name []byte) {
				if string(name) == "messages" {
					r.messages()
				}
			})
		case "messages":
			r.messages()
		default:
			own.member(&r.walk, name)
		}
	})
	if !ok {
		return
	}
	for _, m := range append(r.found, own) {
		r.add(m)
	}
}

func (r *reader) messages() {
	r.walk.Array(func() {
		var m message
		r.walk.Object(func(name []byte) { m.member(&r.walk, name) })
		r.found = append(r.found, m)
	})
}

func (m *message) member(r *transcript.Record, name []byte) {
	switch string(name) {
	case "id":
		m.id = r.String()
	case "type":
		m.kind = r.String()
	case "model":
		m.model = r.String()
	case "timestamp":
		m.at = r.String()
	case "tokens":
		m.usage, m.counted = tokens(r)
	}
}

// tokens reads counts in Gemini's meanings: input holds the cached ones, output
// leaves thoughts out, and what a tool of Google's added to the prompt stands
// apart.
func tokens(r *transcript.Record) (u harness.Usage, ok bool) {
	var input, added int64
	ok = r.Object(func(name []byte) {
		switch string(name) {
		case "input":
			input = r.Count()
		case "cached":
			u.CacheRead = r.Count()
		case "tool":
			added = r.Count()
		case "output":
			u.Output = r.Count()
		case "thoughts":
			u.Reasoning = r.Count()
		}
	})
	u.Input = max(0, input-u.CacheRead) + added
	u.Output += u.Reasoning
	return u, ok
}

func (r *reader) add(m message) {
	if m.kind != "gemini" || !m.counted {
		return
	}
	n, known := r.queue.Find(harness.Response, m.id)
	if !known || m.id == "" {
		at, _ := time.Parse(time.RFC3339Nano, m.at)
		r.queue.Push(harness.Event{Kind: harness.Response, Time: at, ID: m.id, Model: m.model, Usage: m.usage})
	} else if e := r.queue.At(n); e != nil {
		e.Usage = m.usage
	}
}

// Close holds nothing back: a message has its final tokens from the first time
// it is written.
func (r *reader) Close(end int64, _ bool) (int64, harness.Resume) {
	r.queue.Flush()
	return end, r.resume
}
