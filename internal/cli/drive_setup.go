//go:build unix

package cli

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"checkrein/internal/setup"
)

// What --setup takes.
const (
	setupOnce = "once" // for all copies that it would treat alike
	setupEach = "each" // in every copy
)

type setupFlag string

func (f *setupFlag) flag(cmd *cobra.Command) {
	cmd.Flags().StringVar((*string)(f), "setup", setupOnce, "run the setup command `once` for all copies with the same dependencies, or in each")
	completesList(cmd, "setup", setupOnce, setupEach)
}

func (f setupFlag) check() error {
	if f != setupOnce && f != setupEach {
		return bad("--setup takes once or each")
	}
	return nil
}

// cache keeps what setups left in the folder of the tasks; nil keeps nothing.
func (f setupFlag) cache(folder string, wall sealing) *setup.Cache {
	if f == setupEach {
		return nil
	}
	return setup.Open(filepath.Join(folder, buildCaches, "setup"), wall.outside)
}
