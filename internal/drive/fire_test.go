package drive_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"checkrein/internal/harness"
	"checkrein/internal/trial"
)

// Under fire, each step of a stand-in is one response of two cents. It writes
// down what it has spent before it reports it, as a provider would.
const (
	stepCost   = 0.02
	fireClaude = `n=$(echo "$*" | sed -n 's/.*number \([0-9]*\).*/\1/p'); steps=$((n % 5 + 1)); i=0
while [ $i -lt $steps ]; do i=$((i+1)); echo $i >>"$HOME/spent-$CHECKREIN_RUN"; answer m$i; sleep 0.0$((n % 4 + 1)); done
[ $((n % 3)) = 0 ] || echo fixed >src.txt
echo end >>"$HOME/spent-$CHECKREIN_RUN"
finish $(printf '0.%02d' $((steps * 2)))`
	fireCodex = `n=$(echo "$*" | sed -n 's/.*number \([0-9]*\).*/\1/p'); steps=$((n % 3 + 1)); i=0
(setsid sleep 300 >/dev/null 2>&1 &)
while [ $i -lt $steps ]; do i=$((i+1)); echo $i >>"$HOME/spent-$CHECKREIN_RUN"; echo '{"type":"item.completed","item":{"type":"agent_message"}}'; sleep 0.03; done
[ $((n % 4)) = 0 ] || echo fixed >src.txt
echo end >>"$HOME/spent-$CHECKREIN_RUN"
echo '{"type":"turn.completed","usage":{"output_tokens":'$((steps * 2000))'}}'`
)

// TestCapUnderFire runs 200 scripted trials, eight at a time, kills the driver
// again and again, and goes on until all are done. Then the money must add up
// and nothing may be left.
func TestCapUnderFire(t *testing.T) {
	tasks := 100
	if testing.Short() || underRace {
		tasks = 15
	}
	b := newBench(t, tasks, harness.ClaudeCode, harness.Codex)
	b.standIn("claude", fireClaude)
	b.standIn("codex", fireCodex)
	b.Jobs, b.Cap = 8, 20
	f := &fire{bench: b, grace: time.Duration(tasks) * 40 * time.Millisecond, r: rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 7))}
	for f.round() {
		f.checkMoney()
	}
	f.checkMoney()
	f.checkTrials()
	f.run() // the next command tidies up after the last kill
	b.balanced()
	b.sameBoards()
	b.clean()
	t.Logf("%d kills, %d runs for %d trials, cap at last %v", f.kills, len(b.records()), 2*tasks, b.Cap)
	if f.kills == 0 {
		t.Error("no kill hit the driver: nothing was tested")
	}
}

type fire struct {
	*bench
	r     *rand.Rand
	kills int
	done  int           // records so far
	grace time.Duration // the longest that a driver lives
}

// round starts a driver and kills it at a random instant, unless it is done
// first. A driver that stops at its cap gets a higher one. It is false once
// every trial is done.
func (f *fire) round() bool {
	f.t.Helper()
	file := filepath.Join(f.dir, "setup.json")
	data, err := json.Marshal(f.setup)
	f.must(err)
	f.must(os.WriteFile(file, data, 0o600))
	exe, err := os.Executable()
	f.must(err)
	var out, errs bytes.Buffer
	cmd := &exec.Cmd{Path: exe, Args: []string{exe}, Env: append(f.Environ, "TEST_DRIVER="+file), Dir: "/", Stdout: &out, Stderr: &errs}
	f.must(cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case <-f.shot():
		f.must(cmd.Process.Kill())
		<-ended
		f.kills++
		f.slowDown()
		return true
	case err := <-ended:
		if err != nil {
			f.t.Fatalf("the driver: %v\n%s", err, errs.String())
		}
	}
	var s trial.Summary
	f.must(json.Unmarshal(out.Bytes(), &s))
	if s.StoppedAtCap {
		f.Cap += 20
	}
	return s.StoppedAtCap
}

