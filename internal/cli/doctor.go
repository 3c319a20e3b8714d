package cli

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"

	"checkrein/internal/doctor"
	"checkrein/internal/harness"
	"checkrein/internal/harness/registry"
)

type doctorOptions struct {
	placeOptions
}

func newDoctorCommand(env Env) *cobra.Command {
	var o doctorOptions
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Prove that the hook runs, and say what to type where it doesn't",
		Long: `Looks for what keeps the guard from working, and changes nothing: settings that an
agent can't read, an entry that is missing, there twice or of another form, a
program that is gone, hooks that are turned off, a Codex that does not trust them,
a state folder that can't be written to, old prices. It runs the registered command
once as the agent would, with a call that is not counted, and looks for a session
that went on without being checked.

A project's settings are looked at in --project. An agent that is not on PATH and
has no settings file is left out unless --harness names it.

Exit status: 0 no fault; 1 a fault; 2 bad flags.`,
		Example: `  checkrein guard doctor
  checkrein guard doctor --harness codex
  checkrein guard doctor --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runDoctor(cmd.Context(), o, env) },
	}
	flags := cmd.Flags()
	flags.StringVar(&o.harness, "harness", "", "the agent, `claude-code or codex` (default: those that are there)")
	completes(cmd, "harness", harness.ClaudeCode, harness.Codex)
	flags.StringVar(&o.project, "project", "", "the project's `folder` (default: this one)")
	flags.BoolVar(&o.json, "json", false, "print JSON")
	flags.StringVar(&o.out, "out", "", "write the report to this `file`")
	return cmd
}

func runDoctor(ctx context.Context, o doctorOptions, env Env) error {
	if err := o.check(); err != nil {
		return err
	}
	findings := doctor.Run(ctx, doctor.Options{
		Machine: o.machine(env), Harness: o.harness, Environ: env.Environ(), Now: env.Now(), Program: program(env), Programs: agentsOnPath(),
	})
	faults := 0
	for _, f := range findings {
		if f.Level == doctor.Fault {
			faults++
		}
	}
	text, err := o.text(findings, faults, env)
	if err != nil {
		return err
	}
	if err := emit(text, o.out, env); err != nil {
		return err
	}
	if faults > 0 {
		return &Error{Code: exitNo, Err: errors.New("")}
	}
	return nil
}

func agentsOnPath() map[string]bool {
	found := map[string]bool{}
	for _, h := range registry.Hooks() {
		_, err := exec.LookPath(h.Program)
		found[h.Name] = err == nil
	}
	return found
}

func (o *doctorOptions) text(findings []doctor.Finding, faults int, env Env) (string, error) {
	title := "The hook runs: no fault was found."
	if faults > 0 {
		title = fmt.Sprintf("The guard is not in order. Faults: %d.", faults)
	}
	if o.json {
		return indented(struct {
			Headline string           `json:"headline"`
			Faults   int              `json:"faults"`
			Checks   []doctor.Finding `json:"checks"`
		}{title, faults, findings})
	}
	colour := o.out == "" && onTerminal(env.Stdout) && env.Getenv("NO_COLOR") == "" && env.Getenv("TERM") != "dumb"
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**\n\n", title)
	for _, f := range findings {
		name := f.Check
		if f.Harness != "" {
			name = f.Harness + " " + f.Check
		}
		fmt.Fprintf(&b, "%s  %-23s  %s\n", levelText(f.Level, colour), name, f.Seen)
		if f.Try != "" {
			fmt.Fprintf(&b, "       try: %s\n", f.Try)
		}
	}
	return b.String(), nil
}

// levelText is a level in its column; what is well has no colour.
func levelText(level doctor.Level, colour bool) string {
	text := fmt.Sprintf("%-5s", level)
	switch {
	case colour && level == doctor.Fault:
		return "\x1b[31m" + text + "\x1b[0m"
	case colour && level == doctor.Note:
		return "\x1b[33m" + text + "\x1b[0m"
	}
	return text
}
