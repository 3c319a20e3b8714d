package hook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"checkrein/internal/guard"
)

func TestAQuietSessionIsNeverTouched(t *testing.T) {
	w := newWorld(t)
	for range 20 {
		w.spend(0.1)
		if got := w.edit(); got != (answer{}) {
			t.Fatalf("answer %+v", got)
		}
	}
	w.spent(2)
	if n := w.store().ErrorsLogged(); n != 0 {
		t.Errorf("%d errors logged", n)
	}
}

func TestTheCapEndsTheTurn(t *testing.T) {
	w := newWorld(t)
	w.spend(9.99)
	if got := w.edit(); got.Decision != "" || got.Message == "" {
		t.Errorf("below the cap, above the warning: %+v", got)
	}
	w.spend(0.03)
	got := w.edit()
	if got.Decision != "deny" || !got.Ends || got.Stop == "" || got.Stop != got.Message {
		t.Errorf("at the cap: %+v", got)
	}
	has(t, got.Reason, "$10.02", "$10.00", "checkrein guard allow --session sess-1", "checkrein guard reset --session sess-1", "xdg/runaway-guard/runaway-guard.json")
	has(t, got.Stop, "$10.02", "$10.00", "checkrein guard allow")
	for _, tool := range []string{"TaskStop", "KillShell", "KillBash", "StructuredOutput"} {
		if got := w.call(tool, `{}`); got.Decision != "" {
			t.Errorf("%s: %+v", tool, got)
		}
	}
}

func TestCodexIsDeniedWithAReasonOnly(t *testing.T) {
	w := newWorld(t)
	w.args, w.env["RUNAWAY_GUARD_CAP_USD"] = []string{"--harness", "codex"}, "1"
	delete(w.input, "prompt_id")
	w.input["turn_id"] = "t1"
	w.transcript = filepath.Join(w.root, "rollout-1.jsonl")
	w.input["transcript_path"] = w.transcript
	w.append(`{"timestamp":"2026-11-30T12:00:00Z","type":"session_meta","payload":{"id":"sess-1","session_id":"sess-1","timestamp":"2026-11-30T12:00:00Z"}}`)
	if got := w.edit("model", "gpt-5.5"); got != (answer{}) {
		t.Fatalf("nothing spent: %+v", got)
	}
	w.append(`{"timestamp":"2026-11-30T12:00:01Z","type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":180000,"cached_input_tokens":0,"output_tokens":0,"total_tokens":180000},"last_token_usage":{"input_tokens":180000,"cached_input_tokens":0,"output_tokens":0,"total_tokens":180000}}}}`,
		`{"timestamp":"2026-11-30T12:00:02Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[]}}`)
	warned := w.edit("model", "gpt-5.5")
	if warned.Decision != "" || warned.Message == "" {
		t.Errorf("at 90 %%: %+v, spent $%v", warned, w.saved().CostUSD)
	}
	w.append(`{"timestamp":"2026-11-30T12:00:03Z","type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":220000,"cached_input_tokens":0,"output_tokens":0,"total_tokens":220000},"last_token_usage":{"input_tokens":40000,"cached_input_tokens":0,"output_tokens":0,"total_tokens":40000}}}}`,
		`{"timestamp":"2026-11-30T12:00:04Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[]}}`)
	got := w.edit("model", "gpt-5.5")
	if got.Decision != "deny" || got.Ends || got.Message != "" || got.Stop != "" {
		t.Errorf("at the cap: %+v, spent $%v", got, w.saved().CostUSD)
	}
}

func TestTheThirdIdenticalCallIsBlocked(t *testing.T) {
	for _, harness := range []string{"claude-code", "codex"} {
		w := newWorld(t)
		w.args = []string{"--harness=" + harness}
		for n := 1; n <= 3; n++ {
			got := w.call("Bash", `{"command":"go test"}`)
			if blocked := got.Decision == "deny"; blocked != (n == 3) || got.Ends {
				t.Errorf("%s, call %d: %+v", harness, n, got)
			}
		}
		if w.call("Bash", `{"command":"ls"}`).Decision != "" || w.call("Bash", `{"command":"go test"}`).Decision != "" {
			t.Errorf("%s: after another call it stays blocked", harness)
		}
	}
}

