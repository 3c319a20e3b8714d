package claudecode

import (
	"math"
	"strconv"
	"strings"

	"checkrein/internal/harness"
)

// Headless is how the test drive runs Claude Code: edits in the working folder
// and the test command are allowed, whatever else would ask is denied, no MCP
// server loads, no session is saved, and it ends itself at its budget.
func Headless() harness.Headless {
	return harness.Headless{
		Name: harness.ClaudeCode, Label: harness.Label(harness.ClaudeCode), Program: "claude",
		LowModel: "claude-sonnet-5-5", HighModel: "claude-opus-5-5",
		ReportsCost: true, ReportsWhileRunning: true, RunsUnpriced: true,
		Env: []string{
			"ANTHROPIC_*", "CLAUDE_CONFIG_DIR", "CLAUDE_CODE_*", "API_TIMEOUT_MS", "BASH_DEFAULT_TIMEOUT_MS", "BASH_MAX_TIMEOUT_MS",
			"DISABLE_TELEMETRY", "DISABLE_AUTOUPDATER", "DISABLE_ERROR_REPORTING",
		},
		EnvWhen: []harness.Cloud{
			{On: "CLAUDE_CODE_USE_BEDROCK", Env: []string{"AWS_*"}},
			{On: "CLAUDE_CODE_USE_VERTEX", Env: []string{
				"GOOGLE_APPLICATION_CREDENTIALS", "GOOGLE_CLOUD_PROJECT", "CLOUD_ML_REGION", "VERTEX_REGION_*",
			}},
			{On: "CLAUDE_CODE_USE_FOUNDRY", Env: []string{"AZURE_*"}},
		},
		NotEnv: []string{
			"CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_CHILD_SESSION", "CLAUDE_CODE_BRIDGE_SESSION_ID",
			"CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_HOST_SESSION_ID", "CLAUDE_CODE_EXECPATH", "CLAUDE_CODE_MESSAGING_*",
			"CLAUDE_CODE_SDK_HAS_HOST_AUTH_REFRESH", "CLAUDE_CODE_SESSION_ATTENDED", "CLAUDE_CODE_SSE_PORT",
		},
		Own: harness.Own{
			Dir: ".claude", Var: "CLAUDE_CONFIG_DIR", Login: []string{".credentials.json"},
			Settings: []string{"settings.json", "CLAUDE.md", "agents", "commands", "hooks", "output-styles", "plugins", "rules", "skills"},
		},
		Settings: []string{ProjectFolder + "/settings.json", ProjectFolder + "/settings.local.json"}, // its MCP servers stay off
		Command:  command,
		Uses:     uses,
		Read:     func(r harness.Reading) harness.Output { return &output{reading: r, responses: map[string]response{}} },
	}
}

func command(j harness.Job) []string {
	var rules []string
	for _, part := range harness.CommandParts(j.TestCmd) {
		rules = append(rules, "Bash("+part+")", "Bash("+part+" *)")
	}
	argv := []string{
		"claude", "-p", j.Prompt, "--output-format", "stream-json", "--verbose", "--permission-mode", "acceptEdits",
		"--allowedTools", strings.Join(rules, ","), "--no-session-persistence", "--strict-mcp-config",
	}
	if j.Budget > 0 {
		argv = append(argv, "--max-budget-usd", cents(j.Budget))
	}
	if j.Model != "" {
		argv = append(argv, "--model", j.Model)
	}
	return argv
}

// cents rounds a budget down to the cent, but never to nothing, which would
// mean no limit. The small term keeps 0.29 from becoming 0.28.
func cents(usd float64) string {
	return strconv.FormatFloat(max(math.Floor(usd*100+1e-9), 1)/100, 'f', 2, 64)
}
