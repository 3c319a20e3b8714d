package replay

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"checkrein/internal/guard"
	"checkrein/internal/price"
	"checkrein/internal/state"
)

// world is a home folder with recorded sessions in it.
type world struct {
	t    *testing.T
	home string
	env  map[string]string
	o    Options
}

func newWorld(t *testing.T) *world {
	w := &world{t: t, home: t.TempDir(), env: map[string]string{}}
	w.env["HOME"] = w.home
	getenv := func(name string) string { return w.env[name] }
	store := state.Open(getenv)
	w.o = Options{
		Getenv: getenv, Home: w.home, StateDir: store.Dir, Zone: time.UTC,
		Prices: func() *price.Table { return store.Prices(func(err error) { t.Error(err) }) },
	}
	return w
}

func (w *world) write(path string, rows ...string) string {
	w.t.Helper()
	path = filepath.Join(w.home, path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Join(rows, "\n")+"\n"), 0o644); err != nil {
		w.t.Fatal(err)
	}
	return path
}

func (w *world) claude(session string, rows ...string) string {
	return w.write(".claude/projects/-p/"+session+".jsonl", rows...)
}

func (w *world) run() *Report {
	w.t.Helper()
	r, err := Run(context.Background(), w.o)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, problem := range r.Errs {
		w.t.Error(problem)
	}
	return r
}

// paid is a response at a dollar per million tokens, a minute of its day.
func paid(id string, minute int, usd float64) string {
	return fmt.Sprintf(`{"type":"assistant","requestId":"r-%s","timestamp":"2026-11-30T12:%02d:00.000Z","message":{"id":"m-%s","role":"assistant",`+
		`"model":"claude-haiku-4-5","stop_reason":"tool_use","content":[{"type":"tool_use","id":"t-%s","name":"Read","input":{"file_path":"%s"}}],`+
		`"usage":{"input_tokens":%d,"output_tokens":0}}}`, id, minute, id, id, id, int(usd*1e6))
}

func TestNothingIsChanged(t *testing.T) {
	w := newWorld(t)
	w.claude("one", paid("a", 1, 6), paid("b", 2, 6), paid("c", 3, 0))
	w.write(".local/state/runaway-guard/runaway-guard.json", `{"day_cap_usd": 1}`)
	w.write(".local/state/runaway-guard/ledger", "not for us")
	before := w.files()
	if r := w.run(); r.Stopped != 1 {
		t.Errorf("%d sessions stopped", r.Stopped)
	}
	if after := w.files(); !maps.Equal(before, after) {
		t.Errorf("files before %v, after %v", before, after)
	}
}

// files are all files below the home folder, with what they hold and when they
// were written.
func (w *world) files() map[string]string {
	w.t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(w.home, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		data := []byte(nil)
		if !d.IsDir() {
			if data, err = os.ReadFile(path); err != nil {
				return err
			}
		}
		all[path] = info.ModTime().String() + string(data)
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return all
}

// TestTheCapStopsTheCallAfterTheResponseThatPassedIt, as in the hook: a response
// counts when the next one is asked for.
func TestTheCapStopsTheCallAfterTheResponseThatPassedIt(t *testing.T) {
	w := newWorld(t)
	w.claude("one", paid("a", 1, 6), paid("b", 2, 6), paid("c", 3, 1), paid("d", 4, 2))
	p := w.run().Played[0]
	if len(p.Stops) != 1 {
		t.Fatalf("stops %+v", p.Stops)
	}
	s := p.Stops[0]
	if s.Rule != "spend_cap_usd" || s.Call != 2 || s.SpentUSD != 12 || s.AfterUSD != 3 || s.Line != 2 || s.Answer != Ended {
		t.Errorf("stop %+v", s)
	}
	if p.SpentUSD != 15 || p.Calls != 4 {
		t.Errorf("%v in %d calls", p.SpentUSD, p.Calls)
	}
}

// TestACopyCountsOnce: the session that is resumed or forked later begins with
// the other's records.
func TestACopyCountsOnce(t *testing.T) {
	w := newWorld(t)
	first := w.claude("zz-first", paid("a", 1, 6), paid("b", 2, 3))
	w.claude("aa-fork", paid("a", 1, 6), paid("b", 2, 3), paid("own", 9, 2))
	earlier := time.Now().Add(-time.Hour)
	if err := os.Chtimes(first, earlier, earlier); err != nil {
		t.Fatal(err)
	}
	r := w.run()
	if r.SpentUSD != 11 || r.Played[0].Session != "zz-first" || r.Played[0].SpentUSD != 9 || r.Played[1].SpentUSD != 2 || r.Stopped != 0 {
		t.Errorf("%v in all: %+v", r.SpentUSD, r.Played)
	}
}

// TestADaysCapSeesOtherSessionsUpToThen: two sessions side by side.
func TestADaysCapSeesOtherSessionsUpToThen(t *testing.T) {
	w := newWorld(t)
	w.env["RUNAWAY_GUARD_DAY_CAP_USD"] = "10"
	w.claude("long", paid("a", 1, 4), paid("b", 5, 5), paid("c", 40, 9), paid("d", 50, 0))
	w.claude("short", paid("e", 10, 0.5), paid("f", 25, 7.5), paid("g", 26, 1), paid("h", 27, 0))
	r := w.run()
	for _, p := range r.Played {
		got := []string{}
		for _, s := range p.Stops {
			got = append(got, fmt.Sprint(s.Rule, " at ", s.Call, ": ", s.Detail))
		}
		want := map[string]string{
			"short": "day_cap_usd at 2: $17.00 of the $10.00 cap a day",
			"long":  "day_cap_usd at 3: $18.00 of the $10.00 cap a day, spend_cap_usd at 3: $18.00 of the $10.00 cap",
		}[p.Session]
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: %v, want %s", p.Session, got, want)
		}
	}
}

