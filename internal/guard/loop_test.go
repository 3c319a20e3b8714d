package guard

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"checkrein/internal/harness"
)

// call is a tool and its input; short names are made as the harnesses make them.
type call [2]string

func (c call) repeats(a *agent) int {
	short := strings.ToLower(c[0][strings.LastIndex(c[0], "__")+1:])
	call := harness.Call{Tool: c[0], Short: strings.TrimPrefix(short, "_"), Input: []byte(c[1])}
	return a.repeats(call, traitsOf(call, false), fingerprint(call.Tool, call.Input))
}

func bash(command string) call { return call{"Bash", fmt.Sprintf(`{"command":%q}`, command)} }

func TestRepeats(t *testing.T) {
	a, b, edit := bash("go test"), bash("ls"), call{"Edit", `{"file_path":"x"}`}
	read, grep := call{"Read", `{"file_path":"x"}`}, call{"Grep", `{"pattern":"x"}`}
	for _, c := range []struct {
		name  string
		calls []call
		want  []int
	}{
		{"the same call counts up", []call{a, a, a, a}, []int{1, 2, 3, 4}},
		{"another call ends the run", []call{a, a, edit, a}, []int{1, 2, 1, 1}},
		{"alternating calls end each other's runs", []call{a, b, a, b, a, b}, []int{1, 1, 1, 1, 1, 1}},
		{"reads in between change nothing", []call{a, read, a, grep, read, a}, []int{1, 1, 2, 1, 1, 3}},
		{"a read's own repeats count", []call{read, read, read}, []int{1, 2, 3}},
		{"two reads taking turns count on", []call{read, grep, read, grep}, []int{1, 1, 2, 2}},
		{"an edit ends the runs of reads", []call{read, read, edit, read}, []int{1, 2, 1, 1}},
		{"the same edit is a run", []call{edit, edit, edit}, []int{1, 2, 3}},
		{"every read-only tool lets runs go on", []call{
			a,
			{"Read", "{}"},
			{"Grep", "{}"},
			{"Glob", "{}"},
			{"LS", "{}"},
			{"NotebookRead", "{}"},
			{"WebFetch", "{}"},
			{"WebSearch", "{}"},
			{"ToolSearch", "{}"},
			a,
		}, []int{1, 1, 1, 1, 1, 1, 1, 1, 1, 2}},
		{"a read-only name must match exactly", []call{a, {"read", "{}"}, a, {"mcp__x__Read", "{}"}, a}, []int{1, 1, 1, 1, 1}},
		{"a deliberate call ends runs and never counts", []call{a, a, {"Agent", "{}"}, {"Agent", "{}"}, a}, []int{1, 2, 0, 0, 1}},
		{"a poll ends runs and never counts", []call{a, a, bash("sleep 5"), bash("sleep 5"), a}, []int{1, 2, 0, 0, 1}},
		{"a browser step ends runs and never counts", []call{
			{"mcp__b__computer", `{"action":"click"}`},
			{"mcp__b__computer", `{"action":"scroll"}`},
			{"mcp__b__computer", `{"action":"click"}`},
		}, []int{1, 0, 1}},
		{"a shell call's label and blanks don't count", []call{
			{"Bash", `{"command":"go  test","description":"one"}`},
			{"Bash", `{"command":" go test\n","description":"two"}`},
			{"Bash", `{"command":"go test"}`},
		}, []int{1, 2, 3}},
		{"other tools' labels and blanks count", []call{
			{"X", `{"command":"a  b"}`},
			{"X", `{"command":"a b"}`},
			{"X", `{"command":"a b","description":"x"}`},
		}, []int{1, 1, 1}},
		{"no input at all", []call{{"X", ""}, {"X", ""}, {"Y", ""}}, []int{1, 2, 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, got := new(agent), []int(nil)
			for _, call := range c.calls {
				got = append(got, call.repeats(a))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("counts (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCallsThatNeverCount(t *testing.T) {
	for _, c := range []call{
		{"Agent", `{}`},
		{"Task", `{}`},
		{"spawn_agent", `{}`},
		{"followup_task", `{}`},
		{"send_message", `{}`},
		{"SendMessage", `{}`},
		{"wait", `{}`},
		{"wait_agent", `{}`},
		{"sleep", `{}`},
		{"TaskOutput", `{}`},
		{"BashOutput", `{}`},
		{"Monitor", `{}`},
		{"ScheduleWakeup", `{}`},
		{"list_agents", `{}`},
		{"ListAgents", `{}`},
		{"AskUserQuestion", `{}`},
		{"ExitPlanMode", `{}`},
		{"request_user_input", `{}`},
		{"request_user_input_async", `{}`},
		{"mcp__browser__press_key", `{"key":"Down"}`},
		{"mcp__browser__browser_press_key", `{}`},
		{"mcp__codex__spawn_agent", `{}`},
		{"computer", `{"action":"scroll"}`},
		{"computer", `{"action":"key"}`},
		{"computer", `{"action":"press_key"}`},
		{"computer", `{"action":"WAIT"}`},
		bash("sleep 30"),
		bash("gh run list; sleep 30"),
		bash("wait"),
		bash("wait $!"),
		bash("./wait-for-it.sh"),
		bash("npm run build && wait"),
		bash("x;sleep\t1"),
		bash("日本 sleep 1"),
		{"exec_command", `{"cmd":"sleep 1"}`},
		{"shell", `{"command":"sleep 1"}`},
		{"shell_command", `{"command":"sleep 1"}`},
		{"local_shell", `{"command":"sleep 1"}`},
	} {
		if got := c.repeats(new(agent)); got != 0 {
			t.Errorf("%s %s counts %d", c[0], c[1], got)
		}
	}
}

func TestCallsThatCountThoughTheyLookLikeWaits(t *testing.T) {
	for _, c := range []call{
		bash("sleeping"),
		bash("await foo"),
		bash("sleep_now"),
		bash("waits"),
		bash("presleep"),
		bash("sleep2"),
		bash("SLEEP 5"),
		bash("sleepé"),
		{"Bash", `{"command":["sleep","5"]}`},
		{"Bash", `{"command":null,"cmd":"sleep 5"}`},
		{"Bash", `{"description":"sleep"}`},
		{"Write", `{"command":"sleep 5"}`},
		{"mcp__x__Bash", `{"command":"sleep 5"}`},
		{"computer", `{"action":"click"}`},
		{"computer", `{"action":["scroll"]}`},
		{"computer", `{"Action":"scroll"}`},
		{"computer", `["action","scroll"]`},
		{"keypress", `{}`},
		{"press_keys", `{}`},
		{"TaskStop", `{}`},
	} {
		if got := c.repeats(new(agent)); got != 1 {
			t.Errorf("%s %s counts %d, want 1", c[0], c[1], got)
		}
	}
}

func TestAnAgentKeeps64Fingerprints(t *testing.T) {
	a := new(agent)
	read := func(n int) int { return call{"Read", fmt.Sprintf(`{"file_path":"%d"}`, n)}.repeats(a) }
	for n := range 65 {
		read(n)
	}
	if len(a.Counts) != maxCounts {
		t.Errorf("%d fingerprints kept", len(a.Counts))
	}
	if got := read(0); got != 1 {
		t.Errorf("the oldest of 65 was kept: count %d", got)
	}
	if got := read(64); got != 2 {
		t.Errorf("the newest of 65 was dropped: count %d", got)
	}
}

func TestTheSessionKeeps100Agents(t *testing.T) {
	var all agents
	for n := range 101 {
		all.use(fmt.Sprint(n)).Prompt = "p"
	}
	all.use("1")
	all.use("new")
	if len(all) != maxAgents {
		t.Errorf("%d agents kept", len(all))
	}
	for key, kept := range map[string]bool{"0": false, "1": true, "2": false, "3": true, "100": true, "new": true} {
		if (all.find(key) != nil) != kept {
			t.Errorf("agent %s kept: %t", key, !kept)
		}
	}
}
