package install

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"checkrein/internal/harness"
)

func TestCap(t *testing.T) {
	const user = ".local/state/runaway-guard/runaway-guard.json"
	cases := []struct {
		name, before string
		request      Request
		env          string
		file, want   string // relative to home; "" = no file
		inForce      float64
		note         string
	}{
		{name: "new file", request: Request{Cap: usd(20)}, file: user, want: "{\n  \"spend_cap_usd\": 20\n}\n", inForce: 20},
		{
			name: "other bytes stay", before: "{\t\"warn_at\" : 0.5,\n \"spend_cap_usd\": 3}", request: Request{Cap: usd(2.5)},
			file: user, want: "{\t\"warn_at\" : 0.5,\n \"spend_cap_usd\": 2.5}", inForce: 2.5,
		},
		{name: "off", request: Request{Cap: usd(0)}, file: user, want: "{\n  \"spend_cap_usd\": 0\n}\n", inForce: 0},
		{
			name: "the environment wins", request: Request{Cap: usd(20)}, env: "7", file: user, want: "{\n  \"spend_cap_usd\": 20\n}\n",
			inForce: 7, note: "stays $7.00: RUNAWAY_GUARD_CAP_USD is set",
		},
		{
			name: "a project only tightens", request: Request{Cap: usd(50), Scope: Project}, file: "../project/.claude/runaway-guard.json",
			want: "{\n  \"spend_cap_usd\": 50\n}\n", inForce: 10, note: "stays $10.00: that is the default",
		},
		{
			name: "a project tightens", request: Request{Cap: usd(4), Scope: Project, Harness: harness.Codex},
			file: "../project/.codex/runaway-guard.json", want: "{\n  \"spend_cap_usd\": 4\n}\n", inForce: 4,
		},
		{
			name: "a project can't turn it off", request: Request{Cap: usd(0), Scope: Project}, before: `{"spend_cap_usd": 6}`,
			file: "../project/.claude/runaway-guard.json", want: "{\n  \"spend_cap_usd\": 0\n}\n", inForce: 6, note: "stays $6.00: your own file",
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			b := newBox(t)
			b.env["RUNAWAY_GUARD_CAP_USD"] = c.env
			if c.before != "" {
				b.save(user, c.before)
			}
			p := b.install(c.request)
			if diff := cmp.Diff(c.want, b.text(c.file)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.file, diff)
			}
			if p.Limits.SpendCapUSD != c.inForce {
				t.Errorf("in force: %v", p.Limits.SpendCapUSD)
			}
			if notes := strings.Join(p.Notes, "\n"); !strings.Contains(notes, c.note) || c.note == "" && strings.Contains(notes, "stays $") {
				t.Errorf("notes: %s", notes)
			}
			if again := b.plan(c.request); again.Changed() {
				t.Error("a second install changes something")
			}
		})
	}
}

// TestProjectWithOneLimitsFile: the guard reads one of two files; install
// changes that one.
func TestProjectWithOneLimitsFile(t *testing.T) {
	b := newBox(t)
	b.save("../project/.claude/runaway-guard.json", "{}")
	b.install(Request{Harness: harness.Codex, Scope: Project, Cap: usd(3)})
	if !b.missing("../project/.codex/runaway-guard.json") || !strings.Contains(b.text("../project/.claude/runaway-guard.json"), "3") {
		t.Error("the other file was written")
	}
}
