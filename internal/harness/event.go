package harness

import (
	"fmt"
	"time"
)

// Kind tells what a transcript event is.
type Kind uint8

// The kinds of transcript events the rules look at; readers leave others out.
const (
	Response  Kind = iota + 1 // one finished model response: ID, Model, Usage, Guessed
	ToolCall                  // one tool call, with its result once known: ID, Tool, Result
	Interrupt                 // the user stopped the agent
	Prompt                    // the user typed (never text the harness added)
	OwnTotal                  // the harness's own count of the session so far: USD
)

// Result tells how a tool call ended.
type Result uint8

// How a tool call ended. A neutral end says nothing of whether the agent is on
// track, so it neither counts as a failure nor ends a run of failures.
const (
	Pending   Result = iota // no result was seen
	Succeeded               // it ran and said so
	Failed                  // it ran and failed (error result, exit code not 0)
	Neutral                 // it never ran: denied by a rule, a hook or a reviewer, or cancelled with its batch
	Refused                 // the user said no or interrupted it: someone is watching
)

// Event is one thing a transcript tells, in file order.
type Event struct {
	Kind   Kind
	Time   time.Time // zero when the record carries none
	ID     string    // the response's or the tool call's id; "" when unknown
	Model  string    // Response: the model that answered; "" when the file does not say
	Usage  Usage     // Response
	Tool   string    // ToolCall: the harness's own tool name; with a Detail, as hooks tell it
	Result Result    // ToolCall

	// ToolCall: a hash of what the call gave, which is blind to clock times, dates
	// and durations, and to all numbers where it failed; 0 when that is not known.
	Output uint64
	// ToolCall, Response: the response is held back, but this is known of it. The
	// same event comes again, without Held, when the response is complete.
	Held    bool
	Invalid bool    // ToolCall: it failed before any rule was asked: no such tool, or malformed input
	Detail  *Detail // ToolCall, from a detailed reader only

	Request string // Response: id of the request, where the record tells it

	// Response: how many of Usage.Output are guessed from the text, because the
	// record only has the number from the start of the stream.
	Guessed int64
	USD     float64 // OwnTotal
}

// Detail is what only those who look closely at a tool call pay for.
type Detail struct {
	Input []byte // the tool's input as hooks tell it, as JSON; nil when unknown
	Start int64  // where the line starts that holds the call
	Text  string // the beginning of the result, raw
}

// String spells an event on one line, as golden files and test tables do.
func (e Event) String() string {
	at := "-"
	if !e.Time.IsZero() {
		at = e.Time.UTC().Format("15:04:05.000")
	}
	switch e.Kind {
	case Response:
		return fmt.Sprintf("%s response %q %s %s", at, e.ID, e.Model, e.Usage) + e.guess() + e.marks()
	case ToolCall:
		result := [...]string{"pending", "succeeded", "failed", "neutral", "refused"}[e.Result]
		return fmt.Sprintf("%s call %q %s %s", at, e.ID, e.Tool, result) + e.marks()
	case Interrupt:
		return at + " interrupt"
	case Prompt:
		return at + " prompt"
	case OwnTotal:
		return fmt.Sprintf("%s own total $%g", at, e.USD)
	}
	return fmt.Sprintf("%s kind %d", at, e.Kind)
}

func (e Event) marks() (text string) {
	if e.Invalid {
		text += " invalid"
	}
	if e.Held {
		text += " held"
	}
	return text
}

func (e Event) guess() string {
	if e.Guessed == 0 {
		return ""
	}
	return fmt.Sprintf(" guessed=%d", e.Guessed)
}

// String spells the counts that are always told, and the others where they say
// something.
func (u Usage) String() string {
	text := fmt.Sprintf("in=%d read=%d write=%d", u.Input, u.CacheRead, u.CacheWrite)
	if u.CacheWrite1h > 0 {
		text += fmt.Sprintf(" 1h=%d", u.CacheWrite1h)
	}
	text += fmt.Sprintf(" out=%d think=%d", u.Output, u.Reasoning)
	if u.WebSearches > 0 {
		text += fmt.Sprintf(" searches=%d", u.WebSearches)
	}
	if u.Terms != (Terms{}) {
		text += fmt.Sprintf(" terms=%+v", u.Terms)
	}
	return text
}