func TestOnlyTheNewestAreReadWhereThereIsNoTime(t *testing.T) {
	w := newWorld(t)
	for n := range 5 {
		path := w.claude(fmt.Sprint("s", n), paid(fmt.Sprint(n), n, float64(n+1)), paid(fmt.Sprint(n, "x"), n, 0))
		at := time.Now().Add(time.Duration(n-9) * time.Hour)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	w.o.MaxBytes = 1500
	r := w.run()
	if r.Left != 3 || r.Sessions != 2 || r.SpentUSD != 9 {
		t.Errorf("%d left out, %d played, %v spent", r.Left, r.Sessions, r.SpentUSD)
	}
	if !strings.Contains(r.Line(30), "3 older ones were not read") {
		t.Error(r.Line(30))
	}
	w.o.MaxBytes, w.o.Since = 0, time.Now().Add(-6*time.Hour-time.Minute)
	if r := w.run(); r.Sessions != 2 || r.Left != 0 {
		t.Errorf("since then %d played, %d left out", r.Sessions, r.Left)
	}
}

// TestACompressedRolloutIsPlayed like the one that it was.
func TestACompressedRolloutIsPlayed(t *testing.T) {
	recorded := "../harness/codex/testdata/rollouts/full"
	names, err := os.ReadDir(recorded)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(recorded, names[0].Name()))
	if err != nil {
		t.Fatal(err)
	}
	plain, packed := newWorld(t), newWorld(t)
	plain.write(".codex/sessions/2026/11/30/"+names[0].Name(), strings.TrimSuffix(string(text), "\n"))
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	path := packed.write(".codex/sessions/2026/11/30/" + names[0].Name() + ".zst")
	if err := os.WriteFile(path, z.EncodeAll(text, nil), 0o644); err != nil {
		t.Fatal(err)
	}
	a, b := plain.run().Played[0], packed.run().Played[0]
	if a.SpentUSD == 0 || a.SpentUSD != b.SpentUSD || a.Calls != b.Calls || len(a.Stops) != 1 || len(b.Stops) != 1 {
		t.Errorf("plain %+v, compressed %+v", a, b)
	}
}

// TestWaitingForACommandIsNotAsked: Codex asks no hook about write_stdin, by
// which a model waits for a command that it has started.
func TestWaitingForACommandIsNotAsked(t *testing.T) {
	w := newWorld(t)
	rows := []string{`{"timestamp":"2026-11-30T12:00:00.000Z","type":"session_meta","payload":{"id":"t1","session_id":"t1","cwd":"/p"}}`}
	for n := range 6 {
		rows = append(rows, fmt.Sprintf(`{"timestamp":"2026-11-30T12:00:%02d.000Z","type":"response_item","payload":{"type":"function_call","name":"write_stdin",`+
			`"arguments":"{\"session_id\":7,\"chars\":\"\"}","call_id":"c%d"}}`, n+1, n),
			fmt.Sprintf(`{"timestamp":"2026-11-30T12:00:%02d.500Z","type":"response_item","payload":{"type":"function_call_output","call_id":"c%d",`+
				`"output":"Wall time: 5.0 seconds\nProcess running with session ID 7\nOutput:\n"}}`, n+1, n))
	}
	w.write(".codex/sessions/2026/11/30/rollout-1.jsonl", rows...)
	if p := w.run().Played[0]; p.Calls != 6 || len(p.Stops) != 0 {
		t.Errorf("%d calls, stops %+v", p.Calls, p.Stops)
	}
}

