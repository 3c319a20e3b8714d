//go:build unix

package cli

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"checkrein/internal/fair"
	"checkrein/internal/live"
	"checkrein/internal/redact"
	"checkrein/internal/task"
)

// taskJSON is a task in the list, with untrusted text made safe.
type taskJSON struct {
	ID      string      `json:"id"`
	Commit  string      `json:"commit"`
	Subject string      `json:"subject"`
	State   string      `json:"state"` // kept, accepted, rejected, unchecked
	Why     string      `json:"why,omitzero"`
	Edited  bool        `json:"edited_prompt"`
	Fair    *fair.Score `json:"fair"`
	Lines   int         `json:"gold_lines"`
	Telling *int        `json:"telling_tests"` // nil where the whole suite decides
}

func newTasksListCommand(tasks *string, env Env) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the tasks with what was decided about them",
		Long: `Lists the tasks: what was decided about each, how fair it is as a measure, how many
lines the change has and how many tests tell it from no change.

Exit status: 0 done; 2 bad flags or files.`,
		Example: `  checkrein drive tasks list
  checkrein drive tasks list --json`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			doc, err := loadTasks(*tasks)
			if err != nil {
				return err
			}
			text := taskList(doc)
			if asJSON {
				all := []taskJSON{}
				for _, t := range doc.Tasks {
					all = append(all, listedTask(t))
				}
				if text, err = indented(all); err != nil {
					return err
				}
			}
			_, err = io.WriteString(env.Stdout, text)
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON instead of the table")
	return cmd
}

func listedTask(t task.Task) taskJSON {
	one := taskJSON{
		ID: redact.Line(t.ID, 40), Commit: commitName(t.Commit), Subject: redact.Line(t.Subject, 120), State: stateOf(t),
		Why: redact.Line(t.Why, 300), Edited: t.Prompt != "", Fair: safeScore(t.Fair), Lines: t.GoldLines,
	}
	if t.Grade != nil {
		one.Telling = new(len(t.Grade.FailToPass))
	}
	return one
}

// stateOf is what became of a task.
func stateOf(t task.Task) string {
	switch {
	case t.Choice == task.Refused:
		return "rejected"
	case !t.Validated:
		return "unchecked"
	case t.Choice == task.Accepted:
		return "accepted"
	}
	return "kept"
}

func taskList(doc task.Document) string {
	if len(doc.Tasks) == 0 {
		return "The tasks file has no tasks.\n"
	}
	var b strings.Builder
	b.WriteString("| Task | Change | State | Fair | Lines | Telling tests |\n|---|---|---|---|---|---|\n")
	for _, t := range doc.Tasks {
		state, telling := stateOf(t), "suite"
		if t.Prompt != "" {
			state += ", edited"
		}
		if t.Grade != nil {
			telling = strconv.Itoa(len(t.Grade.FailToPass))
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %d | %s |\n", shortTask(t), redact.Code(t.Subject, 60), state, fairWord(t), t.GoldLines, telling)
	}
	b.WriteString("\n")
	for _, t := range doc.Tasks {
		if t.Why != "" {
			fmt.Fprintf(&b, "- %s is rejected: %s\n", shortTask(t), redact.Line(t.Why, 300))
		} else if why := doubts(t); why != "" {
			fmt.Fprintf(&b, "- %s: %s\n", shortTask(t), why)
		}
	}
	return strings.TrimRight(b.String(), "\n") + "\n\n" + tallied(doc) + "\n"
}

// tallied counts the tasks that run, those that don't, and the doubtful ones.
func tallied(doc task.Document) string {
	run, out, doubtful := tally(doc)
	text := live.Count(run, "task") + " to run"
	if out > 0 {
		text += ", " + strconv.Itoa(out) + " rejected"
	}
	if doubtful > 0 {
		text += ", " + strconv.Itoa(doubtful) + " doubtful or poor"
	}
	return text + "."
}

// tally counts what runs, what was rejected, and what of the former is doubtful
// and nobody accepted.
func tally(doc task.Document) (run, out, doubtful int) {
	for _, t := range doc.Tasks {
		switch {
		case t.Choice == task.Refused:
			out++
		case t.Runs():
			run++
			if t.Choice != task.Accepted && t.Fair != nil && t.Fair.Word != fair.Good {
				doubtful++
			}
		}
	}
	return run, out, doubtful
}