func TestFiveFailuresAskOnce(t *testing.T) {
	for args, want := range map[string]string{"claude-code": "ask", "codex": ""} {
		w := newWorld(t)
		w.args = []string{"--harness", args}
		for range 5 {
			w.fail()
		}
		w.append(closing(0))
		got := w.edit()
		if got.Decision != want {
			t.Errorf("%s: %+v", args, got)
		}
		if want != "" {
			has(t, got.Reason, "5 tool calls", "Edit")
		}
		if again := w.edit(); again != (answer{}) {
			t.Errorf("%s asked again: %+v", args, again)
		}
	}
}

// TestACallThatTwoEntriesSend gets one answer and counts once.
func TestACallThatTwoEntriesSend(t *testing.T) {
	w := newWorld(t)
	w.spend(9)
	for n := 1; n <= 3; n++ {
		raw := w.raw("Bash", `{"command":"same"}`)
		first, second := w.run(raw), w.run(raw)
		if first != second {
			t.Errorf("call %d: %q, then %q", n, first, second)
		}
		if blocked := strings.Contains(first, `"deny"`); blocked != (n == 3) {
			t.Errorf("call %d: %q", n, first)
		}
	}
	s := w.saved()
	if s.Counts[guard.WireLoop] != 1 || s.Counts[guard.WireWarning] != 1 || len(s.DeniedIDs) != 1 {
		t.Errorf("counts %v, denied %v", s.Counts, s.DeniedIDs)
	}
	w.now = w.now.Add(2 * time.Minute) // an id that comes again much later is another call
	if got := w.call("Bash", `{"command":"same"}`, "tool_use_id", "toolu_1"); got.Decision != "deny" {
		t.Errorf("two minutes later: %+v", got)
	}
	if n := w.saved().Counts[guard.WireLoop]; n != 2 {
		t.Errorf("counted %d", n)
	}
}

// TestTheLastResponseIsCountedAtTheEnd: before that it may still be being written.
func TestTheLastResponseIsCountedAtTheEnd(t *testing.T) {
	for _, event := range []string{"Stop", "SessionEnd"} {
		w := newWorld(t)
		w.spend(1)
		w.append(unended(responseRow("msg_last", "claude-haiku-4-5", 2)))
		w.edit()
		w.spent(1)
		if out := w.run(w.raw("", `null`, "hook_event_name", event)); out != "" {
			t.Errorf("%s is answered: %q", event, out)
		}
		w.spent(3)
		w.edit()
		w.spent(3)
	}
}

// T4: subagents, and workflows' agents one folder deeper, count with their session.
func TestASubagentsSpendCounts(t *testing.T) {
	w := newWorld(t)
	w.install()
	sub := filepath.Join(strings.TrimSuffix(w.transcript, ".jsonl"), "subagents")
	w.must(os.MkdirAll(filepath.Join(sub, "workflows", "w1"), 0o755))
	for name, usd := range map[string]float64{"agent-a.jsonl": 4, "workflows/w1/agent-b.jsonl": 7, "other.jsonl": 100} {
		w.must(os.WriteFile(filepath.Join(sub, name), []byte(responseRow("msg_"+name, "claude-haiku-4-5", usd)+"\n"+closing(9)+"\n"), 0o600))
	}
	w.edit()
	w.spent(11)
	if got := w.edit("agent_id", "a"); got != (answer{}) && got.Decision != "" {
		t.Errorf("the session met over its cap is counted from here: %+v", got)
	}
}

func TestASessionMetOverItsCapStartsFromZero(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.spend(25)
	first := w.edit()
	if first.Decision != "" {
		t.Fatalf("the first check blocks: %+v", first)
	}
	has(t, first.Message, "$25.00", "$10.00")
	if got := w.edit(); got != (answer{}) {
		t.Errorf("the second check: %+v", got)
	}
	w.spend(10)
	if got := w.edit(); got.Decision != "deny" {
		t.Errorf("ten dollars later: %+v", got)
	}
}

// A fork's transcript is not there yet when its first prompt's hook runs (Claude
// Code 2.1.332). What it then starts with, of a session that the guard never
// counted, was taken for spending of its own, and the first call was blocked.
func TestAForkOfAnUncountedSessionStartsFromZero(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.now = time.Date(2026, 11, 30, 12, 30, 0, 0, time.UTC) // the rows are from noon
	w.run(w.raw("", `null`, "hook_event_name", "UserPromptSubmit"))
	w.spend(25)
	if got := w.edit(); got.Decision != "" || got.Message == "" {
		t.Errorf("the copy is taken for new: %+v", got)
	}
	w.spend(10)
	if got := w.edit(); got.Decision != "deny" {
		t.Errorf("ten dollars later: %+v", got)
	}
}

