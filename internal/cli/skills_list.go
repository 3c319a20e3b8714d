package cli

import (
	"github.com/spf13/cobra"

	"checkrein/internal/skills"
)

func newSkillsListCommand(env Env) *cobra.Command {
	var o skillsOptions
	cmd := &cobra.Command{
		Use:   "list",
		Short: "Show where the skills are installed",
		Long: `Shows each skill in each folder where agents look: installed, older (written by an
earlier checkrein), changed, not ours (there, but not written by checkrein), link, or not
installed.

Exit status: 0 done; 2 bad flags.`,
		Example: `  checkrein skills list
  checkrein skills list --harness claude-code --json`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return runSkillsList(o, env) },
	}
	o.skillFlags(cmd, "all", "both")
	return cmd
}

func runSkillsList(o skillsOptions, env Env) error {
	m, err := o.skillsMachine(env)
	if err != nil {
		return err
	}
	list := skills.List(o.places(skills.Names(), []string{skills.User, skills.Project}, m), m)
	text := skills.Table(list, m)
	if o.json {
		if text, err = indented(map[string]any{"skills": list}); err != nil {
			return err
		}
	}
	return emit(text, o.out, env)
}
