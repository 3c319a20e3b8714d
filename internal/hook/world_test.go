package hook

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"checkrein/internal/guard"
	"checkrein/internal/state"
)

// world is one session and the state folder of the machine it runs on.
type world struct {
	t          *testing.T
	root       string
	transcript string
	env        map[string]string
	now        time.Time
	input      map[string]any // members of every call
	args       []string
	sleep      func(time.Duration)
	calls      int
	responses  int
	agents     int // above the hook
}

func newWorld(t *testing.T) *world {
	t.Helper()
	root := t.TempDir()
	w := &world{
		t: t, root: root, transcript: filepath.Join(root, "sess-1.jsonl"),
		env: map[string]string{"HOME": root, "XDG_STATE_HOME": filepath.Join(root, "xdg")},
		now: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC), args: []string{"--harness", "claude-code"},
	}
	w.input = map[string]any{
		"session_id": "sess-1", "transcript_path": w.transcript, "cwd": root, "prompt_id": "p1",
		"hook_event_name": "PreToolUse",
	}
	w.append()
	return w
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// install leaves the record of an install, after all rows so far were written.
func (w *world) install() {
	w.t.Helper()
	record := filepath.Join(w.store().Dir, "installs", "1.json")
	makeFolder(w.t, filepath.Dir(record))
	w.must(os.WriteFile(record, []byte("{}"), 0o600))
	after := time.Date(2026, 11, 30, 12, 0, 1, 0, time.UTC)
	w.must(os.Chtimes(record, after, after))
}

// append adds rows to the transcript.
func (w *world) append(rows ...string) {
	w.t.Helper()
	f, err := os.OpenFile(w.transcript, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	w.must(err)
	for _, row := range rows {
		_, err = f.WriteString(row + "\n")
		w.must(err)
	}
	w.must(f.Close())
}

// spend adds a response of so many dollars, and the start of one more, without
// which the newest is not counted.
func (w *world) spend(usd float64) {
	w.t.Helper()
	w.responses++
	w.append(responseRow(fmt.Sprint("msg_", w.responses), "claude-haiku-4-5", usd), closing(w.responses))
}

// responseRow is a response by a model at a dollar per million tokens of input.
func responseRow(id, model string, usd float64) string {
	return fmt.Sprintf(`{"type":"assistant","timestamp":"2026-11-30T12:00:00.000Z","message":{"id":%q,"type":"message","role":"assistant",`+
		`"model":%q,"stop_reason":"end_turn","content":[{"type":"text","text":"x"}],"usage":{"input_tokens":%d,"output_tokens":0}}}`, id, model, int(usd*1e6))
}

// fail adds a tool call that failed.
func (w *world) fail() {
	w.t.Helper()
	w.responses++
	w.append(fmt.Sprintf(`{"type":"assistant","timestamp":"2026-11-30T12:00:00.000Z","message":{"id":"msg_%d","role":"assistant","model":"claude-haiku-4-5",`+
		`"stop_reason":"tool_use","content":[{"type":"tool_use","id":"toolu_f%d","name":"Bash","input":{"command":"false"}}],`+
		`"usage":{"input_tokens":1,"output_tokens":0}}}`, w.responses, w.responses),
		fmt.Sprintf(`{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_f%d","is_error":true,"content":"Exit code 1"}]}}`, w.responses))
}

// raw is the input of one more call, with members changed.
func (w *world) raw(tool, input string, members ...any) []byte {
	w.t.Helper()
	w.calls++
	all := map[string]any{"tool_name": tool, "tool_input": json.RawMessage(input), "tool_use_id": fmt.Sprint("toolu_", w.calls)}
	for name, value := range w.input {
		all[name] = value
	}
	for i := 0; i < len(members); i += 2 {
		all[members[i].(string)] = members[i+1]
	}
	data, err := json.Marshal(all)
	w.must(err)
	return data
}

func (w *world) environment() Env {
	return Env{
		Getenv: func(name string) string { return w.env[name] }, Now: func() time.Time { return w.now },
		Program: "checkrein", Sleep: w.sleep, Agents: func() int { return w.agents },
	}
}

// run is what the hook prints for an input.
func (w *world) run(raw []byte) string {
	w.t.Helper()
	var out bytes.Buffer
	Run(w.args, bytes.NewReader(raw), &out, w.environment())
	return out.String()
}

// answer is the hook's output, taken apart.
type answer struct {
	Decision, Reason, Message, Stop string
	Ends                            bool
}

// call runs the hook for one more tool call.
func (w *world) call(tool, input string, members ...any) answer {
	w.t.Helper()
	return parse(w.t, w.run(w.raw(tool, input, members...)))
}

// edit is a call that is like no other.
func (w *world) edit(members ...any) answer {
	w.t.Helper()
	return w.call("Edit", fmt.Sprintf(`{"n":%d}`, w.calls), members...)
}

func parse(t *testing.T, out string) answer {
	t.Helper()
	if out == "" {
		return answer{}
	}
	var o struct {
		Continue      *bool
		StopReason    string
		SystemMessage string
		Specific      struct {
			HookEventName, PermissionDecision, PermissionDecisionReason string
		} `json:"hookSpecificOutput"`
	}
	d := json.NewDecoder(strings.NewReader(out))
	d.DisallowUnknownFields()
	if err := d.Decode(&o); err != nil || strings.Count(out, "\n") != 1 || !strings.HasSuffix(out, "\n") {
		t.Fatalf("output %q: %v", out, err)
	}
	if o.Specific.PermissionDecision != "" && o.Specific.HookEventName != "PreToolUse" {
		t.Errorf("the decision names the event %q", o.Specific.HookEventName)
	}
	return answer{
		o.Specific.PermissionDecision, o.Specific.PermissionDecisionReason, o.SystemMessage, o.StopReason,
		o.Continue != nil && !*o.Continue,
	}
}

func (w *world) store() state.Store {
	return state.Open(func(name string) string { return w.env[name] })
}

// saved is the session's state.
func (w *world) saved() *guard.Session {
	w.t.Helper()
	s, _, err := w.store().Load("sess-1")
	w.must(err)
	if s == nil {
		w.t.Fatal("no state was saved")
	}
	return s
}

func (w *world) spent(want float64) {
	w.t.Helper()
	if got := w.saved().CostUSD; got < want-1e-6 || got > want+1e-6 {
		w.t.Errorf("$%v counted, want $%v", got, want)
	}
}

func has(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q does not say %q", text, part)
		}
	}
}

// closing is a response that costs nothing.
func closing(n int) string { return responseRow(fmt.Sprint("msg_closing_", n), "claude-haiku-4-5", 0) }

func makeFolder(t *testing.T, dir string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
}