// Deleting the state folder is no way out of a stop: only sessions older than
// the install start from zero.
func TestADeletedStateForgivesNothing(t *testing.T) {
	w := newWorld(t)
	w.spend(1)
	w.edit()
	w.spend(25)
	if got := w.edit(); got.Decision != "deny" {
		t.Fatalf("at the cap: %+v", got)
	}
	w.must(os.RemoveAll(w.store().Dir))
	if got := w.edit(); got.Decision != "deny" {
		t.Errorf("with its state deleted: %+v", got)
	}
}

// TestALostStateIsNoFirstCheck: a corrupt file must not forgive what was spent.
func TestALostStateIsNoFirstCheck(t *testing.T) {
	w := newWorld(t)
	w.spend(25)
	w.must(w.store().Make())
	w.must(os.WriteFile(w.store().SessionFile("sess-1"), []byte(`{"version":2,"cut`), 0o600))
	if got := w.edit(); got.Decision != "deny" {
		t.Errorf("answer %+v", got)
	}
}

func TestWhatIsOldCostsNothingTwice(t *testing.T) {
	w := newWorld(t)
	w.spend(1)
	w.edit()
	whole, err := os.ReadFile(w.transcript)
	w.must(err)
	w.must(os.WriteFile(w.transcript, whole[:10], 0o600)) // replaced by a shorter one
	w.edit()
	w.must(os.WriteFile(w.transcript, whole, 0o600))
	w.edit()
	w.spent(1)
	w.must(os.Remove(w.transcript))
	w.edit()
	w.append(strings.TrimSuffix(string(whole), "\n"))
	w.spend(1)
	w.edit()
	w.spent(2)
}

// TestAResumedSessionSkipsItsCopies: its file begins with the records of the one before.
func TestAResumedSessionSkipsItsCopies(t *testing.T) {
	w := newWorld(t)
	w.spend(3)
	w.edit()
	old, err := os.ReadFile(w.transcript)
	w.must(err)
	second := *w
	second.transcript = filepath.Join(w.root, "sess-2.jsonl")
	second.append(strings.TrimSuffix(string(old), "\n"), responseRow("msg_new", "claude-haiku-4-5", 1), closing(9))
	second.edit("session_id", "sess-2", "transcript_path", second.transcript)
	s, _, err := w.store().Load("sess-2")
	w.must(err)
	if s.CostUSD != 1 {
		t.Errorf("the resumed session counts $%v, want $1", s.CostUSD)
	}
}

func TestSettingsApplyAtTheNextCall(t *testing.T) {
	w := newWorld(t)
	w.spend(5)
	w.edit()
	project := filepath.Join(w.root, "project")
	w.must(os.MkdirAll(filepath.Join(project, ".claude"), 0o755))
	w.must(os.WriteFile(filepath.Join(project, ".claude", "runaway-guard.json"), []byte(`{"spend_cap_usd": 4}`), 0o600))
	if got := w.edit(); got != (answer{}) {
		t.Errorf("without a project: %+v", got)
	}
	got := w.edit("cwd", project)
	if got.Decision != "deny" {
		t.Fatalf("the project's cap: %+v", got)
	}
	has(t, got.Reason, "$4.00", "project/.claude/runaway-guard.json")
	w.env["CLAUDE_PROJECT_DIR"] = project // it comes before the working folder
	if got := w.edit("cwd", "/"); got.Decision != "deny" {
		t.Errorf("CLAUDE_PROJECT_DIR: %+v", got)
	}
	w.env["RUNAWAY_GUARD_CAP_USD"] = "3"
	has(t, w.edit().Reason, "$3.00", "RUNAWAY_GUARD_CAP_USD")
	delete(w.env, "CLAUDE_PROJECT_DIR")
	w.env["RUNAWAY_GUARD_CAP_USD"] = "0"
	if got := w.edit(); got != (answer{}) {
		t.Errorf("the wire is off: %+v", got)
	}
}

