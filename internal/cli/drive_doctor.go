//go:build unix

package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"checkrein/internal/drive"
	"checkrein/internal/redact"
	"checkrein/internal/seal"
)

func newDriveDoctorCommand(env Env) *cobra.Command {
	var o reportOptions
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "What this computer can do for a test drive",
		Long: `Says whether commands can run behind a wall here (--seal of drive run and drive
mine), by building one, and which agents are installed. Behind the wall a command
sees its copy, toolchains, package caches and a new home folder; an agent also has
its own login. Tests have no network. Nothing on this computer is changed.

Exit status: 0 also where no wall can be had.`,
		Example: `  checkrein drive doctor
  checkrein drive doctor --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runDriveDoctor(cmd.Context(), o, env) },
	}
	o.flags(cmd)
	return cmd
}

func runDriveDoctor(ctx context.Context, o reportOptions, env Env) error {
	found := struct {
		seal.Report
		Agents []agentFound `json:"agents"`
	}{seal.Check(ctx), agentsFound(env)}
	found.Why = redact.Line(found.Why, 300)
	return o.emit(driveDoctorText(found.Report, found.Agents), found, env)
}

// agentFound is whether a harness is installed.
type agentFound struct {
	Name  string `json:"name"`
	Found bool   `json:"found"`
}

func agentsFound(env Env) []agentFound {
	around := surroundings(env, nil)
	var out []agentFound
	for _, name := range drive.Names() {
		out = append(out, agentFound{name, around.Adapter(name, "").Found})
	}
	return out
}

func driveDoctorText(r seal.Report, agents []agentFound) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	if r.Sealed {
		line("**sealed: yes**, by %s\n", redact.Line(r.Wall, 300))
	} else {
		line("**sealed: no**, because %s\n", r.Why)
	}
	if r.Try != "" {
		line("  try: %s\n", r.Try)
	}
	for _, p := range r.Parts {
		text := fmt.Sprintf("- %s: %s", p.Name, yesNo(p.Has))
		if p.Note != "" {
			text += " (" + p.Note + ")"
		}
		line("%s", text)
	}
	for _, a := range agents {
		line("- agent %s installed: %s", a.Name, yesNo(a.Found))
	}
	return b.String()
}

func yesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}
