package cli

import (
	"errors"
	"os/exec"
	"slices"

	"github.com/spf13/cobra"

	"checkrein/internal/redact"
	"checkrein/internal/skills"
	"checkrein/internal/state"
)

// skillsOptions are the flags of the skills commands.
type skillsOptions struct {
	placeOptions // harness, scope, project, write, json, out
	force        bool
}

func newSkillsCommand(env Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "skills",
		Short: "Give agents the skills that come with checkrein",
		Long: `Two agent skills come with checkrein: runaway-guard tells an agent how to set up the
guard and what to do when it blocks a call, harness-test-drive how to run a test drive
with you. These commands put them where agents look for skills.`,
		Example: `  checkrein skills install             # show what would be written, and where
  checkrein skills install --write     # write it
  checkrein skills list
  checkrein skills uninstall --write   # take it out again`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newSkillsInstallCommand(env), newSkillsUninstallCommand(env), newSkillsListCommand(env))
	return cmd
}

func newSkillsInstallCommand(env Env) *cobra.Command {
	var o skillsOptions
	cmd := &cobra.Command{
		Use:   "install",
		Short: "Put the skills where agents look for them",
		Long: `Shows which files would be written, and with --write writes them:

  Claude Code                    ~/.claude/skills, or in $CLAUDE_CONFIG_DIR
  Codex, Gemini CLI, OpenCode    ~/.agents/skills, which all three read

In a project they are .claude/skills and .agents/skills. Without --harness it is done
for the agents that this machine has. Skills of an earlier checkrein are brought up to
date; a file that you have changed is never overwritten without --force.

Exit status: 0 done, or the dry run was shown; 2 bad flags, or a file that is not
checkrein's to overwrite, and then nothing was written.`,
		Example: `  checkrein skills install
  checkrein skills install --write
  checkrein skills install --harness codex --scope project --project ~/src/app --write`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return runSkillsInstall(o, env) },
	}
	o.skillFlags(cmd, "those found on this machine", skills.User)
	o.writeFlags(cmd)
	cmd.Flags().BoolVar(&o.force, "force", false, "overwrite files that were changed, too")
	return cmd
}

func newSkillsUninstallCommand(env Env) *cobra.Command {
	var o skillsOptions
	cmd := &cobra.Command{
		Use:   "uninstall",
		Short: "Take the skills out again",
		Long: `Looks in the folders of all agents, yours and the project's, shows which files would
be removed, and with --write removes them. Only files that checkrein wrote and nobody has
changed go. A folder that several agents read is emptied for all of them.

Exit status: 0 done, or the dry run was shown; 2 bad flags, or a folder that can't be
changed safely, and then nothing was changed.`,
		Example: `  checkrein skills uninstall
  checkrein skills uninstall --scope user --write`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return runSkillsUninstall(o, env) },
	}
	o.skillFlags(cmd, "all", "both")
	o.writeFlags(cmd)
	return cmd
}

func (o *skillsOptions) skillFlags(cmd *cobra.Command, harnessDefault, scopeDefault string) {
	flags := cmd.Flags()
	flags.StringVar(&o.harness, "harness", "", "the `agent`: claude-code, codex, gemini-cli or opencode (default: "+harnessDefault+")")
	flags.StringVar(&o.scope, "scope", "", "`user` for all your sessions, project for those in one folder (default: "+scopeDefault+")")
	completes(cmd, "harness", "claude-code", "codex", "gemini-cli", "opencode")
	completes(cmd, "scope", "user", "project")
	flags.StringVar(&o.project, "project", "", "the project's `folder` (default: this one)")
	flags.BoolVar(&o.json, "json", false, "print JSON")
	flags.StringVar(&o.out, "out", "", "write the report to this `file`")
}

func (o *skillsOptions) writeFlags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&o.write, "write", false, "make the change; without it nothing is written")
}

// skillsMachine completes the flags, refusing other words than the known.
func (o *skillsOptions) skillsMachine(env Env) (skills.Machine, error) {
	if o.harness != "" && !slices.Contains(skills.Names(), o.harness) {
		return skills.Machine{}, bad("--harness is claude-code, codex, gemini-cli or opencode, not %s", redact.Line(o.harness, 80))
	}
	place := o.placeOptions
	place.harness = "" // check knows fewer of them
	if err := place.check(); err != nil {
		return skills.Machine{}, err
	}
	o.project = place.project
	return skills.Machine{
		Getenv: env.Getenv, Home: state.Home(env.Getenv), Project: o.project,
		OnPath: func(name string) bool { _, err := exec.LookPath(name); return err == nil },
	}, nil
}

// places are those that the flags leave, out of some harnesses and scopes.
func (o *skillsOptions) places(harnesses, scopes []string, m skills.Machine) []skills.Place {
	if o.harness != "" {
		harnesses = []string{o.harness}
	}
	if o.scope != "" {
		scopes = []string{o.scope}
	}
	return skills.Places(harnesses, scopes, m)
}

func runSkillsInstall(o skillsOptions, env Env) error {
	m, err := o.skillsMachine(env)
	if err != nil {
		return err
	}
	places := o.places(m.Found(), []string{skills.User}, m)
	if len(places) == 0 {
		return &Error{
			Code: exitBad, Err: errors.New("no agent was found on this machine"),
			Hints: []string{"checkrein skills install --harness claude-code    # or codex, gemini-cli, opencode"},
		}
	}
	plan, err := skills.Install(places, o.force, m)
	if changed := new(skills.ChangedError); errors.As(err, &changed) {
		return &Error{
			Code: exitBad, Err: unchanged(err), Hints: []string{"checkrein skills install --force    # overwrites them; add --write to do it"},
		}
	}
	return o.carryOut(plan, err, m, env)
}

func runSkillsUninstall(o skillsOptions, env Env) error {
	m, err := o.skillsMachine(env)
	if err != nil {
		return err
	}
	plan, err := skills.Uninstall(o.places(skills.Names(), []string{skills.User, skills.Project}, m), m)
	return o.carryOut(plan, err, m, env)
}

// carryOut makes the change where it is asked for, and reports it.
func (o *skillsOptions) carryOut(plan skills.Plan, err error, m skills.Machine, env Env) error {
	if err != nil {
		return unchanged(err)
	}
	return o.finish(plan.Changed(), plan.Write, env, func(written bool) (string, error) {
		if o.json {
			return indented(plan.Report(written))
		}
		return plan.Markdown(written, m), nil
	})
}