func TestAnsweredWithoutASession(t *testing.T) {
	for name, c := range map[string]struct{ raw, want string }{
		"nothing":                  {"", ""},
		"not JSON":                 {"{", ""},
		"no event":                 {`{"session_id":"sess-1","cursor_version":"1"}`, ""},
		"no session":               {`{"hook_event_name":"PreToolUse"}`, ""},
		"Cursor":                   {`{"hook_event_name":"PreToolUse","session_id":"sess-1","cursor_version":"1.7"}`, "{}\n"},
		"Cursor without a session": {`{"hook_event_name":"PreToolUse","cursor_version":null}`, "{}\n"},
	} {
		w := newWorld(t)
		if got := w.run([]byte(c.raw)); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		if _, err := os.Stat(w.store().Dir); err == nil {
			t.Errorf("%s: the state folder was made", name)
		}
	}
}

func TestSwitchedOff(t *testing.T) {
	for value, off := range map[string]bool{
		"1": true, "true": true, "YES": true, " on ": true, "0": false, "": false, "no": false, "off": false, "2": false,
	} {
		w := newWorld(t)
		w.env["RUNAWAY_GUARD_OFF"] = value
		w.edit()
		if _, err := os.Stat(w.store().Dir); (err != nil) != off {
			t.Errorf("RUNAWAY_GUARD_OFF=%q: off %t", value, err != nil)
		}
		if got := w.run(w.raw("Edit", `{}`, "cursor_version", "1")); got != "{}\n" {
			t.Errorf("RUNAWAY_GUARD_OFF=%q: Cursor gets %q, which it may take for a block", value, got)
		}
	}
}

func TestTheHarnessIsRecognised(t *testing.T) {
	in := func(w *world) []byte {
		for range 5 {
			w.fail()
		}
		w.append(closing(0))
		return w.raw("Edit", `{}`)
	}
	w := newWorld(t)
	w.args = nil
	if got := parse(t, w.run(in(w))); got.Decision != "ask" || w.saved().Harness != "claude-code" {
		t.Errorf("Claude Code: %+v", got)
	}
	for name, change := range map[string]func(w *world){
		"turn_id": func(w *world) { w.input["turn_id"] = "t1" },
		"a rollout": func(w *world) {
			w.transcript = filepath.Join(w.root, "rollout-x.jsonl")
			w.input["transcript_path"] = w.transcript
			w.append()
		},
	} {
		w := newWorld(t)
		w.args = []string{"--bogus", "--harness", "cursor"}
		change(w)
		w.edit()
		if got := w.saved().Harness; got != "codex" {
			t.Errorf("%s: %s", name, got)
		}
	}
	w = newWorld(t)
	w.args, w.input["turn_id"] = []string{"x", "--harness", "claude-code", "||", "true"}, "t1"
	w.edit()
	if got := w.saved().Harness; got != "claude-code" {
		t.Errorf("the flag does not win: %s", got)
	}
}

func TestANewerStateIsLeftAsItIs(t *testing.T) {
	w := newWorld(t)
	w.must(w.store().Make())
	const newer = `{ "version": 3, "other": [] }`
	w.must(os.WriteFile(w.store().SessionFile("sess-1"), []byte(newer), 0o600))
	w.spend(50)
	for range 3 {
		if got := w.call("Bash", `{"command":"same"}`); got != (answer{}) {
			t.Errorf("answer %+v", got)
		}
	}
	if got, _ := os.ReadFile(w.store().SessionFile("sess-1")); string(got) != newer {
		t.Errorf("the file became %s", got)
	}
}

func TestABusySessionLetsTheCallThrough(t *testing.T) {
	w := newWorld(t)
	w.must(w.store().Make())
	lock, err := w.store().LockSession("sess-1")
	w.must(err)
	defer lock.Release()
	if got := w.edit(); got != (answer{}) {
		t.Errorf("answer %+v", got)
	}
	if _, err := os.Stat(w.store().SessionFile("sess-1")); err == nil {
		t.Error("it was counted without the lock")
	}
}

func TestAPanicIsLoggedAndLetsTheCallThrough(t *testing.T) {
	w := newWorld(t)
	env := w.environment()
	calls := 0
	env.Now = func() time.Time {
		if calls++; calls == 1 {
			panic("password=hunter2hunter2 in a bug")
		}
		return w.now
	}
	var out bytes.Buffer
	Run(nil, bytes.NewReader(w.raw("Edit", `{}`)), &out, env)
	log, err := os.ReadFile(filepath.Join(w.store().Dir, "errors.log"))
	w.must(err)
	if out.Len() != 0 || !strings.Contains(string(log), "hook_test.go:") || strings.Contains(string(log), "hunter2") {
		t.Errorf("output %q, log %q", out.String(), log)
	}
}

