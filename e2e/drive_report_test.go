//go:build e2e

package e2e

import (
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// board is the part of the scoreboard that the cases look at.
type board struct {
	Rows  []boardRow `json:"harnesses"`
	Spent float64    `json:"spent_usd"`
	Runs  int        `json:"runs"`
}

type boardRow struct {
	Harness     string   `json:"harness"`
	Versions    []string `json:"versions"`
	Runs        int      `json:"runs"`
	Passed      int      `json:"passed"`
	Cost        *float64 `json:"total_cost"`
	CouldNotRun *string  `json:"could_not_run"`
}

// reported checks that run and report show the records, best agent first: all
// passed one, so the cheapest leads.
func (h *home) reported(run output, records []record) {
	h.t.Helper()
	want := board{Runs: len(records)}
	for _, d := range []driven{drivenGemini(), drivenCodex(), drivenClaude()} {
		row := boardRow{Harness: d.name, Versions: []string{d.version}, Runs: 2, Passed: 1}
		for _, r := range records {
			if r.Harness == d.name && r.Cost != nil {
				row.Cost = new(*r.Cost + value(row.Cost))
			}
		}
		want.Spent += value(row.Cost)
		want.Rows = append(want.Rows, row)
	}
	for _, out := range []output{run, h.drive("report", "--json")} {
		var got board
		h.decode(out.stdout, &got)
		if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-4)); diff != "" {
			h.t.Errorf("the board of %q: %s", out.argv[2], diff)
		}
	}
	page := h.drive("report", "--out", "../board.md").stdout
	if page != h.read("board.md") {
		h.t.Errorf("--out wrote something else than %s", page)
	}
	for _, word := range []string{"Claude Code", "Codex", "Gemini CLI", sumSubject, greetSubject} {
		if !strings.Contains(page, word) {
			h.t.Errorf("%q is not in the report: %s", word, page)
		}
	}
}

func value(p *float64) float64 {
	if p == nil {
		return 0
	}
	return *p
}

// goesOn checks that the same command again has nothing to do.
func (h *home) goesOn(runs int) {
	h.t.Helper()
	before := len(h.model.Requests())
	var again struct {
		Run struct {
			Runs int `json:"runs"`
			Done int `json:"already_done"`
		} `json:"run"`
	}
	h.decode(h.drive(allAgents("--max-usd", "50", "--json")...).stdout, &again)
	if again.Run.Runs != 0 || again.Run.Done != runs || len(h.model.Requests()) != before {
		h.t.Errorf("the same command again did %d runs, with %d done", again.Run.Runs, again.Run.Done)
	}
}
