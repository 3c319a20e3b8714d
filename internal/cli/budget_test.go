package cli_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // the zone of the test, wherever it runs

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"checkrein/internal/cli"
	"checkrein/internal/guard"
	"checkrein/internal/harness"
	"checkrein/internal/state"
)

// desk is a user's computer in New York, in the evening of Thursday, 26 November
// 2026: in UTC it is the day after.
type desk struct {
	t       *testing.T
	project string
	env     map[string]string
	now     time.Time
	store   state.Store
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	newYork, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{
		t: t, project: filepath.Join(home, "shop"), env: map[string]string{"HOME": home},
		now: time.Date(2026, 11, 26, 20, 0, 0, 0, newYork),
	}
	for _, dir := range []string{d.project + "/.git", d.project + "/sub", home + "/other"} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	d.store = state.Open(d.getenv)
	return d
}

func (d *desk) getenv(name string) string { return d.env[name] }

// run types guard budget in the project, and wants an exit code.
func (d *desk) run(code int, args ...string) string {
	d.t.Helper()
	var out bytes.Buffer
	env := cli.Env{
		Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out, Now: func() time.Time { return d.now }, Arg0: "checkrein",
		Getenv: d.getenv, Environ: func() []string { return nil }, Processes: processes,
	}
	args = append([]string{"guard", "budget", "--project", d.project + "/sub"}, args...)
	if got := cli.Main(context.Background(), args, env); got != code {
		d.t.Errorf("%v: status %d\n%s", args, got, out.String())
	}
	return strings.ReplaceAll(out.String(), d.env["HOME"], "~")
}

func (d *desk) pay(payer, project string, days map[string]int64) {
	d.t.Helper()
	if _, err := d.store.Pay(payer, project, days, d.now); err != nil {
		d.t.Fatal(err)
	}
}

// spend puts money on all kinds of days, and a session that was just checked.
func (d *desk) spend() {
	d.pay("a", d.project, map[string]int64{"2026-11-26": 3e9, "2026-11-25": 2e9, "2026-11-22": 10e9, "2026-10-31": 100e9})
	d.pay("b", d.env["HOME"]+"/other", map[string]int64{"2026-11-26": 15e8, "2026-11-27": 7e9})
	s := guard.New("sess-1", harness.ClaudeCode, d.now)
	s.CostUSD, s.Tokens = 3, 1234567
	if err := d.store.Save(s); err != nil {
		d.t.Fatal(err)
	}
}

func TestBudgetOfNothing(t *testing.T) {
	d := newDesk(t)
	got := d.run(0)
	for _, part := range []string{
		"**The guard has counted no spend yet.**", "| Session | $10.00 | $0.00 (0%) | $10.00 |  |  |",
		"| Day | off | $0.00 |  | Fri 2026-11-27 00:00 | $0.00 by the end of the day |", "checkrein guard install --write",
	} {
		if !strings.Contains(got, part) {
			t.Errorf("%q does not say %q", got, part)
		}
	}
	if _, err := os.Stat(d.store.Dir); err == nil {
		t.Error("looking made the state folder")
	}
}

func TestBudgetWithoutCaps(t *testing.T) {
	d := newDesk(t)
	d.spend()
	want := `**All sessions together have spent $4.50 today, $13.50 this week and $23.50 this month.**

| Budget | Cap | Used | Left | Starts over | At this pace |
|---|---|---|---|---|---|
| Session | $10.00 | $3.00 (30%) | $7.00 |  |  |
| Day | off | $4.50 |  | Fri 2026-11-27 00:00 | $5.40 by the end of the day |
| Week | off | $13.50 |  | Mon 2026-11-30 00:00 | $24.65 by the end of the week |
| Month | off | $23.50 |  | Tue 2026-12-01 00:00 | $27.28 by the end of the month |
| Project | off | $115.00 |  |  |  |
| Session's tokens | off | 1,234,567 |  |  |  |

Project: ` + "`~/shop`" + `.
Session: ` + "`sess-1`" + `, the one checked last. What a session pays counts from its next tool call on.
`
	if diff := cmp.Diff(want, d.run(0)); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
}

