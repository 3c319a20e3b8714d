package claudecode

import "checkrein/internal/harness"

// apply turns one record into events, or completes earlier ones.
func (r *reader) apply(rec *row) {
	switch rec.kind {
	case assistant:
		r.response(rec)
	case user:
		r.user(rec)
	case costState:
		r.queue.Push(harness.Event{Kind: harness.OwnTotal, Time: rec.time, USD: rec.usd})
	case hookDenial:
		r.change(rec.id, func(e *harness.Event) {
			if e.Result != harness.Refused {
				e.Result = harness.Neutral
			}
			e.Invalid = false
		})
	}
}

// user adds prompts and interrupts, and gives calls their results. Texts side
// by side are one prompt.
func (r *reader) user(rec *row) {
	if rec.summary {
		return
	}
	typing := false
	for _, p := range rec.parts {
		switch {
		case p.kind == toolResult:
			r.change(p.id, func(e *harness.Event) { rec.end(e, &p.ending) })
		case p.kind == interrupt:
			r.queue.Push(harness.Event{Kind: harness.Interrupt, Time: rec.time})
			typing = false
		case rec.injected || p.kind == injected:
			typing = false
		case !typing:
			r.queue.Push(harness.Event{Kind: harness.Prompt, Time: rec.time})
			typing = true
		}
	}
}

// change completes a call of this read. A result comes too late when an earlier
// read emitted its call, which happens only where responses overlap.
func (r *reader) change(id string, with func(e *harness.Event)) {
	n, ok := r.queue.Find(harness.ToolCall, id)
	if !ok {
		return
	}
	if e := r.queue.At(n); e != nil {
		with(e)
	}
}

// end notes how a call ended by this record, and what it gave.
func (rec *row) end(e *harness.Event, p *ending) {
	e.Result = rec.outcome(p, e.Result)
	e.Invalid = p.invalid && e.Result == harness.Failed
	if e.Output = p.output; rec.size > 0 && !p.failed {
		e.Output = max(1, e.Output+uint64(rec.size))
	}
	if e.Detail != nil {
		e.Detail.Text = p.text
	}
}

// outcome is how a call ended by this record. A word of the user stands, and
// so does a denial, whatever a second result says.
func (rec *row) outcome(p *ending, was harness.Result) harness.Result {
	switch {
	case was == harness.Refused || rec.interrupted || rec.denial == "user-rejected":
		return harness.Refused
	case was == harness.Neutral || rec.denial != "" || p.failed && p.cancelled:
		return harness.Neutral
	case p.failed:
		return harness.Failed
	default:
		return harness.Succeeded
	}
}
