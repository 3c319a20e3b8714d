package caller_test

import (
	"strings"
	"testing"

	"checkrein/internal/caller"
	"checkrein/internal/harness/registry"
)

// chain makes processes of command lines, each below the one before; the last
// is this program, with the id it returns.
func chain(lines ...string) (caller.Processes, int) {
	return func(pid int) (caller.Process, bool) {
		if pid < 1 || pid > len(lines) {
			return caller.Process{}, false
		}
		exe, args, _ := strings.Cut(lines[pid-1], " | ")
		return caller.Process{PID: pid, Parent: pid - 1, Exe: exe, Args: strings.Fields(args)}, true
	}, len(lines)
}

const (
	shell     = "/usr/bin/bash | -bash"
	us        = "/go/bin/checkrein | checkrein guard allow"
	claude    = "/npm/node_modules/@anthropic-ai/claude-code/bin/claude.exe | /npm/node_modules/.bin/claude -p go"
	installed = "/home/me/.local/share/claude/versions/2.1.332 (deleted) | claude"
	launcher  = "/usr/bin/node | node /npm/node_modules/.bin/codex exec"
	codex     = "/npm/node_modules/@openai/codex-linux-x64/vendor/x/bin/codex | codex exec"
	sandbox   = "/npm/codex | codex-linux-sandbox --sandbox-policy-cwd /x"
	gemini    = "/usr/bin/node | node --max-old-space-size=12052 /npm/node_modules/.bin/gemini -p go"
)

func TestProcesses(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		agent string
		count int
	}{
		{"a user", []string{"/sbin/init | init", shell, us}, "", 0},
		{"Claude Code", []string{shell, claude, shell, us}, "Claude Code", 1},
		{"its own installer's", []string{shell, installed, shell, us}, "Claude Code", 1},
		{"a version for a name", []string{"/home/me/.local/share/claude/versions/2.1.332 | 2.1.332", us}, "Claude Code", 1},
		{"updated while it runs", []string{"/home/me/bin/claude (deleted) | main", us}, "Claude Code", 1},
		{"without its file", []string{" | claude", shell, us}, "Claude Code", 1},
		{"Codex and its launcher are one", []string{shell, launcher, codex, shell, us}, "Codex", 1},
		{"in Codex's sandbox it is the first process", []string{sandbox, shell, us}, "Codex", 1},
		{"Gemini CLI starts itself again", []string{gemini, gemini, shell, shell, us}, "Gemini CLI", 1},
		{"an agent in an agent", []string{claude, shell, claude, shell, us}, "Claude Code", 2},
		{"another agent in an agent", []string{claude, shell, launcher, codex, shell, us}, "Codex", 2},
		{"three", []string{claude, shell, codex, shell, gemini, shell, us}, "Gemini CLI", 3},
		{"a script's package", []string{"/usr/bin/node | node /lib/node_modules/@qwen-code/qwen-code/dist/index.js", us}, "Qwen Code", 1},
		{"this program itself is no agent", []string{shell, claude}, "", 0},
		{"a script of another name", []string{"/usr/bin/node | node /home/me/codex/build.js", us}, "", 0},
		{"a script that names an agent", []string{"/usr/bin/node | node run.js claude", us}, "", 0},
		{"an editor of an agent's file", []string{"/usr/bin/vim | vim claude", us}, "", 0},
		{"the desktop program", []string{"/Applications/Claude.app/Contents/MacOS/Claude | Claude", us}, "", 0},
		{"nothing known", []string{" | ", us}, "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			procs, pid := chain(c.lines...)
			got, inside := caller.Agent(registry.Traits(), none, procs, pid)
			if got.Agent != c.agent || inside != (c.agent != "") {
				t.Errorf("%+v, %v; want %q", got, inside, c.agent)
			}
			if inside && !strings.Contains(got.How, "process") {
				t.Errorf("it doesn't say how: %q", got.How)
			}
			if n := caller.Count(registry.Traits(), procs, pid); n != c.count {
				t.Errorf("%d agents, want %d", n, c.count)
			}
		})
	}
}

func none(string) string { return "" }

func TestVariables(t *testing.T) {
	for name, agent := range map[string]string{
		"CLAUDECODE": "Claude Code", "CLAUDE_CODE_SESSION_ID": "Claude Code", "CODEX_THREAD_ID": "Codex", "CODEX_CI": "Codex",
		"CODEX_SANDBOX": "Codex", "GEMINI_CLI": "Gemini CLI", "OPENCODE": "OpenCode", "CURSOR_AGENT": "Cursor", "AI_AGENT": "an agent",
		"CODEX_HOME": "", "CLAUDE_CONFIG_DIR": "", "CURSOR_TRACE_ID": "", "TERM": "", "CODEX_MANAGED_BY_NPM": "",
	} {
		getenv := func(n string) string {
			if n == name {
				return "1"
			}
			return ""
		}
		got, inside := caller.Agent(registry.Traits(), getenv, nil, 1)
		if got.Agent != agent || inside != (agent != "") || inside && !strings.Contains(got.How, name) {
			t.Errorf("%s: %+v, %v; want %q", name, got, inside, agent)
		}
	}
}

// TestCircle: processes that are each other's parent end the search.
func TestCircle(t *testing.T) {
	circle := func(pid int) (caller.Process, bool) {
		return caller.Process{PID: pid, Parent: 3 - pid, Args: []string{"sh"}}, true
	}
	if got, inside := caller.Agent(registry.Traits(), none, circle, 1); inside || caller.Count(registry.Traits(), circle, 1) != 0 {
		t.Errorf("%+v", got)
	}
}
