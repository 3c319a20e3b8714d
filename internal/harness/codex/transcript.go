package codex

import (
	"checkrein/internal/harness"
	"checkrein/internal/transcript"
)

// maxHeld bounds the records kept of the newest response and after it. A
// response that so many records follow is not being written any more.
const maxHeld = 8192

// NewReader makes a reader of one rollout; emit gets the events in file order,
// most of them at Close. r comes from Prepare.
//
// A rollout has no record for a response: its items stand one by one, then a
// line tells the usage. Where the file has token_usage_record lines those
// count, by response id; else token_count events whose total differs from the
// one before. Lines that a fork repeats are left out (see copies.go). In code mode the model calls one exec script that
// runs the real operations; each is logged as an item_completed event, so
// those are the tool calls and the script is left out unless it ran none.
func NewReader(emit func(harness.Event), r harness.Resume) harness.Reader {
	return newReader(emit, r)
}

// NewDetailedReader is NewReader for what looks closely at tool calls.
func NewDetailedReader(emit func(harness.Event), r harness.Resume) harness.Reader {
	d := newReader(emit, r)
	d.detailed = true
	return d
}

func newReader(emit func(harness.Event), resume harness.Resume) *reader {
	r := &reader{
		resume: resume, afterUsage: true,
		response: none, calls: map[string]*call{}, records: resume.Records,
	}
	r.queue = transcript.NewQueue(func(e harness.Event) {
		if !r.ahead {
			emit(e)
		} else if e.Kind == harness.ToolCall && e.Result != harness.Pending {
			e.Held = true
			emit(e)
		}
	})
	return r
}

// none is the number of no event.
const none = -1

// reader holds back the newest response, from its first item on, and all that
// follows it. Held rows change nothing until the next response starts, so what
// is remembered at Close is what was true where the next read starts.
type reader struct {
	queue    *transcript.Queue
	resume   harness.Resume
	records  bool // token_usage_record lines count, token_count events don't
	walk     transcript.Record
	detailed bool

	afterUsage bool  // the next item of the model starts a response
	from       int64 // where the newest response starts
	holds      bool
	held       []row
	ahead      bool // what is emitted now comes again at the next read

	response int // number of the response event being filled, or none
	calls    map[string]*call
	scripts  []string // exec calls whose output has not come, oldest first
	reviewer bool     // every user message of this thread is written by Codex
}

func (r *reader) Line(start int64, line []byte) {
	l := row{detailed: r.detailed, start: start}
	if !l.read(&r.walk, line) {
		return
	}
	switch {
	case l.kind == usageRecord || l.kind == tokenCount:
		r.afterUsage = true
	case r.afterUsage && (l.kind == modelItem || l.kind == reply):
		r.release()
		r.from, r.holds, r.afterUsage = start, true, false
		l.starts = true
	}
	if !r.holds {
		r.apply(&l)
		return
	}
	r.held = append(r.held, l)
	if len(r.held) >= maxHeld {
		r.release()
	}
}

func (r *reader) release() {
	for i := range r.held {
		r.apply(&r.held[i])
	}
	clear(r.held)
	r.held, r.holds = r.held[:0], false
}

func (r *reader) Close(end int64, final bool) (int64, harness.Resume) {
	remembered := &r.resume
	if r.holds && !final {
		end = r.from
		before := r.resume
		remembered = &before
		r.flush()
		r.ahead = true
	}
	r.release()
	r.flush()
	return end, *remembered
}

func (r *reader) flush() {
	r.dropScripts()
	r.queue.Flush()
}
