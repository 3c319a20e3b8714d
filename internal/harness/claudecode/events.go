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
		r.result(rec.id, func(was harness.Result) harness.Result {
			if was == harness.Refused {
				return was
			}
			return harness.Neutral
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
			r.result(p.id, func(was harness.Result) harness.Result { return rec.outcome(p, was) })
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

// result changes how a call of this read ended. A result comes too late when an
// earlier read emitted its call, which happens only where responses overlap.
func (r *reader) result(id string, change func(was harness.Result) harness.Result) {
	n, ok := r.queue.Find(harness.ToolCall, id)
	if !ok {
		return
	}
	if e := r.queue.At(n); e != nil {
		e.Result = change(e.Result)
	}
}

// outcome is how a call ended by this record. A word of the user stands, and
// so does a denial, whatever a second result says.
func (rec *row) outcome(p part, was harness.Result) harness.Result {
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
