package geminicli

import (
	"bytes"
	"maps"
	"slices"

	"github.com/go-json-experiment/json"

	"checkrein/internal/harness"
)

// output reads stream-json, and the one object of --output-format json where a
// wrapper asked for that.
type output struct {
	reading harness.Reading
	out     harness.Outcome
	turns   int
	inTurn  bool // the last line came from the model
	ended   bool
	whole   bytes.Buffer // lines that belong to no stream record
}

type line struct {
	Type   string  `json:"type"`
	Role   string  `json:"role"`
	Status string  `json:"status"`
	Msg    string  `json:"message"`
	Error  *failed `json:"error"`
	Stats  stats   `json:"stats"`
}

type failed struct {
	Type    string `json:"type"`
	Message string `json:"message"`
}

type stats struct {
	Models map[string]model `json:"models"`
	Tools  struct {
		Decisions struct {
			Reject int `json:"reject"`
		} `json:"totalDecisions"`
	} `json:"tools"`
}

// model holds both spellings of the token counts: the flat one of stream-json
// and the nested one of json.
type model struct {
	Total  int64 `json:"total_tokens"`
	Prompt int64 `json:"input_tokens"`
	Output int64 `json:"output_tokens"`
	Cached int64 `json:"cached"`
	API    struct {
		Requests int `json:"totalRequests"`
	} `json:"api"`
	Tokens *struct {
		Prompt     int64 `json:"prompt"`
		Cached     int64 `json:"cached"`
		Candidates int64 `json:"candidates"`
		Thoughts   int64 `json:"thoughts"`
	} `json:"tokens"`
}

func (o *output) Line(text []byte) {
	var l line
	if len(text) > 0 && text[0] == '{' && json.Unmarshal(text, &l) == nil && l.Type != "" {
		o.event(l)
		return
	}
	if o.whole.Len() > 0 || bytes.HasPrefix(text, []byte("{")) {
		o.whole.Write(text)
		o.whole.WriteByte('\n')
	}
}

func (o *output) event(l line) {
	fromModel := l.Type == "tool_use" || (l.Type == "message" && l.Role == "assistant")
	if fromModel && !o.inTurn {
		o.turns++ // text and calls up to the next result come from one response
	}
	o.inTurn = fromModel
	switch l.Type {
	case "tool_result":
		o.denied(l.Error)
	case "error":
		o.out.Error = l.Msg
		if bytes.HasPrefix([]byte(l.Msg), []byte("Agent execution")) {
			o.out.CutShort = harness.ByHook
		}
	case "result":
		o.ended = true
		if l.Status == "error" && l.Error != nil {
			o.out.Error = first(l.Error.Message, "error")
		}
		o.stats(l.Stats)
	}
}

func (o *output) denied(e *failed) {
	switch {
	case e == nil:
	case e.Type == "policy_violation":
		o.out.Denials++
	case e.Type == "stop_execution":
		o.out.Denials++
		o.out.CutShort, o.out.Error = harness.ByHook, e.Message
	}
}

// stats adds up the models. A routing call to a second model counts like any
// other.
func (o *output) stats(s stats) {
	most := int64(-1)
	cost, priced := 0.0, true
	for _, name := range slices.Sorted(maps.Keys(s.Models)) {
		u := s.Models[name].usage().Sane()
		if o.out.Usage == nil {
			o.out.Usage = new(harness.Usage)
		}
		*o.out.Usage = o.out.Usage.Add(u)
		usd, ok := o.reading.PriceSum(u, name)
		cost, priced = cost+usd, priced && ok
		if u.Tokens() > most {
			most, o.out.Model = u.Tokens(), name
		}
	}
	o.out.Worked = o.out.Worked || (o.out.Usage != nil && o.out.Usage.Tokens() > 0)
	if o.out.Usage != nil && priced {
		o.out.Cost, o.out.Source = &cost, harness.FromTokens
	}
}

// usage splits the prompt, which holds the cached part, and puts thoughts into
// the output, where they are billed. stream-json names no thoughts: they are
// what the total has beyond prompt and output.
func (m model) usage() harness.Usage {
	if t := m.Tokens; t != nil {
		return harness.Usage{Input: max(t.Prompt-t.Cached, 0), CacheRead: t.Cached, Output: t.Candidates + t.Thoughts, Reasoning: t.Thoughts}
	}
	thoughts := max(m.Total-m.Prompt-m.Output, 0)
	return harness.Usage{Input: max(m.Prompt-m.Cached, 0), CacheRead: m.Cached, Output: m.Output + thoughts, Reasoning: thoughts}
}

func (o *output) Outcome() harness.Outcome {
	out := o.out
	if o.turns > 0 {
		out.Turns, out.Worked = &o.turns, true
	}
	if o.ended || o.whole.Len() == 0 {
		return out
	}
	return o.document(out)
}

// document reads the single object of --output-format json.
func (o *output) document(out harness.Outcome) harness.Outcome {
	var l line
	if json.Unmarshal(o.whole.Bytes(), &l) != nil {
		return out
	}
	d := output{reading: o.reading}
	d.stats(l.Stats)
	d.out.Denials = l.Stats.Tools.Decisions.Reject
	if l.Error != nil {
		d.out.Error = first(l.Error.Message, "error")
	}
	requests := 0
	for _, m := range l.Stats.Models {
		requests += m.API.Requests
	}
	if len(l.Stats.Models) > 0 {
		d.out.Turns = &requests
	}
	d.out.Worked = requests > 0
	return d.out
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
