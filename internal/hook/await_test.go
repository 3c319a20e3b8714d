package hook

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// batchOf is the end of a batch of one call.
func (w *world) batchOf(id string) answer {
	w.t.Helper()
	calls := json.RawMessage(`[{"tool_name":"Bash","tool_use_id":"` + id + `","tool_response":"x"}]`)
	return w.call("", "null", "hook_event_name", "PostToolBatch", "tool_calls", calls)
}

// TestALateTranscriptIsAwaited near a cap: the response whose calls have ended may be
// the one that passes it.
func TestALateTranscriptIsAwaited(t *testing.T) {
	for name, c := range map[string]struct {
		spent float64
		comes int // with which glance the response is there; 0 for never
		slept int
		ends  bool
	}{
		"it comes":    {spent: 6, comes: 3, slept: 3, ends: true},
		"it never":    {spent: 6, slept: int(lateness / glance)},
		"far from it": {spent: 4, comes: 3},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.spend(c.spent)
			w.edit()
			slept := 0
			w.sleep = func(time.Duration) {
				if slept++; slept == c.comes {
					w.append(responseRow("msg_late_with_toolu_9", "claude-haiku-4-5", 5))
				}
			}
			if a := w.batchOf("toolu_9"); a.Ends != c.ends {
				t.Errorf("%+v", a)
			}
			if slept != c.slept {
				t.Errorf("it looked %d times, want %d", slept, c.slept)
			}
		})
	}
}

// TestNoTranscriptIsAwaited where there is none, or where it has the call.
func TestNoTranscriptIsAwaited(t *testing.T) {
	w := newWorld(t)
	w.sleep = func(time.Duration) { t.Error("it waits") }
	w.spend(6)
	w.edit()
	w.append(responseRow("msg_with_toolu_9", "claude-haiku-4-5", 1))
	w.batchOf("toolu_9")
	w.input["transcript_path"] = w.root + "/none.jsonl"
	w.input["session_id"] = "sess-2"
	w.env["RUNAWAY_GUARD_CAP_USD"] = "0.000001"
	w.batchOf("toolu_8")
}

// A session that has two files waits once, and each look reads only what came.
func TestTheFilesOfASessionAreAwaitedTogether(t *testing.T) {
	w := newWorld(t)
	w.spend(6)
	w.edit()
	w.transcript += ".moved.jsonl"
	w.input["transcript_path"] = w.transcript
	w.append()
	w.edit()
	slept := 0
	w.sleep = func(time.Duration) { slept++ }
	w.batchOf("toolu_9")
	if want := int(lateness / glance); slept != want {
		t.Errorf("it looked %d times, want %d", slept, want)
	}
}

// A new subagent's transcript came 100 ms after its first calls had ended, so one
// more request was sent past the cap.
func TestASubagentsFirstTranscriptIsAwaited(t *testing.T) {
	w := newWorld(t)
	w.spend(6)
	w.edit()
	dir := strings.TrimSuffix(w.transcript, ".jsonl") + "/subagents"
	slept := 0
	w.sleep = func(time.Duration) {
		if slept++; slept != 20 {
			return
		}
		makeFolder(t, dir)
		w.transcript = dir + "/agent-ab.jsonl"
		w.append(responseRow("msg_late_with_toolu_9", "claude-haiku-4-5", 5))
	}
	w.input["agent_id"] = "ab"
	if a := w.batchOf("toolu_9"); !a.Ends || slept != 20 {
		t.Errorf("after %d looks: %+v", slept, a)
	}
}
