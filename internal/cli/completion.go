package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

// completes lets a shell fill in a flag's values.
func completes(cmd *cobra.Command, flag string, values ...string) {
	must(cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)))
}

// completesList is completes for values with commas between.
func completesList(cmd *cobra.Command, flag string, values ...string) {
	must(cmd.RegisterFlagCompletionFunc(flag, func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		before := typed[:strings.LastIndexByte(typed, ',')+1]
		lists := make([]string, len(values))
		for i, value := range values {
			lists[i] = before + value
		}
		return lists, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}))
}

// must is for mistakes in our own flags, which every start of a test would show.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// addCompletion adds cobra's command that prints completion scripts. It takes
// the name of an unknown shell for a question and prints help.
func addCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd("completion")
	for _, cmd := range root.Commands() {
		if cmd.Name() == "completion" {
			cmd.Args = cobra.ArbitraryArgs
			cmd.RunE = completionFor
		}
	}
}

func completionFor(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return cmd.Help()
	}
	return &Error{
		Code: exitBad, Err: bad("no completion for the shell %q: there is one for bash, zsh, fish and powershell", args[0]),
		Hints: []string{"checkrein completion --help"},
	}
}