// TestNoInputIsTooLarge: what is not judged is still read, so that the harness
// never writes into a closed pipe.
func TestNoInputIsTooLarge(t *testing.T) {
	w := newWorld(t)
	in := &counting{r: io.LimitReader(endless{}, maxInput+1<<20)}
	var out bytes.Buffer
	Run(nil, in, &out, w.environment())
	if out.Len() > 0 || in.n != maxInput+1<<20 {
		t.Errorf("output %q, %d bytes read", out.String(), in.n)
	}
	Run(nil, iotest.ErrReader(errors.New("gone")), &out, w.environment())
	if out.Len() > 0 {
		t.Errorf("output %q of a broken pipe", out.String())
	}
}

type endless struct{}

func (endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = '['
	}
	return len(b), nil
}

type counting struct {
	r io.Reader
	n int64
}

func (c *counting) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.n += int64(n)
	return n, err
}

// TestParallelCalls: 50 calls of one session in one process, each with its own
// lock file handle, lose no count.
func TestParallelCalls(t *testing.T) {
	w := newWorld(t)
	for _, name := range []string{"CAP_USD", "LOOP_REPEATS", "FAILURE_STREAK"} {
		w.env["RUNAWAY_GUARD_"+name] = "0"
	}
	const calls = 50
	inputs := make([][]byte, calls)
	for n := range inputs {
		w.spend(1)
		inputs[n] = w.raw("Edit", fmt.Sprintf(`{"n":%d}`, n), "agent_id", fmt.Sprint("agent-", n))
	}
	var group sync.WaitGroup
	for _, in := range inputs {
		group.Go(func() { Run(w.args, bytes.NewReader(in), io.Discard, w.environment()) })
	}
	group.Wait()
	w.spent(calls)
	if got := len(w.saved().Agents); got != calls {
		t.Errorf("%d of %d calls counted", got, calls)
	}
}

// TestPythonCountsGoOn: the guard takes over a session from the Python guard in
// the middle: nothing is counted again, nothing is missed, and runs of identical
// calls go on.
func TestPythonCountsGoOn(t *testing.T) {
	for name, c := range map[string]struct {
		session, folder, main string
		members               []any
	}{
		"claude-code": {
			"23dbff23-0698-4ed8-b10b-da140d276d39", "claudecode/testdata/transcripts/full",
			"23dbff23-0698-4ed8-b10b-da140d276d39.jsonl",
			[]any{"prompt_id", "p1"},
		},
		"codex": {
			"01a22c0e-0a5c-79e1-95d4-4ebf9626975e", "codex/testdata/rollouts/subagent",
			"rollout-2026-11-30T10-44-07-01a22c0e-0a5c-79e1-95d4-4ebf9626975e.jsonl",
			[]any{"prompt_id", nil, "turn_id", "t1", "model", "gpt-5.5-codex"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.args = []string{"--harness", name}
			folder := filepath.Join(w.root, name)
			w.must(os.CopyFS(folder, os.DirFS(filepath.Join("../harness", c.folder))))
			main := filepath.Join(folder, c.main)
			whole, err := os.ReadFile(main)
			w.must(err)
			members := append([]any{"session_id", c.session, "transcript_path", main}, c.members...)

			ours := func(id string) float64 { // what we count ourselves, in a session of its own
				other := newWorld(t)
				other.args, other.now = w.args, w.now
				other.edit(append(members, "hook_event_name", "SessionEnd")...)
				s, _, err := other.store().Load(id)
				w.must(err)
				return s.CostUSD
			}
			all := ours(c.session)

			recorded, err := os.ReadFile("../state/testdata/python/" + name + ".json")
			w.must(err)
			w.must(w.store().Make())
			w.must(os.WriteFile(w.store().SessionFile(c.session),
				bytes.ReplaceAll(recorded, []byte("/home/dev/sessions"), []byte(w.root)), 0o600))
			python, _, err := w.store().Load(c.session)
			w.must(err)
			w.must(os.WriteFile(main, whole, 0o600))
			loop := w.call("Edit", `{"old_string":"a\tb","new_string":"x\u2028y 1.50","file_path":"/home/dev/project/é.go"}`, members...)
			if loop.Decision != "deny" {
				t.Errorf("the third identical call, after two that Python counted: %+v", loop)
			}
			w.edit(append(members, "hook_event_name", "SessionEnd")...)
			s, _, err := w.store().Load(c.session)
			w.must(err)
			if got := s.CostUSD; got < all-1e-9 || got > all+1e-9 || python.CostUSD <= 0 || python.CostUSD >= all {
				t.Errorf("counted on from $%v to $%v, want $%v", python.CostUSD, got, all)
			}
		})
	}
}

