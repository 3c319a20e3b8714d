package claudecode

import (
	"github.com/go-json-experiment/json"

	"checkrein/internal/harness"
)

// output reads stream-json. A run prints one result line, or more when a
// background subagent finishes after the main agent: costs in them are totals
// so far, turns and denials are not.
type output struct {
	reading   harness.Reading
	responses map[string]response // by message id: the latest usage of each
	order     []string            // their ids, as first seen
	counted   int                 // how many of them the last result line covers
	result    *result
	turns     int
	denied    map[string]bool
	denials   int
}

type response struct {
	model string
	usage harness.Usage
}

type record struct {
	Message struct {
		ID    string `json:"id"`
		Model string `json:"model"`
		Usage *usage `json:"usage"`
	} `json:"message"`
}

type usage struct {
	Input      int64 `json:"input_tokens"`
	CacheRead  int64 `json:"cache_read_input_tokens"`
	CacheWrite int64 `json:"cache_creation_input_tokens"`
	Output     int64 `json:"output_tokens"`
	Creation   struct {
		Hour int64 `json:"ephemeral_1h_input_tokens"`
	} `json:"cache_creation"`
}

type result struct {
	IsError  bool     `json:"is_error"`
	Subtype  string   `json:"subtype"`
	Reason   string   `json:"terminal_reason"`
	Result   string   `json:"result"`
	Errors   []string `json:"errors"`
	Cost     *float64 `json:"total_cost_usd"`
	Turns    *int     `json:"num_turns"`
	Denials  []denial `json:"permission_denials"`
	PerModel map[string]struct {
		Input      int64   `json:"inputTokens"`
		CacheRead  int64   `json:"cacheReadInputTokens"`
		CacheWrite int64   `json:"cacheCreationInputTokens"`
		Write1h    int64   `json:"cacheCreationEphemeral1hInputTokens"`
		Output     int64   `json:"outputTokens"`
		Cost       float64 `json:"costUSD"`
	} `json:"modelUsage"`
}

type denial struct {
	ToolUse string `json:"tool_use_id"`
}

func (o *output) Line(line []byte) {
	if len(line) == 0 || line[0] != '{' {
		return
	}
	// The type alone comes first: it stands last in some records, and a field
	// of an unexpected kind before it must not hide it.
	var kind struct {
		Type string `json:"type"`
	}
	if json.Unmarshal(line, &kind) != nil {
		return
	}
	switch kind.Type {
	case "assistant":
		o.response(line)
	case "result":
		o.end(line)
	}
}

// response keeps the last usage of a message: its records repeat, and grew in
// older versions. Synthetic messages are the CLI's own words, not a model's.
func (o *output) response(line []byte) {
	var r record
	if json.Unmarshal(line, &r) != nil || r.Message.ID == "" || r.Message.Usage == nil || r.Message.Model == "<synthetic>" {
		return
	}
	m, u := r.Message, r.Message.Usage
	if _, seen := o.responses[m.ID]; !seen {
		o.order = append(o.order, m.ID)
	}
	o.responses[m.ID] = response{m.Model, harness.Usage{
		Input: u.Input, CacheRead: u.CacheRead, CacheWrite: u.CacheWrite, CacheWrite1h: u.Creation.Hour, Output: u.Output,
	}.Sane()}
}

func (o *output) end(line []byte) {
	r := new(result)
	if json.Unmarshal(line, r) != nil && r.Cost == nil {
		return
	}
	o.result, o.counted = r, len(o.order)
	if r.Turns != nil {
		o.turns += *r.Turns
	}
	for _, d := range r.Denials {
		if d.ToolUse == "" {
			o.denials++
			continue
		}
		if o.denied == nil {
			o.denied = map[string]bool{}
		}
		o.denied[d.ToolUse] = true
	}
}

func (o *output) Outcome() harness.Outcome {
	if o.result == nil {
		return o.stopped()
	}
	out := o.finished()
	late := o.order[o.counted:]
	if more, ok := o.price(late); len(late) > 0 && ok && out.Cost != nil {
		out.Cost, out.Source = new(*out.Cost+more), harness.Partial
	}
	return out
}

// finished is the outcome of a run that printed its result.
func (o *output) finished() harness.Outcome {
	r := o.result
	out := harness.Outcome{
		Cost: r.Cost, Denials: o.denials + len(o.denied), Error: r.message(),
		CutShort: r.cutShort(), Worked: len(o.responses) > 0,
	}
	if r.Cost != nil {
		out.Source = harness.Reported
	}
	if r.Turns != nil {
		out.Turns = &o.turns
	}
	most := -1.0
	for model, m := range r.PerModel {
		if out.Usage == nil {
			out.Usage = new(harness.Usage)
		}
		*out.Usage = out.Usage.Add(harness.Usage{
			Input: m.Input, CacheRead: m.CacheRead, CacheWrite: m.CacheWrite, CacheWrite1h: m.Write1h, Output: m.Output,
		}.Sane())
		if m.Cost > most || (m.Cost == most && model < out.Model) {
			most, out.Model = m.Cost, model
		}
	}
	if !out.Worked && !r.IsError {
		out.Error = r.Result // a hook refused the prompt: this is its reason
	}
	return out
}

// message is the run's own error. The subtype is no help: it reads success on
// a failed login.
func (r *result) message() string {
	switch {
	case !r.IsError:
		return ""
	case r.Result != "":
		return r.Result
	case len(r.Errors) > 0:
		return r.Errors[0]
	case r.Reason != "":
		return r.Reason
	}
	return "error"
}

func (r *result) cutShort() string {
	switch {
	case r.Reason == "hook_stopped":
		return harness.ByHook
	case r.Subtype == "error_max_budget_usd", r.Reason == "budget_exhausted":
		return harness.ByBudget
	}
	return ""
}

// stopped is the outcome of a run that printed no result: what its responses
// cost, by the usage each last showed. That is a floor, because the output
// count of a response that was cut off is the one from its start.
func (o *output) stopped() harness.Outcome {
	if len(o.responses) == 0 {
		return harness.Outcome{}
	}
	out := harness.Outcome{Worked: true, Error: "no final result: the run was stopped", Usage: new(harness.Usage)}
	output := map[string]int64{}
	for _, r := range o.responses {
		*out.Usage = out.Usage.Add(r.usage)
		output[r.model] += r.usage.Output
	}
	most := int64(-1)
	for model, n := range output {
		if n > most || (n == most && model < out.Model) {
			most, out.Model = n, model
		}
	}
	if usd, ok := o.price(o.order); ok {
		out.Cost, out.Source = &usd, harness.Partial
	}
	return out
}

// price adds up the responses named; false when one of them has no price.
func (o *output) price(ids []string) (float64, bool) {
	total := 0.0
	for _, id := range ids {
		usd, ok := o.reading.Price(o.responses[id].usage, o.responses[id].model)
		if !ok {
			return 0, false
		}
		total += usd
	}
	return total, true
}
