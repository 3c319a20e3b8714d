package codex

import "checkrein/internal/harness"

// apply turns one row into events, or completes earlier ones.
func (r *reader) apply(l *row) {
	r.carry(l)
	if r.copied(l) {
		return
	}
	if l.starts { // also where a usage line came without a usage
		r.response = none
	}
	switch l.kind {
	case turnContext:
		r.response = none
	case usageRecord:
		r.countRecord(l)
	case reply:
		r.fill(l)
	case userMessage:
		r.message(l)
	case modelItem:
		r.item(l)
	case callOutput:
		r.finish(l)
	case operation:
		r.operation(l)
	case turnAborted:
		r.response = none
		r.queue.Push(harness.Event{Kind: harness.Interrupt, Time: l.time})
	}
}

// carry remembers what later lines need: whose lines they are, the model in
// force and the last total. A token_count event that repeats the total before it
// repeats a response.
func (r *reader) carry(l *row) {
	switch l.kind {
	case threadStart:
		if r.resume.Thread == "" {
			r.reviewer = l.reviewer
		}
		r.thread(l)
	case turnStart:
		r.turn(l.turn)
	case turnContext, settings:
		r.turn(l.turn)
		if l.model != "" {
			r.resume.Model = l.model
		}
		if l.kind == settings {
			r.resume.Tier = l.tier
		}
	case tokenCount:
		if l.hasInfo && !sameTotal(l.total, r.resume.Total) {
			r.resume.Total = l.total
			r.countTotal(l)
		}
	}
}

func (r *reader) countTotal(l *row) {
	if !r.records && !r.copied(l) {
		l.id = r.totalID(l)
		r.count(l)
	}
}

func sameTotal(a, b *int64) bool {
	return a == b || a != nil && b != nil && *a == *b
}

func (r *reader) countRecord(l *row) {
	r.resume.Records = true
	if !r.records {
		return
	}
	if _, again := r.queue.Find(harness.Response, l.id); !again {
		r.count(l)
	}
}

// count ends the response being read with its usage. A response without one is
// never emitted.
func (r *reader) count(l *row) {
	if !l.hasUsage {
		return
	}
	r.fill(l)
	if e := r.queue.At(r.response); e != nil {
		e.Usage = l.usage
		e.Usage.Terms.Tier = r.resume.Tier
		r.queue.Name(r.response, l.id)
		r.queue.Drop(r.response, false)
	}
	r.response = none
}

// fill notes what is in force while the model answers.
func (r *reader) fill(l *row) {
	r.open()
	if e := r.queue.At(r.response); e != nil {
		if e.Model == "" {
			e.Model = r.resume.Model
		}
		if e.Time.IsZero() {
			e.Time = l.time
		}
	}
}

// open gives the response its place among the events, before its calls.
func (r *reader) open() {
	if r.response == none {
		r.response = r.queue.Push(harness.Event{Kind: harness.Response})
		r.queue.Drop(r.response, true)
	}
}

func (r *reader) message(l *row) {
	r.response = none
	if l.typed && !r.reviewer {
		r.queue.Push(harness.Event{Kind: harness.Prompt, Time: l.time})
	}
}
