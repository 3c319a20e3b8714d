package drive_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"checkrein/internal/budget"
	"checkrein/internal/drive"
	"checkrein/internal/harness"
	"checkrein/internal/trial"
)

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

// allPaid holds the ledger of all sessions against the records.
func (b *bench) allPaid() {
	b.t.Helper()
	var want, got budget.Nano
	for _, r := range b.records() {
		want += budget.FromUSD(r.Charged)
	}
	totals, err := b.paid().Totals("", time.Now())
	b.must(err)
	for _, day := range totals.Days {
		got += day.Nano
	}
	if got != want {
		b.t.Errorf("the ledger of all sessions has %d, the records %d", got, want)
	}
}

// balanced checks that the ledger, the results and the event log tell the same
// story.
func (b *bench) balanced() {
	b.t.Helper()
	b.replayed()
	b.allPaid()
	charged := map[string]float64{}
	for _, r := range b.records() {
		if _, twice := charged[r.Run]; twice {
			b.t.Errorf("run %s is recorded twice", r.Run)
		}
		charged[r.Run] = r.Charged
	}
	for _, a := range b.accounts() {
		switch usd, ok := charged[a.Run]; {
		case a.Charged == nil || !a.Closed:
			b.t.Errorf("the account of %s is open: %+v", a.Run, a)
		case !near(usd, *a.Charged):
			b.t.Errorf("run %s (recorded: %v) counts %v in the results and %v in the ledger", a.Run, ok, usd, *a.Charged)
		}
		delete(charged, a.Run)
	}
	if len(charged) > 0 {
		b.t.Errorf("runs without an account: %v", charged)
	}
}

// replayed checks that the event log holds every record, and nothing that was
// not recorded.
func (b *bench) replayed() {
	b.t.Helper()
	text, err := os.ReadFile(filepath.Join(filepath.Dir(b.Results), "events.jsonl"))
	b.must(err)
	told := map[string]trial.Record{}
	for line := range bytes.Lines(text) {
		var e trial.Event
		if json.Unmarshal(line, &e) == nil && e.Record != nil {
			told[e.Record.Run] = *e.Record
		}
	}
	for _, r := range b.records() {
		e, ok := told[r.Run]
		if diff := cmp.Diff(r, e); ok && diff != "" {
			b.t.Errorf("run %s (-results +event log):\n%s", r.Run, diff)
		}
		delete(told, r.Run)
	}
	for run := range told {
		b.t.Errorf("run %s is in the event log and has no record", run)
	}
}

func TestStopsAtTheCapAndGoesOn(t *testing.T) {
	b := newBench(t, 5, harness.ClaudeCode)
	b.standIn("claude", `echo fixed >src.txt; done_`)
	b.Cap = 0.25
	summary, records := b.run()
	if !summary.StoppedAtCap || summary.NotStarted != 2 || summary.Runs != 3 || !near(summary.Spent, 0.3) || len(records) != 3 {
		t.Errorf("summary %+v, %d records, want a stop after 3 runs", summary, len(records))
	}
	// The third had five cents left, and was told so.
	if got := *records[2].Reserved; !near(got, 0.05) {
		t.Errorf("the third run might spend %v, want 0.05", got)
	}
	b.Cap = 100
	summary, records = b.run()
	if summary.StoppedAtCap || summary.AlreadyDone != 3 || summary.Runs != 2 || len(records) != 5 {
		t.Errorf("summary %+v, %d records, want the other 2", summary, len(records))
	}
	b.balanced()
	b.clean()
}

// Side by side, trials wait for money that another one may give back, and the
// plan's order is kept in the results.
func TestJobsShareTheCap(t *testing.T) {
	b := newBench(t, 6, harness.ClaudeCode, harness.Codex)
	b.standIn("claude", `case "$*" in *"number 0"*) sleep 1;; esac; echo fixed >src.txt; done_`)
	b.standIn("codex", `echo '{"type":"turn.completed","usage":{"output_tokens":10000}}'`)
	b.Jobs, b.Cap = 4, 5
	summary, records := b.run()
	if summary.Runs != 12 || summary.StoppedAtCap {
		t.Fatalf("summary %+v", summary)
	}
	for i, r := range records {
		if want := b.Doc.Tasks[i/2].ID; r.Task != want || r.Harness != b.Harnesses[i%2] {
			t.Errorf("record %d is of %s on %s: not in plan order", i, r.Harness, r.Task)
		}
	}
	if !near(summary.Spent, 6*0.1+6*0.1) {
		t.Errorf("spent %v", summary.Spent)
	}
	b.balanced()
	b.clean()
}

