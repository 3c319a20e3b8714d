package claudecode

import (
	"checkrein/internal/harness"
	"checkrein/internal/transcript"
)

// maxHeld bounds the records kept of the newest response and after it, and
// their blocks. A response that so many follow is not being written any more.
const maxHeld = 8192

// Prepare tells what a reader must know before it reads on from offset:
// nothing, every record of Claude Code stands for itself.
func Prepare(_ string, _ int64, remembered *harness.Resume) (harness.Resume, error) {
	if remembered == nil {
		return harness.Resume{}, nil
	}
	return *remembered, nil
}

// NewReader makes a reader of one transcript; emit gets the events in file
// order, most of them at Close.
//
// A response is written as one record for each of its blocks, which repeat the
// message's id; the last one has the final usage. A tool's result stands in a
// user record further down, and so may what tells that a hook denied the call.
// A Response's ID is the message's id, else the request's id (gateways leave
// the first out), else the record's own uuid, else "". See withName for those
// that no request names.
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
	r := &reader{resume: resume, responses: map[string]*written{}}
	r.queue = transcript.NewQueue(func(e harness.Event) {
		if !r.ahead {
			emit(withName(e))
		} else if r.known(e) {
			e.Held = true
			emit(withName(e))
		}
	})
	return r
}

// known tells of an event held back whether what it tells is final: a call's
// result, and the tokens of a response whose last record is there. That one must
// have a name, by which it is known again.
func (r *reader) known(e harness.Event) bool {
	switch e.Kind {
	case harness.ToolCall:
		return e.Result != harness.Pending
	case harness.Response:
		w := r.responses[r.newest]
		return e.ID != "" && w != nil && w.stopped
	}
	return false
}

// reader holds back the response whose first record comes last, and all that
// follows it: its records may still be coming. Held records change nothing in
// the queue until the next response starts.
type reader struct {
	queue    *transcript.Queue
	resume   harness.Resume
	walk     transcript.Record
	detailed bool
	newest   string  // key of the newest response
	head     written // what its held records told
	from     int64   // where its first record starts
	holds    bool
	held     []row
	weight   int  // records and blocks held
	ahead    bool // what is emitted now comes again at the next read

	responses map[string]*written // by key
}

func (r *reader) Line(start int64, line []byte) {
	rec := row{detailed: r.detailed, start: start}
	if !rec.read(&r.walk, line) {
		return
	}
	if (rec.kind == request || rec.kind == costState) && r.complete() {
		r.release()
	}
	if rec.kind == assistant && r.isNew(&rec) {
		r.release()
		r.newest, r.from, r.holds = rec.id, start, true
		r.head = written{request: rec.request, prompt: prompt(rec.usage)}
	}
	if !r.holds {
		r.apply(&rec)
		return
	}
	r.held = append(r.held, rec)
	r.weight += 1 + len(rec.calls) + len(rec.parts)
	if r.weight >= maxHeld {
		r.release()
	}
}

// isNew tells whether a record starts a response. Without a key each one does.
func (r *reader) isNew(rec *row) bool {
	if rec.id == "" {
		return true
	}
	if r.holds && rec.id == r.newest {
		if !r.head.belongs(rec) {
			return true
		}
		r.head.prompt = max(r.head.prompt, prompt(rec.usage))
		return false
	}
	w := r.responses[rec.id]
	return w == nil || !w.belongs(rec)
}

// complete tells whether all that belongs to the held response is there: a
// request was sent after it or the harness ended, and every call of it has its result. Without this a
// cap would see a response only when the one after it is in the file, which on a
// slow stream is one paid response late.
func (r *reader) complete() bool {
	open := map[string]bool{}
	for _, rec := range r.held {
		for _, c := range rec.calls {
			open[c.id] = true
		}
		for _, p := range rec.parts {
			if p.kind == toolResult {
				delete(open, p.id)
			}
		}
	}
	return len(open) == 0
}

func (r *reader) release() {
	for i := range r.held {
		r.apply(&r.held[i])
	}
	clear(r.held)
	r.held, r.holds, r.weight = r.held[:0], false, 0
}

func (r *reader) Close(end int64, final bool) (int64, harness.Resume) {
	if r.holds && !final {
		end = r.from
		r.queue.Flush()
		r.ahead = true
	}
	r.release()
	r.queue.Flush()
	return end, r.resume
}
