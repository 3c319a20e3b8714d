package demo

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// standIn is a scripted program in an agent's place: it knows each task by its
// subject, makes an edit, and prints what that agent would print.
type standIn struct {
	program, version string
	edits            map[string]edit // by a commit's subject
	output           string          // shell commands that print the run's output
}

type edit struct{ path, text string }

// standIns miss one task each, so that the scoreboard has something to show and
// says nothing about the real agents. What they report is in each one's own
// format: Claude Code tells dollars, Codex tells tokens.
func standIns() []standIn {
	return []standIn{
		{
			program: "claude", version: "2.1.332 (Claude Code, stand-in)",
			edits: map[string]edit{
				"Add up all prices":          {"src/total.sh", totalFixed},
				"Refuse a negative quantity": {"src/quantity.sh", quantityFixed},
				"Take a tenth off":           {"src/discount.sh", discountWrong},
			},
			output: `echo '{"type":"assistant","message":{"id":"m1","model":"claude-opus-5-5","usage":{"input_tokens":2000,"output_tokens":900}}}'
echo '{"type":"result","subtype":"success","is_error":false,"num_turns":4,"result":"Done.","total_cost_usd":0.40,"modelUsage":{"claude-opus-5-5":{"inputTokens":2000,"outputTokens":900,"cacheReadInputTokens":1900000,"cacheCreationInputTokens":0,"costUSD":0.40}}}'`,
		},
		{
			program: "codex", version: "codex-cli 0.171.0 (stand-in)",
			edits: map[string]edit{
				"Add up all prices":          {"src/total.sh", totalFixed},
				"Refuse a negative quantity": {"src/quantity.sh", quantityWrong},
				"Take a tenth off":           {"src/discount.sh", discountFixed},
			},
			output: `echo '{"type":"thread.started","thread_id":"t1"}'
echo '{"type":"item.completed","item":{"id":"i1","type":"agent_message","text":"Done."}}'
echo '{"type":"turn.completed","usage":{"input_tokens":1040000,"cached_input_tokens":1000000,"output_tokens":0,"reasoning_output_tokens":0}}'`,
		},
	}
}

func makeStandIns(root string) error {
	for _, s := range standIns() {
		if err := writeFile(filepath.Join(root, "bin", s.program), s.script(), 0o755); err != nil {
			return err
		}
	}
	return writeFile(filepath.Join(root, "home", ".codex", "config.toml"), "model = \"gpt-6-sol\"\n", 0o600)
}

func (s standIn) script() string {
	var b strings.Builder
	fmt.Fprintf(&b, "#!/bin/sh\nif [ \"$1\" = --version ]; then echo '%s'; exit 0; fi\ncase \"$*\" in\n", s.version)
	for subject, e := range s.edits {
		fmt.Fprintf(&b, "*'%s'*) cat > %s <<'END'\n%sEND\n;;\nesac\ncase \"$*\" in\n", subject, e.path, e.text)
	}
	fmt.Fprintf(&b, "*) ;;\nesac\n%s\n", s.output)
	return b.String()
}

// standInEnviron puts the stand-ins first on PATH and the demo's own folders in
// the place of the user's, whose agents and settings have no part in it.
func standInEnviron(root string, environ []string) []string {
	home := filepath.Join(root, "home")
	path := filepath.Join(root, "bin")
	var out []string
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		switch {
		case name == "PATH":
			path += string(os.PathListSeparator) + value
		case name == "HOME", strings.HasPrefix(name, "XDG_"), strings.HasPrefix(name, "GIT_"), strings.HasPrefix(name, "RUNAWAY_"),
			strings.HasPrefix(name, "CODEX"), strings.HasPrefix(name, "CLAUDE"), strings.HasPrefix(name, "ANTHROPIC_"),
			strings.HasPrefix(name, "OPENAI_"):
		default:
			out = append(out, entry)
		}
	}
	return append(out, "PATH="+path, "HOME="+home, "NO_COLOR=1")
}