// An agent that reports what it spends is ended when its reservation is used
// up; the run is started again once there is more.
func TestEndedAtItsReservation(t *testing.T) {
	b := newBench(t, 1, harness.ClaudeCode)
	b.standIn("claude", `i=0; while [ $i -lt 100 ]; do i=$((i+1)); answer m$i; sleep 0.1; done; echo fixed >src.txt; finish 2`)
	b.Cap = 0.1 // five responses of two cents
	_, records := b.run()
	r := records[0]
	if r.Status != trial.Interrupted || r.CutShort != harness.ByBudget || r.Charged < 0.1 || r.Charged >= 2 || *r.CostSource != "partial" {
		t.Errorf("record %+v", r)
	}
	b.Cap = 50
	_, records = b.run()
	if len(records) != 2 || records[1].Status == trial.Interrupted {
		t.Errorf("with more money: %+v", records)
	}
	b.balanced()
	b.clean()
}

func TestTimeLimit(t *testing.T) {
	b := newBench(t, 1, harness.Codex)
	b.standIn("codex", `echo fixed >src.txt; echo '{"type":"turn.started"}'; exec sleep 60`)
	b.Timeout = 3 * time.Second
	_, records := b.run()
	r := records[0]
	if r.Status != trial.Passed || !r.TimedOut || !near(r.Charged, 1.775) || *r.CostSource != "unmeasured" || r.ExitCode != nil {
		t.Errorf("record %+v, want it scored, and one high estimate charged", r)
	}
	b.clean()
}

func TestWhatCouldNotRun(t *testing.T) {
	for name, c := range map[string]struct {
		harness, program, script string
		hint, err                string
		charged                  float64
	}{
		"expired login": {
			harness.ClaudeCode, "claude", `echo '{"type":"result","subtype":"success","is_error":true,"result":"Invalid API key · Fix external API key","total_cost_usd":0}'; exit 1`,
			"sign in: run claude once", "Invalid API key · Fix external API key", 0,
		},
		"old version":     {harness.Codex, "codex", `echo "The model requires a newer version of Codex." >&2; exit 1`, "upgrade Codex", "The model requires a newer version of Codex.", 0},
		"missing program": {harness.Codex, "codex", `echo "env: node: No such file or directory" >&2; exit 127`, "install Codex, or put codex on PATH", "env: node: No such file or directory", 0},
		"missing key": {
			harness.Codex, "codex", `echo '{"type":"item.completed","item":{"type":"error","message":"a warning"}}'; echo '{"type":"turn.failed","error":{"message":"Missing environment variable: MY_KEY."}}'; exit 1`,
			"set MY_KEY, and pass it on with --env MY_KEY", "Missing environment variable: MY_KEY.", 0,
		},
		"budget": {
			harness.ClaudeCode, "claude", `answer a; echo '{"type":"result","subtype":"error_max_budget_usd","is_error":true,"errors":["Reached maximum budget ($9)"],"total_cost_usd":2.96}'; exit 1`,
			"", "Reached maximum budget ($9)", 2.96,
		},
		"broken connection": {
			harness.Codex, "codex", `echo '{"type":"item.completed","item":{"type":"agent_message"}}'; echo '{"type":"turn.failed","error":{"message":"stream disconnected"}}'; exit 1`,
			"", "stream disconnected", 1.775,
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, 2, c.harness)
			b.standIn(c.program, c.script)
			summary, records := b.run()
			r := records[0]
			if r.Status != trial.Error || r.Hint != c.hint || r.Error != c.err || !near(r.Charged, c.charged) {
				t.Errorf("status %s, hint %q, error %q, charged %v\nwant error, %q, %q, %v", r.Status, r.Hint, r.Error, r.Charged, c.hint, c.err, c.charged)
			}
			if skipped := summary.Skipped[c.harness]; skipped != c.hint || (c.hint != "") != (len(records) == 1) {
				t.Errorf("skipped for %q after %d runs", skipped, len(records))
			}
			// A free error is tried again; one that cost something is not.
			summary, _ = b.run()
			if again := summary.Runs > 0; again != (c.charged == 0) {
				t.Errorf("run again: %v", again)
			}
			b.balanced()
			b.clean()
		})
	}
}

