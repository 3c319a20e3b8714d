//go:build unix

package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"checkrein/internal/drive"
	"checkrein/internal/redact"
	"checkrein/internal/task"
)

func newDriveTasksCommand(env Env) *cobra.Command {
	var tasks string
	cmd := &cobra.Command{
		Use:   "tasks",
		Short: "Look at the tasks, and accept, reject or reword them",
		Long: `Shows what drive mine has found before it costs anything: what an agent will be
asked, how it is tested, and what speaks against a task as a measure. Rejected tasks
are not run. What you decide is kept when the tasks are mined again.

Alone, on a terminal, it goes through the tasks one by one.

Exit status: 0 done; 2 bad input, an unknown task, or agents running on the tasks.`,
		Example: `  checkrein drive tasks                       # one by one, on a terminal
  checkrein drive tasks list
  checkrein drive tasks show 1a2b3c4
  checkrein drive tasks reject 1a2b3c4 --why "the test depends on the time zone"
  checkrein drive tasks edit 1a2b3c4          # its prompt, in your editor`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return view(cmd.Context(), tasks, env) },
	}
	cmd.PersistentFlags().StringVar(&tasks, "tasks", defaultTasks, "tasks `file` from drive mine")
	cmd.AddCommand(newTasksListCommand(&tasks, env), newTasksShowCommand(&tasks, env), newTasksEditCommand(&tasks, env),
		newTasksChoiceCommand(&tasks, env, task.Accepted), newTasksChoiceCommand(&tasks, env, task.Refused))
	return cmd
}

func newTasksChoiceCommand(tasks *string, env Env, choice string) *cobra.Command {
	var why string
	cmd := &cobra.Command{
		Use:   "accept ID...",
		Short: "Say that tasks are good as they are",
		Long: `Marks tasks as accepted. A task that was rejected runs again from then on.

Exit status: 0 done; 2 an unknown task, or a file that can't be written.`,
		Example: `  checkrein drive tasks accept 1a2b3c4
  checkrein drive tasks accept 1a2b3c4 5d6e7f8`,
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: completesTasks(tasks),
		RunE: func(_ *cobra.Command, ids []string) error {
			return decideTasks(*tasks, ids, task.Review{Choice: choice, Why: why}, env)
		},
	}
	if choice == task.Refused {
		cmd.Use, cmd.Short = "reject ID...", "Leave tasks out of runs"
		cmd.Long = `Marks tasks as rejected: drive run and drive estimate leave them out. Nothing is
deleted; accept takes them in again.

Exit status: 0 done; 2 an unknown task, or a file that can't be written.`
		cmd.Example = `  checkrein drive tasks reject 1a2b3c4
  checkrein drive tasks reject 1a2b3c4 --why "nobody could know that from the prompt"`
		cmd.Flags().StringVar(&why, "why", "", "the reason, for the list")
	}
	return cmd
}

// decideTasks writes a decision about tasks down.
func decideTasks(path string, ids []string, review task.Review, env Env) error {
	var lines []string
	err := changeTasks(path, ids, func(t *task.Task) {
		t.Choice, t.Why = review.Choice, review.Why
		lines = append(lines, fmt.Sprintf("%s %s: %s", shortTask(*t), review.Choice, redact.Code(t.Subject, 70)))
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(env.Stdout, strings.Join(lines, "\n"))
	return err
}

// changeTasks changes the tasks of those ids in the file.
func changeTasks(path string, ids []string, change func(*task.Task)) error {
	err := drive.Review(path, func(doc task.Document) (changed []task.Task, err error) {
		for _, id := range ids {
			t, err := findTask(doc, id)
			if err != nil {
				return nil, err
			}
			change(&t)
			changed = append(changed, t)
		}
		return changed, nil
	})
	return tasksError(path, err)
}

// tasksError says what is wrong with a tasks file.
func tasksError(path string, err error) error {
	known, input := new(Error), drive.BadInput{}
	switch {
	case err == nil || errors.As(err, &known):
		return err
	case errors.As(err, &input):
		return bad("nothing was changed: %s", input.Error())
	}
	return &Error{
		Code: exitBad, Err: fmt.Errorf("nothing was changed in the tasks file %s: %s", redact.Line(path, 300), redact.Line(err.Error(), 300)),
		Hints: []string{"checkrein drive mine --validate"},
	}
}

// findTask finds a task by the start of its id or its commit.
func findTask(doc task.Document, id string) (task.Task, error) {
	const shortest = 4
	var found []task.Task
	for _, t := range doc.Tasks {
		switch {
		case t.ID == id:
			return t, nil
		case len(id) >= shortest && (strings.HasPrefix(t.ID, id) || strings.HasPrefix(t.Commit, id)):
			found = append(found, t)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return task.Task{}, &Error{
			Code: exitBad, Err: fmt.Errorf("there is no task %s; nothing was changed", redact.Line(id, 60)),
			Hints: []string{"checkrein drive tasks list"},
		}
	}
	return task.Task{}, &Error{
		Code: exitBad, Err: fmt.Errorf("%s is the start of %d tasks; nothing was changed", redact.Line(id, 60), len(found)),
		Hints: []string{"checkrein drive tasks list"},
	}
}

// shortTask is a task's id as people see it.
func shortTask(t task.Task) string { return shortCommit(t.ID) }

// completesTasks lets a shell fill in the ids of tasks.
func completesTasks(tasks *string) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		doc, err := drive.ReadTasks(*tasks)
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var out []string
		for _, t := range doc.Tasks {
			out = append(out, redact.Line(t.ID, 40)+"\t"+redact.Line(t.Subject, 60))
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	}
}
