// Package geminicli knows Gemini CLI's command line as the test drive runs it, and
// its chats as reports read them. It starts nothing, and reads only what lies in
// the folder of chats.
package geminicli

import (
	"path/filepath"
	"strconv"
	"strings"

	"checkrein/internal/harness"
)

// policyName is the policy file's name in the job's folder.
const policyName = "gemini-policy.toml"

// Headless is how the test drive runs Gemini CLI: edits are approved, a policy
// file approves the test command, and whatever else would ask is denied. Its
// trust prompt is skipped, because a new folder is untrusted and the agent
// could not edit; the copy's own .gemini settings load too.
func Headless() harness.Headless {
	return harness.Headless{
		Name: harness.GeminiCLI, Label: harness.Label(harness.GeminiCLI), Program: "gemini", RunsUnpriced: true,
		Env:    []string{"GEMINI_*", "GOOGLE_*", "CODE_ASSIST_*"},
		NotEnv: []string{"GEMINI_CLI", "GEMINI_CLI_IDE_*", "GEMINI_SESSION_ID"},
		Own: harness.Own{
			Dir: ".gemini", Login: []string{"oauth_creds.json"},
			Settings: []string{"settings.json", "GEMINI.md", ".env", "commands", "extensions", "google_accounts.json", "installation_id", "skills"},
		},
		Settings: []string{".gemini/settings.json"},
		Command:  command,
		Uses:     uses,
		Files: func(j harness.Job) map[string]string {
			return map[string]string{policyName: policy(harness.CommandParts(j.TestCmd))}
		},
		Read: func(r harness.Reading) harness.Output { return &output{reading: r} },
	}
}

func command(j harness.Job) []string {
	argv := []string{
		"gemini", "--output-format", "stream-json", "--approval-mode", "auto_edit", "--skip-trust",
		"--policy", filepath.Join(j.Dir, policyName),
	}
	if j.Model != "" {
		argv = append(argv, "-m", j.Model)
	}
	return append(argv, "-p", j.Prompt)
}

// policy allows commands that start with a part of the test command. Gemini CLI
// splits a compound command itself and asks for each part.
func policy(parts []string) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString("[[rule]]\ntoolName = \"run_shell_command\"\ncommandPrefix = " + strconv.Quote(p) +
			"\ndecision = \"allow\"\npriority = 100\n\n")
	}
	return b.String()
}