func TestProgramThatIsNotThere(t *testing.T) {
	b := newBench(t, 1, harness.ClaudeCode, harness.Codex)
	b.standIn("codex", `echo fixed >src.txt; echo '{"type":"turn.completed","usage":{"output_tokens":1}}'`)
	summary, records := b.run()
	if len(summary.NotInstalled) != 1 || summary.NotInstalled[0] != harness.ClaudeCode || len(records) != 1 || records[0].Harness != harness.Codex {
		t.Errorf("summary %+v, records %+v", summary, records)
	}
}

func TestRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*bench)
		want   string
	}{
		"no cap":        {func(b *bench) { b.Cap = 0 }, "--max-usd"},
		"odd cap":       {func(b *bench) { b.Cap = math.NaN() }, "--max-usd"},
		"no time":       {func(b *bench) { b.Timeout = 0 }, "--timeout"},
		"no tasks":      {func(b *bench) { b.Doc.Tasks[0].Validated = false }, "no validated tasks"},
		"no repository": {func(b *bench) { b.Doc.Repo += "-gone" }, "is gone"},
		"no price": {func(b *bench) {
			b.Harnesses = []string{harness.GeminiCLI}
		}, "--allow-unpriced gemini-cli"},
		"Codex without a model": {func(b *bench) {
			b.Harnesses, b.Unpriced = []string{harness.Codex}, []string{harness.Codex}
			b.must(os.Remove(filepath.Join(b.dir, "home/.codex/config.toml")))
		}, "--model codex=<id>"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, 1, harness.ClaudeCode)
			for _, program := range []string{"claude", "codex", "gemini"} {
				b.standIn(program, `touch "$HOME/ran"`)
			}
			c.change(b)
			_, err := drive.Run(t.Context(), b.options())
			var bad drive.BadInput
			if !errors.As(err, &bad) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want bad input that names %q", err, c.want)
			}
			if _, err := os.Stat(filepath.Join(b.dir, "home/ran")); err == nil {
				t.Error("an agent was started")
			}
		})
	}
}

func TestOneRunPerResultsFile(t *testing.T) {
	b := newBench(t, 1, harness.ClaudeCode)
	b.standIn("claude", `touch "$HOME/started"; sleep 2; echo fixed >src.txt; done_`)
	ended := make(chan error)
	go func() { _, err := drive.Run(t.Context(), b.options()); ended <- err }()
	waitFor(t, func() bool { _, err := os.Stat(filepath.Join(b.dir, "home/started")); return err == nil })
	_, err := drive.Run(t.Context(), b.options())
	if err == nil || !strings.Contains(err.Error(), "another run (process ") {
		t.Errorf("a second run: %v", err)
	}
	if err := <-ended; err != nil {
		t.Errorf("the first run: %v", err)
	}
	b.clean()
}

// waitFor waits until something has happened; the limit only ends a test that
// would hang.
func waitFor(t *testing.T, happened func() bool) {
	t.Helper()
	for limit := time.Now().Add(time.Minute); !happened(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatal("it never happened")
		}
	}
}

