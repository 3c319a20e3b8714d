package codex

import (
	"slices"

	"checkrein/internal/harness"
)

// call is what must be known of a tool call until its output comes.
type call struct {
	event  int  // its number in the queue
	shell  bool // its output may tell an exit code
	failed bool
	output uint64 // of a failed one, what its log entry says it gave
	script bool   // a code-mode script
	ran    int    // script: operations it ran
}

// maxCalls bounds the calls whose output is awaited. Older ones are forgotten;
// their events are long emitted by then.
const maxCalls = 8192

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

// item adds a tool call of the model.
func (r *reader) item(l *row) {
	r.open()
	if !l.call {
		return
	}
	c := &call{shell: l.shell, script: l.script}
	c.event = r.queue.Push(l.toolCall())
	if l.id == "" {
		return
	}
	if len(r.calls) >= maxCalls {
		clear(r.calls)
		r.scripts = nil
	}
	r.calls[l.id] = c
	if l.script {
		r.scripts = append(r.scripts, l.id)
	}
}

func (l *row) toolCall() harness.Event {
	e := harness.Event{
		Kind: harness.ToolCall, Time: l.time, ID: l.id, Tool: l.tool, Result: l.result,
		Output: l.out.output,
	}
	if l.detailed {
		e.Detail = &harness.Detail{Input: l.input, Start: l.start, Text: l.out.text}
	}
	return e
}

// finish gives a call its result. The operations of a script stand in for it,
// unless it never ran.
func (r *reader) finish(l *row) {
	r.response = none
	c := r.calls[l.id]
	if c == nil {
		return
	}
	if e := r.queue.At(c.event); e != nil {
		c.end(e, &l.out)
	}
	if c.script {
		r.scripts = slices.DeleteFunc(r.scripts, func(id string) bool { return id == l.id })
		r.queue.Drop(c.event, c.ran > 0 && !l.out.denied())
		c.script = false
	}
}

// end notes how a call ended by its output, and what it gave.
func (c *call) end(e *harness.Event, o *outcome) {
	e.Result = o.result(c.shell, c.failed)
	e.Output, e.Invalid = o.output, o.invalid && e.Result == harness.Failed
	if c.output != 0 {
		e.Output = c.output
	}
	if e.Detail != nil {
		e.Detail.Text = o.text
	}
}

// operation is the log entry of a call: of one the model made itself, or of
// one that a script made.
func (r *reader) operation(l *row) {
	if c := r.calls[l.id]; c != nil {
		if l.broke {
			c.broke(r.queue.At(c.event), l.out.output)
		}
		return
	}
	r.queue.Push(l.toolCall())
	if len(r.scripts) > 0 {
		r.calls[r.scripts[len(r.scripts)-1]].ran++
	}
}

// broke notes that the log entry of a call says it failed; e is nil for one that
// was emitted. The entry knows that only what it gave without its numbers counts.
func (c *call) broke(e *harness.Event, output uint64) {
	c.failed, c.output = true, output
	if e == nil || e.Result != harness.Succeeded {
		return
	}
	e.Result = harness.Failed
	if output != 0 {
		e.Output = output
	}
}

// dropScripts leaves out the scripts whose output never came.
func (r *reader) dropScripts() {
	for _, id := range r.scripts {
		if c := r.calls[id]; c.ran > 0 {
			r.queue.Drop(c.event, true)
		}
	}
}
