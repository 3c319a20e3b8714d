package codex

import "checkrein/internal/harness"

// NewReader reads one transcript of this harness, see harness.Reader. emit
// gets the events in file order.
func NewReader(emit func(harness.Event), r harness.Resume) harness.Reader {
	return &reader{emit: emit, resume: r}
}

type reader struct {
	emit   func(harness.Event)
	resume harness.Resume
}

// Line takes one line.
func (r *reader) Line(start int64, line []byte) {}

// Close ends the read.
func (r *reader) Close(end int64, final bool) (int64, harness.Resume) { return end, r.resume }

// Prepare completes what a reader of the transcript at path must know before
// it reads on from offset. remembered is what the last read returned, nil when
// nobody kept it. The cost depends on what is new, except when nothing was
// remembered.
func Prepare(path string, offset int64, remembered *harness.Resume) (harness.Resume, error) {
	if remembered == nil {
		return harness.Resume{}, nil
	}
	return *remembered, nil
}