// A stop is recorded with what was spent, and the trial is run again.
func TestStopped(t *testing.T) {
	b := newBench(t, 3, harness.ClaudeCode)
	b.standIn("claude", `answer m1; answer m2; touch "$HOME/started"; sleep 60`)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	go func() {
		waitFor(t, func() bool { _, err := os.Stat(filepath.Join(b.dir, "home/started")); return err == nil })
		stop()
	}()
	_, err := drive.Run(ctx, b.options())
	records := b.records()
	if !errors.Is(err, drive.ErrStopped) || len(records) != 1 {
		t.Fatalf("error %v, %d records, want a stop with one record", err, len(records))
	}
	if r := records[0]; r.Status != trial.Interrupted || !near(r.Charged, 0.04) || *r.CostSource != "partial" {
		t.Errorf("record %+v", r)
	}
	b.balanced()
	b.clean()
	b.standIn("claude", `echo fixed >src.txt; done_`)
	if summary, records := b.run(); summary.Runs != 3 || len(records) != 4 {
		t.Errorf("afterwards: %+v, %d records", summary, len(records))
	}
}

// What the Python program left in flight is taken over.
func TestRecoversThePythonProgramsRun(t *testing.T) {
	b := newBench(t, 1, harness.Codex)
	b.standIn("codex", `echo fixed >src.txt; echo '{"type":"turn.completed","usage":{"output_tokens":1}}'`)
	state := filepath.Dir(b.Results)
	left := filepath.Join(b.dir, "tmp", "harness-test-drive-abc")
	b.must(os.MkdirAll(filepath.Join(left, ".git"), 0o755))
	b.must(os.MkdirAll(state, 0o755))
	b.must(os.WriteFile(filepath.Join(state, "inflight.json"), []byte(`{"task":"task000","harness":"codex","label":"Codex",`+
		`"started":"2026-01-01T00:00:00Z","charged_usd":1.775,"workspace":"`+left+`"}`), 0o644))
	summary, records := b.run()
	if len(records) != 2 || records[0].Status != trial.Interrupted || !near(records[0].Charged, 1.775) || summary.Recovered != 1 {
		t.Errorf("summary %+v, records %+v", summary, records)
	}
	b.clean()
}

// A record of the user's own making must not make us delete a folder.
func TestRecoveryRemovesOnlyCopies(t *testing.T) {
	b := newBench(t, 1, harness.Codex)
	b.standIn("codex", `echo '{"type":"turn.completed","usage":{"output_tokens":1}}'`)
	state, precious := filepath.Dir(b.Results), filepath.Join(b.dir, "home", "precious")
	b.must(os.MkdirAll(filepath.Join(precious, ".git"), 0o755))
	b.must(os.MkdirAll(state, 0o755))
	for _, run := range []string{"", "abc"} {
		b.must(os.WriteFile(filepath.Join(state, "inflight.json"), []byte(`{"task":"task000","harness":"codex","run":"`+run+`",`+
			`"started":"2026-01-01T00:00:00Z","charged_usd":1,"workspace":"`+precious+`"}`), 0o644))
		b.run()
		if _, err := os.Stat(precious); err != nil {
			t.Fatal("the folder is gone")
		}
	}
}

func TestOwnSettingsAreNamedBeforeAnAgentStarts(t *testing.T) {
	b := newBench(t, 1, harness.ClaudeCode, harness.GeminiCLI)
	b.standIn("claude", `echo fixed >src.txt; done_`)
	b.standIn("gemini", `exit 1`)
	parent := b.commit(map[string]string{
		"src.txt": "broken\n", ".claude/settings.json": `{"hooks":{}, "model":"x"}`, ".gemini/settings.json": `{"mcpServers":{}}`,
		".codex/config.toml": "[mcp_servers.x]\n",
	}, "Settings")
	b.Doc.Tasks[0].Parent = parent
	b.Unpriced = []string{harness.GeminiCLI}
	var warned []string
	o := b.options()
	o.Watch = func(e trial.Event) {
		switch e.Kind {
		case trial.Warned:
			warned = append(warned, e.Text)
		case trial.Planned:
			warned = append(warned, "started")
		}
	}
	if _, err := drive.Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if len(warned) != 4 || !strings.Contains(warned[0], ".claude/settings.json sets up hooks,") ||
		!strings.Contains(warned[1], ".gemini/settings.json sets up MCP servers,") || warned[2] != "started" {
		t.Errorf("warned of %q, want the two settings files, then two starts", warned)
	}
}