// FuzzRun: whatever comes in, nothing panics (a panic is logged) and what goes
// out is nothing or one JSON object.
func FuzzRun(f *testing.F) {
	for _, dir := range []string{"../harness/claudecode/testdata/hooks", "../harness/codex/testdata/hooks"} {
		paths, _ := filepath.Glob(filepath.Join(dir, "*.json"))
		for _, path := range paths {
			if data, err := os.ReadFile(path); err == nil {
				f.Add(data, "--harness="+filepath.Base(filepath.Dir(filepath.Dir(filepath.Dir(path)))))
			}
		}
	}
	f.Add([]byte(`{"hook_event_name":"PreToolUse","session_id":"../x","tool_name":"a__","tool_input":{"action":"\ud800"},"transcript_path":"/dev/zero"}`), "")
	f.Add([]byte(`{"hook_event_name":"Stop","session_id":"s","agent_id":1,"turn_id":[],"transcript_path":"rollout-\u0000"}`), "--harness")
	f.Fuzz(func(t *testing.T, raw []byte, flag string) {
		w := newWorld(t)
		w.args = []string{flag}
		for range 2 {
			if out := w.run(raw); out != "{}\n" {
				parse(t, out)
			}
		}
		log, _ := os.ReadFile(filepath.Join(w.store().Dir, "errors.log"))
		if strings.Contains(string(log), ".go:") {
			t.Fatalf("it panicked: %s", log)
		}
		entries, _ := os.ReadDir(w.root)
		for _, e := range entries {
			if e.Name() != "xdg" && e.Name() != "sess-1.jsonl" {
				t.Fatalf("it made %s", e.Name())
			}
		}
	})
}

// TestAResponseCountsWhenItsEndIsTold, though its records stay held back for the
// results of its calls: the stop comes before the next request is paid. It counts
// once.
func TestAResponseCountsWhenItsEndIsTold(t *testing.T) {
	w := newWorld(t)
	w.edit()
	dear := responseRow("msg_dear", "claude-haiku-4-5", 12)
	w.append(unended(dear))
	if a := w.edit(); a.Decision != "" {
		t.Errorf("it may still be written, yet: %+v", a)
	}
	w.append(dear)
	if a := w.call("", "null", "hook_event_name", "PostToolBatch"); !a.Ends || !strings.Contains(a.Message, "$12.00 of $10.00") {
		t.Errorf("the end of its calls: %+v", a)
	}
	w.spent(12)
	w.append(closing(1))
	w.edit("hook_event_name", "Stop")
	w.spent(12)
}

// TestTheReferenceWaitsForTheNextResponse: under its rules a response counts when
// the next one starts.
func TestTheReferenceWaitsForTheNextResponse(t *testing.T) {
	w := newWorld(t)
	w.env["RUNAWAY_GUARD_RULES"] = "reference"
	w.append(responseRow("msg_dear", "claude-haiku-4-5", 5))
	w.edit()
	w.spent(0)
}

// unended is a response's record that does not tell why it ended.
func unended(row string) string { return strings.Replace(row, `"stop_reason":"end_turn",`, "", 1) }

// TestCallsThatCouldNotRun are told at the end of their batch, before the transcript
// has what they gave.
func TestCallsThatCouldNotRun(t *testing.T) {
	w := newWorld(t)
	w.edit()
	batch := func(n int) answer {
		calls := fmt.Sprintf(`[{"tool_name":"X","tool_use_id":"x%d","tool_response":"<tool_use_error>Error: No such tool available: X</tool_use_error>"}]`, n)
		return w.call("", "null", "hook_event_name", "PostToolBatch", "tool_calls", json.RawMessage(calls))
	}
	for n := range 2 {
		if a := batch(n); a.Ends {
			t.Errorf("batch %d: %+v", n+1, a)
		}
	}
	if a := batch(1); a.Ends {
		t.Errorf("a batch that comes twice: %+v", a)
	}
	if a := batch(2); !a.Ends || !strings.Contains(a.Message, "the last 3 tool calls could not run") {
		t.Errorf("the third: %+v", a)
	}
}