// TestBudgetWithCaps: from the environment, the user's file and the project's.
func TestBudgetWithCaps(t *testing.T) {
	d := newDesk(t)
	d.spend()
	d.env["RUNAWAY_GUARD_DAY_CAP_USD"] = "20"
	d.settings(d.store.Dir, `{"week_cap_usd": 100, "month_cap_usd": 23.5, "cap_tokens": 2000000}`)
	d.settings(d.project+"/.claude", `{"week_cap_usd": 13, "project_cap_usd": 1000}`)
	got := d.run(0)
	for _, part := range []string{
		"**The week cap of $13.00 is reached: $13.50 was spent.**", "| Day | $20.00 | $4.50 (22%) | $15.50 |", "| Week | $13.00 | $13.50 (104%) | $0.00 |",
		"| Month | $23.50 | $23.50 (100%) | $0.00 |", "| Project | $1000.00 | $115.00 (12%) | $885.00 |",
		"| Session's tokens | 2,000,000 | 1,234,567 (62%) | 765,433 |",
	} {
		if !strings.Contains(got, part) {
			t.Errorf("%q does not say %q", got, part)
		}
	}
	d.env["RUNAWAY_GUARD_CAP_USD"] = "2"
	if got := d.run(0); !strings.HasPrefix(got, "**The latest session has reached its cap of $2.00: it has spent $3.00.**") {
		t.Errorf("%s", got)
	}
}

func (d *desk) settings(dir, text string) {
	d.t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "runaway-guard.json"), []byte(text), 0o600); err != nil {
		d.t.Fatal(err)
	}
}

// TestBudgetJSON: programs read these keys.
func TestBudgetJSON(t *testing.T) {
	d := newDesk(t)
	d.spend()
	d.env["RUNAWAY_GUARD_DAY_CAP_USD"], d.env["RUNAWAY_GUARD_CAP_TOKENS"] = "4.5", "1000000"
	var got map[string]any
	if err := json.Unmarshal([]byte(d.run(0, "--json")), &got); err != nil {
		t.Fatal(err)
	}
	line := func(name string, limit, used, left any, reached bool, starts, resets, paced any) map[string]any {
		return map[string]any{
			"name": name, "cap_usd": limit, "used_usd": used, "left_usd": left, "reached": reached, "starts": starts, "resets": resets,
			"paced_usd": paced,
		}
	}
	want := map[string]any{
		"headline": "The day cap of $4.50 is reached: $4.50 was spent.", "at": "2026-11-26T20:00:00-05:00", "session": "sess-1",
		"project": "~/shop", "project_total_usd": 115.0, "state_folder": "~/.local/state/runaway-guard",
		"tokens": map[string]any{"cap": 1e6, "used": 1234567.0, "left": 0.0, "reached": true},
		"budgets": []any{
			line("session", 10.0, 3.0, 7.0, false, nil, nil, nil),
			line("day", 4.5, 4.5, 0.0, true, "2026-11-26T00:00:00-05:00", "2026-11-27T00:00:00-05:00", 5.4),
			line("week", nil, 13.5, nil, false, "2026-11-23T00:00:00-05:00", "2026-11-30T00:00:00-05:00", 24.652173913),
			line("month", nil, 23.5, nil, false, "2026-11-01T00:00:00-04:00", "2026-12-01T00:00:00-05:00", 27.284219002),
			line("project", nil, 115.0, nil, false, nil, nil, nil),
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
}

func TestAProjectStartsOver(t *testing.T) {
	d := newDesk(t)
	d.spend()
	d.env["CLAUDECODE"] = "1"
	if got := d.run(1, "--reset-project"); !strings.Contains(got, "an agent must not start a project's sum over") {
		t.Errorf("%s", got)
	}
	if got := d.run(0); !strings.Contains(got, "| Project | off | $115.00 |") {
		t.Errorf("an agent has changed it: %s", got)
	}
	delete(d.env, "CLAUDECODE")
	got := d.run(0, "--reset-project")
	for _, part := range []string{
		"Done: the project's sum counts from $0.00 again; it was $115.00.", "| Project | off | $0.00 |",
		"Project: `~/shop`, $115.00 since the guard counts.", "spent $4.50 today",
	} {
		if !strings.Contains(got, part) {
			t.Errorf("%q does not say %q", got, part)
		}
	}
	d.pay("a", d.project, map[string]int64{"2026-11-26": 4e9, "2026-11-25": 2e9, "2026-11-22": 10e9, "2026-10-31": 100e9})
	if got := d.run(0); !strings.Contains(got, "| Project | off | $1.00 |") {
		t.Errorf("%s", got)
	}
}

func TestBudgetRefuses(t *testing.T) {
	d := newDesk(t)
	d.spend()
	if got := d.run(2, "--project", "/no/such\x1b[31m"); !strings.Contains(got, "--project /no/such") || strings.Contains(got, "\x1b") {
		t.Errorf("%q", got)
	}
	if got := d.run(2, "--out", d.project+"/no/such", "--reset-project"); !strings.Contains(got, "nothing was changed") {
		t.Errorf("%q", got)
	}
	if err := os.WriteFile(filepath.Join(d.store.Dir, "ledger"), []byte("checkrein ledger 9\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := d.run(2); !strings.Contains(got, "reading the ledger: ") || !strings.Contains(got, "newer checkrein") {
		t.Errorf("%q", got)
	}
}
