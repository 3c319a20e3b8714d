package cli

import (
	"github.com/spf13/cobra"

	"checkrein/internal/harness"
	"checkrein/internal/install"
)

func newUninstallCommand(env Env) *cobra.Command {
	var o placeOptions
	cmd := &cobra.Command{
		Use:   "uninstall",
		Short: "Take the guard's hook out again",
		Long: `Looks for the guard's entries in the settings of Claude Code and Codex, the user's
and the project's, shows what would go as a diff, and with --write takes it out. A
file that nothing else changed since the install gets back the bytes it had. In any
other file only the guard's own entries go. The guard's settings and counts stay.
--write refuses inside an agent's session.

Exit status: 0 done, or the dry run was shown; 1 --write inside an agent's session;
2 bad flags, or a file that can't be changed safely, and then nothing was changed.`,
		Example: `  checkrein guard uninstall                      # show what would go
  checkrein guard uninstall --write
  checkrein guard uninstall --harness codex --scope user --write`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return runUninstall(o, env) },
	}
	o.flags(cmd, "both", "both")
	return cmd
}

func runUninstall(o placeOptions, env Env) error {
	if err := o.check(); err != nil {
		return err
	}
	if o.write {
		if err := usersOnly("take the guard out", env); err != nil {
			return err
		}
	}
	m := o.machine(env)
	removal, err := install.Remove(o.places(m), m)
	if err != nil {
		return unchanged(err)
	}
	return o.finish(removal.Changed(), removal.Write, env, func(written bool) (string, error) {
		if o.json {
			return indented(removal.Report(written, m))
		}
		return removal.Markdown(written, m), nil
	})
}

// places are those to look at: the file that is named, or all the flags allow.
func (o *placeOptions) places(m install.Machine) []install.Place {
	if o.settings == "" {
		return install.Places(o.harness, o.scope, m)
	}
	place := install.Place{Harness: o.harness, Scope: o.scope, Path: o.settings}
	if place.Harness == "" {
		place.Harness = harness.ClaudeCode
	}
	if place.Scope == "" {
		place.Scope = install.User
	}
	return []install.Place{place}
}
