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
