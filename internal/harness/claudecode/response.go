package claudecode

import (
	"fmt"

	"checkrein/internal/harness"
)

// written is what the records of one response have told so far.
type written struct {
	request string // "" when none names its request
	prompt  int64  // tokens of the prompt; records of one response repeat them
	words   int    // bytes the model wrote
	ended   bool   // a record with the final usage has come
	stopped bool   // one has told why it ended, after which nothing of it changes
	event   int    // its number in the queue
}

// belongs tells whether a record is one more of this response. Some gateways
// leave out the request's id and give every response the same message id; then
// a prompt of another size shows that it is another response.
func (w *written) belongs(rec *row) bool {
	if w.request != "" && rec.request != "" {
		return w.request == rec.request // two requests are two charges, whatever they returned
	}
	prompt := prompt(rec.usage)
	return w.prompt == 0 || prompt == 0 || w.prompt == prompt
}

func prompt(u harness.Usage) int64 { return u.Input + u.CacheRead + u.CacheWrite }

// maxResponses bounds how many responses are remembered to tell later records
// of theirs; only the last few of a file are ever still growing.
const maxResponses = 8192

// response adds the response at its first record and lets later records change
// its usage: they repeat the input side and grow the output. A response that
// never tells its usage is left out.
func (r *reader) response(rec *row) {
	w := r.responses[rec.id]
	if rec.id == "" || w == nil || !w.belongs(rec) {
		w = r.open(rec, w != nil && rec.id != "")
	}
	if rec.hasUsage && !(w.ended && rec.streaming) {
		r.fill(rec, w)
	}
	for _, c := range rec.calls {
		e := harness.Event{Kind: harness.ToolCall, Time: rec.time, ID: c.id, Tool: c.name}
		if rec.detailed {
			e.Detail = &harness.Detail{Input: c.input, Start: rec.start}
		}
		r.queue.Push(e)
	}
}

// open starts a response. again says that its id was another one's already.
func (r *reader) open(rec *row, again bool) *written {
	e := harness.Event{Kind: harness.Response, Time: rec.time, ID: rec.id, Model: rec.model, Request: rec.request}
	if again && rec.request != "" {
		e.ID += "/" + rec.request
	}
	w := &written{request: rec.request, event: r.queue.Push(e)}
	r.queue.Drop(w.event, true)
	if len(r.responses) >= maxResponses {
		clear(r.responses)
	}
	if rec.id != "" {
		r.responses[rec.id] = w
	}
	return w
}

func (r *reader) fill(rec *row, w *written) {
	w.words += rec.words
	w.ended, w.stopped = w.ended || !rec.streaming, w.stopped || rec.stopped
	w.prompt = max(w.prompt, prompt(rec.usage))
	e := r.queue.At(w.event)
	if e == nil {
		return
	}
	e.Usage, e.Guessed = rec.usage, 0
	if rec.streaming {
		e.Usage, e.Guessed = guess(rec.usage, w.words)
	}
	r.queue.Drop(w.event, false)
	for i, a := range rec.advisors {
		r.advise(rec, i, a)
	}
}

// advise adds what the i-th advisor of a response cost, or corrects it.
func (r *reader) advise(rec *row, i int, a advisor) {
	id := fmt.Sprintf("%s/advisor/%d", rec.id, i+1)
	n, known := r.queue.Find(harness.Response, id)
	if !known {
		n = r.queue.Push(harness.Event{Kind: harness.Response, Time: rec.time, ID: id, Model: a.model, Request: rec.request})
	}
	if e := r.queue.At(n); e != nil {
		e.Usage = a.usage
	}
}

// withName makes the ID of a response that no request names hold its usage:
// behind some gateways different responses, of other sessions too, have the same
// message id. A copy of it in another session has the same usage.
func withName(e harness.Event) harness.Event {
	if e.Kind == harness.Response && e.ID != "" && e.Request == "" {
		u := e.Usage
		e.ID = fmt.Sprintf("%s/%d/%d/%d/%d", e.ID, u.Input, u.CacheRead, u.CacheWrite, u.Output)
	}
	return e
}
