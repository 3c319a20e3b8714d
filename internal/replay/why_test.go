package replay

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"checkrein/internal/guard"
	"checkrein/internal/price"
)

// stopped plays the one session of a home folder and returns what the hook would
// have kept of it.
func (w *world) stopped() *guard.Session {
	w.t.Helper()
	r := &run{o: w.o, owners: owners{}, prices: w.o.Prices(), known: map[string]guard.Limits{}}
	r.find()
	r.inOrder()
	if len(r.sessions) != 1 {
		w.t.Fatalf("%d sessions", len(r.sessions))
	}
	rec := r.sessions[0].read()
	p := newPlayer(r, r.sessions[0], rec)
	for _, l := range rec.lanes {
		p.s.Files[l.path] = &guard.File{Agent: l.agent}
	}
	p.play(rec)
	return p.s
}

func (w *world) why(s *guard.Session) ([]Reason, []string) {
	return Why(s, 50, func() *price.Table { return w.o.Prices() }, func() guard.Shared { return owners{} })
}

// recorded copies a recording into the home folder.
func (w *world) recorded(from, to string) {
	w.t.Helper()
	if err := os.CopyFS(w.home+"/"+to, os.DirFS("../harness/"+from)); err != nil {
		w.t.Fatal(err)
	}
}

// told is a reason in short: the rule and its calls.
func told(r Reason) string {
	calls := []string{}
	for _, c := range r.Calls {
		calls = append(calls, fmt.Sprintf("%d %s %s %s", c.Line, c.Tool, c.Input, c.Result))
	}
	return r.Rule + ": " + strings.Join(calls, "; ")
}

func TestEvidenceOfRecordedSessions(t *testing.T) {
	for _, c := range []struct {
		from, to string
		want     []string
	}{
		{"codex/testdata/rollouts/full", ".codex/sessions/2026/11/30", []string{
			"loop_repeats: 14 Bash echo hi succeeded; 21 Bash echo hi succeeded; 26 Bash echo hi succeeded",
			"loop_repeats: 14 Bash echo hi succeeded; 21 Bash echo hi succeeded; 26 Bash echo hi succeeded; 31 Bash echo hi succeeded",
		}},
	} {
		w := newWorld(t)
		w.recorded(c.from, c.to)
		s := w.stopped()
		reasons, missing := w.why(s)
		if len(missing) > 0 || len(reasons) < len(c.want) {
			t.Fatalf("%s: %+v, missing %v", c.from, reasons, missing)
		}
		for i, want := range c.want {
			if got := told(reasons[i]); got != want {
				t.Errorf("%s: %s\nwant %s", c.from, got, want)
			}
			if r := reasons[i]; r.SpentUSD == nil || *r.SpentUSD <= 0 {
				t.Errorf("%s: spent %v", c.from, r.SpentUSD)
			}
		}
	}
}

// TestEvidenceOfFailures are the calls of that agent that failed, not those that
// succeeded or another agent's.
func TestEvidenceOfFailures(t *testing.T) {
	w := newWorld(t)
	var rows []string
	for n := range 8 {
		rows = append(rows, paid(fmt.Sprint(n), n, 0.01), fmt.Sprintf(`{"type":"user","timestamp":"2026-11-30T12:%02d:01.000Z","message":{"role":"user",`+
			`"content":[{"type":"tool_result","tool_use_id":"t-%d","is_error":%t,"content":"Exit code 2\nnot there: %c"}]}}`, n, n, n > 0, 'a'+n))
	}
	w.claude("one", rows...)
	w.write(".claude/projects/-p/one/subagents/agent-a1.jsonl", paid("sub", 3, 0.01),
		`{"type":"user","timestamp":"2026-11-30T12:03:01.000Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t-sub","is_error":true,"content":"no"}]}}`)
	reasons, _ := w.why(w.stopped())
	if len(reasons) != 1 {
		t.Fatalf("%+v", reasons)
	}
	want := `failure_streak: 3 Read {"file_path":"1"} failed; 5 Read {"file_path":"2"} failed; 7 Read {"file_path":"3"} failed; ` +
		`9 Read {"file_path":"4"} failed; 11 Read {"file_path":"5"} failed`
	if got := told(reasons[0]); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if text := reasons[0].Calls[0].Text; text != "not there: b" {
		t.Errorf("the result says %q", text)
	}
}

func TestEvidenceOfCallsThatAreNone(t *testing.T) {
	w := newWorld(t)
	var rows []string
	for n := range 5 {
		rows = append(rows, paid(fmt.Sprint(n), n, 0.01), fmt.Sprintf(`{"type":"user","timestamp":"2026-11-30T12:%02d:01.000Z","message":{"role":"user",`+
			`"content":[{"type":"tool_result","tool_use_id":"t-%d","is_error":true,"content":"<tool_use_error>Error: No such tool available: Read</tool_use_error>"}]}}`, n, n))
	}
	w.claude("one", rows...)
	reasons, _ := w.why(w.stopped())
	want := `invalid_calls: 1 Read {"file_path":"0"} no valid call; 3 Read {"file_path":"1"} no valid call; 5 Read {"file_path":"2"} no valid call`
	if len(reasons) == 0 || told(reasons[0]) != want {
		t.Errorf("%+v\nwant %s", reasons, want)
	}
}

// TestEvidenceOfACapEndsAtTheStop: what was paid later is not part of it, nor what
// was paid before a reset.
func TestEvidenceOfACapEndsAtTheStop(t *testing.T) {
	w := newWorld(t)
	path := w.claude("one", paid("a", 1, 6), paid("b", 2, 6), paid("c", 3, 1), paid("d", 4, 70))
	s := w.stopped()
	reasons, _ := w.why(s)
	if r := reasons[0]; *r.SpentUSD != 12 || len(r.Dearest) != 2 || r.Agents[0] != (Share{"main", 12}) || len(r.Calls) != 0 {
		t.Errorf("%+v", r)
	}
	s.BaselineUSD = 5
	if reasons, _ = w.why(s); *reasons[0].SpentUSD != 7 {
		t.Errorf("after a reset: %v", *reasons[0].SpentUSD)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	reasons, missing := w.why(s)
	if len(missing) != 1 || missing[0] != path || reasons[0].SpentUSD != nil || reasons[0].Rule != "spend_cap_usd" {
		t.Errorf("gone: %+v, missing %v", reasons, missing)
	}
}
