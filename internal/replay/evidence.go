package replay

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"checkrein/internal/harness"
	"checkrein/internal/redact"
)

func (m moment) evidence() Evidence {
	e := Evidence{
		At: m.event.Time.UTC(), File: redact.Line(m.lane.path, 300), Tool: redact.Line(m.event.Tool, 80), Result: resultOf(m.event),
	}
	if d := m.event.Detail; d != nil {
		e.Line = m.lane.line(d.Start)
		e.Input = redact.Line(inputText(d.Input), maxInput)
		e.Text = redact.Line(firstLine(d.Text), maxText)
	}
	return e
}

// firstLine is the first line of a result that says something: what both harnesses
// put in front (exit codes, times) does not.
func firstLine(text string) string {
	if _, output, ok := strings.Cut(text, "\nOutput:\n"); ok {
		text = output
	}
	first, rest, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if strings.HasPrefix(first, "Exit code ") && strings.TrimSpace(rest) != "" {
		first, _, _ = strings.Cut(strings.TrimSpace(rest), "\n")
	}
	return first
}

func resultOf(e harness.Event) string {
	if e.Invalid {
		return "no valid call"
	}
	return [...]string{"no result", "succeeded", "failed", "not run", "refused"}[e.Result]
}

// inputText is what a call was given: a shell's command, else its input as JSON.
func inputText(input []byte) string {
	var shell struct {
		Command string `json:"command"`
	}
	if json.Unmarshal(input, &shell) == nil && shell.Command != "" {
		return shell.Command
	}
	return string(input)
}

// dearest are the responses that cost most, the dearest first.
func dearest(paid []paidMoment) []Payment {
	paid = slices.Clone(paid)
	slices.SortStableFunc(paid, func(a, b paidMoment) int { return cmp.Compare(b.usd, a.usd) })
	list := []Payment{}
	for _, m := range paid[:min(len(paid), maxDearest)] {
		list = append(list, Payment{m.at.UTC(), m.usd, redact.Line(m.model, 60), shownAgent(m.lane.agent)})
	}
	return list
}

// shares is how the spend splits over agents, the dearest first.
func shares(paid []paidMoment) []Share {
	sums := map[string]float64{}
	for _, m := range paid {
		sums[m.lane.agent] += m.usd
	}
	list := []Share{}
	for agent, usd := range sums {
		list = append(list, Share{shownAgent(agent), usd})
	}
	slices.SortFunc(list, func(a, b Share) int { return cmp.Or(cmp.Compare(b.USD, a.USD), cmp.Compare(a.Agent, b.Agent)) })
	return list
}

// shownAgent is an agent's name for people: Codex's are known by their files.
func shownAgent(agent string) string {
	if path, ok := strings.CutPrefix(agent, "path:"); ok {
		agent = filepath.Base(path)
	}
	return redact.Line(agent, 120)
}
