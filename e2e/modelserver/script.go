package modelserver

import (
	"strings"
	"sync"
	"time"
)

// Usage is the token count a turn reports. The parts are disjoint, as in
// Anthropic's format; the formats that report sums get sums. Output includes
// Reasoning in OpenAI's format and leaves it out in Gemini's, as their own
// servers do.
type Usage struct {
	Input        int64 // uncached input
	CacheRead    int64
	CacheWrite5m int64
	CacheWrite1h int64
	Output       int64
	Reasoning    int64
}

// Prompt is the whole input of the request: what OpenAI and Gemini call the
// input or prompt tokens.
func (u Usage) Prompt() int64 { return u.Input + u.CacheRead + u.CacheWrite5m + u.CacheWrite1h }

// Tool is one tool call the model makes.
type Tool struct {
	Name      string
	Input     any    // encoded as the call's arguments
	Namespace string // OpenAI only: the group the tool belongs to, "" for none
	Patch     string // OpenAI only: a free-form call with this text in place of Input
}

// input is what the call carries: formats want an object even where a tool takes nothing.
func (t Tool) input() any {
	if t.Input == nil {
		return object{}
	}
	return t.Input
}

// Turn is one answer of the model. The zero value is an empty answer.
type Turn struct {
	Thinking string
	Text     string
	Tools    []Tool
	Usage    Usage         // the zero value takes the script's
	Model    string        // the model that claims to answer; "" names the one asked for
	Delay    time.Duration // before the first byte
	Pace     time.Duration // after every streamed event
	Status   int           // an HTTP error in place of an answer
	Error    string        // what that error says
	Cut      bool          // drop the connection half way through the stream
}

// Thread is the list of turns that one agent hears, one for each request.
type Thread struct {
	Name string
	// Says selects the requests of this thread: text that a user, or an agent
	// handing over a task, must have written in them. "" selects every request.
	Says   string
	Model  string // the model that they must ask for; "" for any
	Turns  []Turn
	Repeat bool // play the last turn again and again, in place of a closing "done"
}

// Script is all that the model will say. Threads are tried in order; the
// first that selects a request answers it.
type Script struct {
	Threads []Thread
	Usage   Usage // of turns without their own
}

// One is a script with a single thread, "main", that selects everything.
func One(usage Usage, turns ...Turn) Script {
	return Script{Usage: usage, Threads: []Thread{{Name: Main, Turns: turns}}}
}

// Names of threads that Request.Thread uses beside the script's own.
const (
	Main  = "main"    // the thread of One
	Side  = "(side)"  // a request of the harness's own: a title, a summary
	Count = "(count)" // a question for the size of a request
	Other = "(other)" // a request that no script can answer
)

// cue is one answer picked from the script: where it stands and what it says.
type cue struct {
	thread string
	index  int
	turn   Turn
}

// player walks through one script. Its methods may be called side by side.
type player struct {
	script Script
	mu     sync.Mutex
	played map[string]int
}

func newPlayer(s Script) *player { return &player{script: s, played: map[string]int{}} }

// next picks the turn that answers a request. Requests that offer the model no
// tools or want a fixed shape (a title) come from the harness itself and use up
// no turn.
func (p *player) next(a ask) cue {
	if !a.tools || a.schema != nil {
		return cue{Side, 0, Turn{Text: sideText(a.schema)}}
	}
	for _, t := range p.script.Threads {
		if strings.Contains(a.said, t.Says) && (t.Model == "" || t.Model == a.model) {
			return p.advance(t)
		}
	}
	return cue{Other, 0, Turn{Text: "done"}}
}

func (p *player) advance(t Thread) cue {
	p.mu.Lock()
	n := p.played[t.Name]
	p.played[t.Name]++
	p.mu.Unlock()
	c := cue{t.Name, n, Turn{Text: "done", Usage: p.script.Usage}}
	if n >= len(t.Turns) && t.Repeat && len(t.Turns) > 0 {
		n = len(t.Turns) - 1
	}
	if n < len(t.Turns) {
		c.turn = t.Turns[n]
	}
	if c.turn.Usage == (Usage{}) {
		c.turn.Usage = p.script.Usage
	}
	return c
}
