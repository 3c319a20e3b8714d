//go:build unix

package neverblocks

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"checkrein/internal/guard"
)

// lockWait is how long a call waits for the session's lock before it lets the
// call through uncounted.
const lockWait = 2 * time.Second

// responseRow is a row of a transcript: one response of a million input tokens,
// a dollar each.
func responseRow(n int) string {
	return fmt.Sprintf(`{"type":"assistant","uuid":"u%d","timestamp":"2026-11-30T12:00:00.000Z","requestId":"req_%d","message":{"id":"msg_%d",`+
		`"type":"message","role":"assistant","model":"claude-haiku-4-5","stop_reason":"tool_use","content":[{"type":"text","text":"x"}],`+
		`"usage":{"input_tokens":1000000,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":0}}}`+"\n", n, n, n)
}

func appendRow(t *testing.T, path string, n int) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	must(t, err)
	_, err = f.WriteString(responseRow(n))
	must(t, err)
	must(t, f.Close())
}

// begin starts the hook without a shell around it.
func (w *world) begin(t *testing.T, id string) *exec.Cmd {
	t.Helper()
	w.input["tool_use_id"] = id
	cmd := exec.Command(w.binary, "guard", "hook", "--harness", w.harness)
	cmd.Dir, cmd.Stdin = w.root, bytes.NewReader(w.call())
	for name, value := range w.env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	must(t, cmd.Start())
	return cmd
}

// unlimited turns every wire off, so that no call ends a count.
func (w *world) unlimited() {
	w.env["RUNAWAY_GUARD_CAP_USD"], w.env["RUNAWAY_GUARD_LOOP_REPEATS"], w.env["RUNAWAY_GUARD_FAILURE_STREAK"] = "0", "0", "0"
}

// TestParallelCallsLoseNoCount: 100 calls of one session at once. A call that
// takes 2 seconds may have given up waiting for the lock; every other counts.
func TestParallelCallsLoseNoCount(t *testing.T) {
	const calls, responses = 100, 150
	w := newWorld(t, "claude-code")
	w.unlimited()
	for n := range responses {
		appendRow(t, w.transcript, n)
	}
	took := make(chan time.Duration, calls)
	for n := range calls {
		cmd, began := w.begin(t, fmt.Sprint("toolu_", n)), time.Now()
		go func() {
			if err := cmd.Wait(); err != nil {
				t.Error(err)
			}
			took <- time.Since(began)
		}()
	}
	sure := 0
	for range calls {
		if <-took < lockWait {
			sure++
		}
	}
	s, err := w.saved()
	must(t, err)
	if got := sameCalls(t, s); got < sure || got > calls || got == 0 {
		t.Errorf("%d calls counted, %d of %d got the lock in time", got, sure, calls)
	}
	if math.Abs(s.CostUSD-responses) > 1e-6 {
		t.Errorf("$%v counted of %d responses", s.CostUSD, responses)
	}
	t.Logf("%d of %d calls got the lock in time for certain", sure, calls)
}

// sameCalls is how often the one call came that all calls of a world are.
func sameCalls(t *testing.T, s *guard.Session) int {
	t.Helper()
	data, err := s.AppendJSON(nil)
	must(t, err)
	var saved struct {
		Agents map[string]struct{ Counts [][2]any }
	}
	must(t, json.Unmarshal(data, &saved))
	if len(saved.Agents["main"].Counts) != 1 {
		t.Fatalf("counts %s", data)
	}
	return int(saved.Agents["main"].Counts[0][1].(float64))
}

// TestKilledAtAnyInstant: the hook is killed at random instants of its life
// while the transcript grows. Whatever the instant, the state loads, no response
// counts twice, and at the end none is lost.
func TestKilledAtAnyInstant(t *testing.T) {
	kills := 30
	if os.Getenv("CHECKREIN_LONG") != "" {
		kills = 1000
	}
	w := newWorld(t, "claude-code")
	w.unlimited()
	life := w.lifetime(t)
	killed, rows := 0, 5
	for n := 0; killed < kills; n++ {
		if n > 20*kills {
			t.Fatalf("only %d of %d calls were killed while they ran", killed, n)
		}
		appendRow(t, w.transcript, rows)
		rows++
		cmd := w.begin(t, fmt.Sprint("toolu_kill_", n))
		time.Sleep(rand.N(life))
		_ = cmd.Process.Signal(syscall.SIGKILL)
		_ = cmd.Wait()
		if !cmd.ProcessState.Exited() {
			killed++
		}
		s, err := w.saved()
		must(t, err)
		if s.CostUSD > float64(rows)+1e-6 {
			t.Fatalf("round %d: $%v counted of %d responses", n, s.CostUSD, rows)
		}
	}
	w.input["hook_event_name"] = "Stop"
	must(t, w.begin(t, "").Wait())
	s, err := w.saved()
	must(t, err)
	if math.Abs(s.CostUSD-float64(rows)) > 1e-6 {
		t.Errorf("$%v counted of %d responses", s.CostUSD, rows)
	}
	// A file that is written over has a spare one: the state, the shared list, the
	// ledger and what the session paid.
	if leftovers, _ := filepath.Glob(filepath.Join(w.state, "*.tmp")); len(leftovers) > 4 {
		t.Errorf("left behind: %v", leftovers)
	}
	t.Logf("killed %d calls of %d", killed, rows-5)
}

// lifetime is how long a call takes here: the third longest of five, each of
// which counts a response.
func (w *world) lifetime(t *testing.T) time.Duration {
	t.Helper()
	var took []time.Duration
	for n := range 5 {
		appendRow(t, w.transcript, n)
		began := time.Now()
		must(t, w.begin(t, fmt.Sprint("toolu_life_", n)).Wait())
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	return took[2]
}

// TestALockThatIsHeld: the call goes through after 2 seconds, uncounted; the
// next one counts.
func TestALockThatIsHeld(t *testing.T) {
	for _, c := range []struct {
		lock    string
		counted bool
	}{{"sess-1.lock", false}, {"counted-ids.bin.lock", true}} {
		t.Run(c.lock, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "claude-code")
			appendRow(t, w.transcript, 1)
			appendRow(t, w.transcript, 2)
			f, err := os.OpenFile(w.file(t, c.lock), os.O_CREATE|os.O_RDWR, 0o600)
			must(t, err)
			defer f.Close()
			must(t, syscall.Flock(int(f.Fd()), syscall.LOCK_EX))
			began := time.Now()
			w.installed(t).mustPass(t)
			if waited := time.Since(began); waited < lockWait {
				t.Errorf("it waited %v", waited)
			}
			if s, _ := w.saved(); (s != nil) != c.counted {
				t.Errorf("counted: %t", s != nil)
			}
			must(t, f.Close())
			w.input["tool_use_id"] = "toolu_2"
			w.installed(t).mustPass(t)
			w.mustSave(t)
		})
	}
}