func TestTheSuggestedCap(t *testing.T) {
	spends := func(n int, usd func(i int) float64) (list []float64) {
		for i := range n {
			list = append(list, usd(i))
		}
		return list
	}
	cheap := func(int) float64 { return 1 }
	rising := func(i int) float64 { return float64(100 - i) }
	for _, c := range []struct {
		name           string
		spends         []float64
		p95, suggested float64
		thin           bool
	}{
		{"none", nil, 0, 10, true},
		{"one", []float64{25}, 25, 25, true},
		{"19 make it thin", spends(19, cheap), 1, 10, true},
		{"20 don't", spends(20, cheap), 1, 10, false},
		{"the 95th of 100", spends(100, rising), 95, 95, false},
		{"19th of 20, not the outlier", append(spends(19, cheap), 900), 1, 10, false},
		{"rounded up to a cent", []float64{14.201}, 14.201, 14.21, true},
		{"a cent stays", []float64{14.2}, 14.2, 14.2, true},
	} {
		var r Report
		r.suggest(c.spends)
		if r.P95USD != c.p95 || r.SuggestedUSD != c.suggested || r.Thin != c.thin {
			t.Errorf("%s: p95 %v, suggested %v, thin %t", c.name, r.P95USD, r.SuggestedUSD, r.Thin)
		}
	}
}

// TestUntrustedTextIsMadeSafe: ids, tools and folders come from files.
func TestUntrustedTextIsMadeSafe(t *testing.T) {
	w := newWorld(t)
	row := strings.ReplaceAll(paid("a", 1, 1), `"name":"Read"`, `"name":"Re\u001b[31m|ad\n"`)
	var rows []string
	for n := range 6 {
		rows = append(rows, strings.NewReplacer("t-a", fmt.Sprint("t-", n), "m-a", fmt.Sprint("m-", n), "r-a", fmt.Sprint("r-", n)).Replace(row))
	}
	w.claude("x`|\x1b[2J", rows...)
	r := w.run()
	if text := r.Markdown(true); strings.ContainsAny(text, "\x1b") || r.Stopped != 1 {
		t.Errorf("%d stopped: %q", r.Stopped, text)
	}
}

func TestSettingsOfEvents(t *testing.T) {
	known := map[string]bool{}
	for _, s := range guard.Settings() {
		known[s.Key] = true
	}
	for _, trip := range []guard.Trip{
		{Wire: guard.WireSpend},
		{Wire: guard.WireSpend, Rule: "day_cap_usd"},
		{Wire: guard.WireLoop},
		{Wire: guard.WireFailures},
		{Wire: guard.WireInvalid},
		{Wire: guard.WireFanout, Detail: "12 subagents in a turn"},
		{Wire: guard.WireRate},
		{Wire: guard.WireProgress},
		{Wire: guard.WireProtect},
		{Wire: guard.WireWarning},
	} {
		if !known[trip.Setting()] {
			t.Errorf("%s: no setting is called %q", trip.Wire, trip.Setting())
		}
	}
}

// TestNobodyWatched: a question would never be answered, so it is a stop.
func TestNobodyWatched(t *testing.T) {
	for _, c := range []struct{ entrypoint, answer string }{{"cli", Asked}, {"sdk-cli", Ended}} {
		w := newWorld(t)
		var rows []string
		for n := range 7 {
			row := strings.Replace(paid(fmt.Sprint(n), n, 0.01), `"type":`, `"entrypoint":"`+c.entrypoint+`","type":`, 1)
			rows = append(rows, row, fmt.Sprintf(`{"type":"user","timestamp":"2026-11-30T12:%02d:01.000Z","message":{"role":"user","content":`+
				`[{"type":"tool_result","tool_use_id":"t-%d","is_error":true,"content":"no such file %c"}]}}`, n, n, 'a'+n))
		}
		w.claude("one", rows...)
		if p := w.run().Played[0]; len(p.Stops) != 1 || p.Stops[0].Rule != "failure_streak" || p.Stops[0].Call != 6 || p.Stops[0].Answer != c.answer {
			t.Errorf("%s: %+v", c.entrypoint, p.Stops)
		}
	}
}

func TestAnEstimateIsNamed(t *testing.T) {
	w := newWorld(t)
	w.claude("one", strings.ReplaceAll(paid("a", 1, 2), "claude-haiku-4-5", "nobody-knows-1"), paid("b", 2, 1))
	r := w.run()
	if r.EstimatedUSD <= 0 || r.EstimatedUSD >= r.SpentUSD || !strings.Contains(r.Markdown(false), "of it an estimate") {
		t.Errorf("%v of %v estimated: %s", r.EstimatedUSD, r.SpentUSD, r.Markdown(false))
	}
}