// shot is when to kill a driver. The first one dies as soon as it has reserved
// money: a fast machine could be done with all trials before a random instant.
func (f *fire) shot() <-chan time.Time {
	if f.kills > 0 {
		return time.After(time.Duration(f.r.Int64N(int64(f.grace))))
	}
	now := make(chan time.Time, 1)
	ledger := filepath.Join(filepath.Dir(f.Results), "ledger.jsonl")
	go func() {
		for range 10_000 { // of 3 ms, which no driver takes to get there
			if info, err := os.Stat(ledger); err == nil && info.Size() > 0 {
				break
			}
			time.Sleep(3 * time.Millisecond)
		}
		now <- time.Now()
	}()
	return now
}

// slowDown gives each driver a longer life than the one before, so that the
// test ends; much longer when nothing got done, as on a busy machine.
func (f *fire) slowDown() {
	now := len(f.records())
	f.grace += f.grace / 16
	if now == f.done {
		f.grace += f.grace / 4
	}
	f.done = now
}

// spent is what the stand-in of a run spent, and whether it came to its end.
func (f *fire) spent(run string) (usd float64, ended bool) {
	text, _ := os.ReadFile(filepath.Join(f.dir, "home", "spent-"+run))
	steps := strings.Fields(string(text))
	if n := len(steps); n > 0 && steps[n-1] == "end" {
		return float64(n-1) * stepCost, true
	}
	return float64(len(steps)) * stepCost, false
}

// checkMoney holds the ledger against what the stand-ins spent.
func (f *fire) checkMoney() {
	f.t.Helper()
	total := 0.0
	if _, err := os.Stat(filepath.Join(filepath.Dir(f.Results), "ledger.jsonl")); err != nil {
		return // killed before it was made
	}
	for _, a := range f.accounts() {
		spent, ended := f.spent(a.Run)
		if a.Charged == nil {
			continue // its driver was killed just now, and the next one has not run yet
		}
		total += *a.Charged
		switch {
		case ended && !near(*a.Charged, spent) && !(*a.Charged >= spent-1e-9 && *a.Charged <= a.Reserved+1e-9):
			f.t.Errorf("run %s spent %v and is charged %v of %v", a.Run, spent, *a.Charged, a.Reserved)
		case !ended && *a.Charged > max(a.Reserved, spent)+1e-9:
			f.t.Errorf("run %s spent %v before it was killed, and is charged %v of %v", a.Run, spent, *a.Charged, a.Reserved)
		case !ended && *a.Charged < f.owed(a, spent)-1e-9:
			f.t.Errorf("run %s spent %v before it was killed, and is charged only %v", a.Run, spent, *a.Charged)
		}
	}
	// Eight agents, each with one response in flight (Codex: with its whole run,
	// at most three responses here).
	if bound := f.Cap + 8*3*stepCost; total > bound {
		f.t.Errorf("%v is charged under a cap of %v", total, f.Cap)
	}
}

// owed is the least that a killed run must count: what it had reported, the last
// response being one that may not have been. Codex reports at its end only, so
// its reservation stands for it, which the last cents under a cap make small.
func (f *fire) owed(a trial.Account, spent float64) float64 {
	if a.ID.Variant == harness.Codex {
		return min(a.Reserved, spent-stepCost)
	}
	return spent - stepCost
}

// checkTrials: every trial has one result, and for those the ledger has exactly
// what was spent.
func (f *fire) checkTrials() {
	f.t.Helper()
	done := map[trial.ID]int{}
	for _, r := range f.records() {
		spent, ended := f.spent(r.Run)
		if !r.Scored() {
			continue
		}
		done[r.ID()]++
		if !ended || !near(r.Charged, spent) {
			f.t.Errorf("%s (run %s) spent %v (to its end: %v) and is charged %v", r.ID().FileName(), r.Run, spent, ended, r.Charged)
		}
		n, _ := strconv.Atoi(strings.TrimPrefix(r.Task, "task"))
		mod := map[string]int{harness.ClaudeCode: 3, harness.Codex: 4}[r.Harness]
		if want := map[bool]string{true: trial.Failed, false: trial.Passed}[n%mod == 0]; r.Status != want {
			f.t.Errorf("%s: %s, want %s", r.ID().FileName(), r.Status, want)
		}
	}
	for _, task := range f.Doc.Tasks {
		for _, h := range f.Harnesses {
			id := trial.ID{Task: task.ID, Variant: h, Attempt: 1}
			if done[id] != 1 {
				f.t.Errorf("%s has %d results, want 1", fmt.Sprint(id), done[id])
			}
		}
	}
}
