//go:build unix

package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"checkrein/internal/drive"
	"checkrein/internal/live"
	"checkrein/internal/redact"
	"checkrein/internal/task"
)

// shownJSON is a task with all that a person may want to know of it.
type shownJSON struct {
	taskJSON
	Prompt      string   `json:"prompt"`  // as an agent gets it
	Request     string   `json:"request"` // the part that edit changes
	RequestBy   string   `json:"request_by"`
	HiddenTests []string `json:"hidden_tests"`
	GoldFiles   []string `json:"gold_files"`
	FailToPass  []string `json:"fail_to_pass"`
	Kept        string   `json:"why_kept"`
}

func newTasksShowCommand(tasks *string, env Env) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Show one task whole",
		Long: `Shows the prompt as an agent will get it, the hidden tests, the files of the real
change, the tests that tell, why the task was kept, and what speaks against it.

Exit status: 0 done; 2 an unknown task, or a file that can't be read.`,
		Example: `  checkrein drive tasks show 1a2b3c4
  checkrein drive tasks show 1a2b3c4 --json`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: completesTasks(tasks),
		RunE: func(_ *cobra.Command, ids []string) error {
			doc, err := loadTasks(*tasks)
			if err != nil {
				return err
			}
			t, err := findTask(doc, ids[0])
			if err != nil {
				return err
			}
			text := taskPage(t, doc.TestCmd)
			if asJSON {
				if text, err = indented(shownTask(t, doc.TestCmd)); err != nil {
					return err
				}
			}
			_, err = io.WriteString(env.Stdout, text)
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON instead of the page")
	return cmd
}

const widest = 400

func block(text string) string { return strings.Join(redact.Block(text, widest), "\n") }

func shownTask(t task.Task, testCmd string) shownJSON {
	request, by := drive.Request(t)
	out := shownJSON{
		taskJSON: listedTask(t), Prompt: block(drive.Prompt(t, testCmd)), Request: block(request), RequestBy: by,
		HiddenTests: safePaths(hiddenIn(t)), GoldFiles: safePaths(t.GoldFiles), FailToPass: []string{}, Kept: whyKept(t),
	}
	if t.Grade != nil {
		out.FailToPass = safePaths(t.Grade.FailToPass)
	}
	return out
}

// hiddenIn are the files with hidden tests, also with those inside of source files.
func hiddenIn(t task.Task) []string { return slices.Concat(t.HiddenTests, t.HiddenInline, t.Lent) }

func whyKept(t task.Task) string {
	switch {
	case !t.Validated:
		return "not checked: run checkrein drive mine --validate"
	case t.Grade != nil:
		return "failing before the change and passing after it, in every run: " + live.Count(len(t.Grade.FailToPass), "test")
	}
	return "the test command fails before the change and passes after it, twice"
}

// taskPage is the task for a terminal.
func taskPage(t task.Task, testCmd string) string {
	var b strings.Builder
	b.WriteString(taskHead(t))
	b.WriteString("\nWhat an agent is asked:\n\n")
	for _, line := range redact.Block(drive.Prompt(t, testCmd), widest) {
		b.WriteString(strings.TrimRight("  | "+line, " ") + "\n")
	}
	b.WriteString("\n")
	group(&b, "Hidden tests", hiddenIn(t))
	group(&b, "Files of the real change", t.GoldFiles)
	if t.Grade != nil {
		group(&b, "Tests that tell", t.Grade.FailToPass)
	}
	fmt.Fprintf(&b, "Why it is kept: %s.\n", whyKept(t))
	return b.String()
}

// taskHead is what a task is, in a few lines.
func taskHead(t task.Task) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n", shortTask(t), redact.Code(t.Subject, 100))
	state := stateOf(t)
	if t.Prompt != "" {
		state += ", with an edited prompt"
	}
	if t.Why != "" {
		state += ": " + redact.Line(t.Why, 300)
	}
	fmt.Fprintf(&b, "State: %s. Change: %s in %s.\n", state, live.Count(t.GoldLines, "line"), live.Count(len(t.GoldFiles), "file"))
	switch why := doubts(t); {
	case t.Fair == nil:
		b.WriteString("Fair: not looked at.\n")
	case why == "":
		fmt.Fprintf(&b, "Fair: %s.\n", fairWord(t))
	default:
		fmt.Fprintf(&b, "Fair: %s, because %s.\n", fairWord(t), why)
	}
	return b.String()
}

func group(b *strings.Builder, title string, names []string) {
	const most = 40
	fmt.Fprintf(b, "%s:\n", title)
	for _, name := range names[:min(len(names), most)] {
		fmt.Fprintf(b, "  %s\n", redact.Line(name, 200))
	}
	if more := len(names) - most; more > 0 {
		fmt.Fprintf(b, "  and %d more\n", more)
	}
	b.WriteString("\n")
}
