//go:build unix

package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"checkrein/internal/drive"
	"checkrein/internal/redact"
	"checkrein/internal/task"
)

func newTasksEditCommand(tasks *string, env Env) *cobra.Command {
	var file string
	var restore bool
	cmd := &cobra.Command{
		Use:   "edit ID",
		Short: "Reword what an agent is asked",
		Long: `Opens the request of a task, which is the commit's message, in $VISUAL or $EDITOR.
What you save is asked instead, by every harness, and reports say so. Results for the
old words are kept, and drive run runs those trials again.

--prompt-file takes the words from a file, or from standard input for -. --restore
goes back to the commit's message.

Exit status: 0 done; 2 an unknown task, no editor, or a file that can't be used.`,
		Example: `  checkrein drive tasks edit 1a2b3c4
  checkrein drive tasks edit 1a2b3c4 --prompt-file words.txt
  checkrein drive tasks edit 1a2b3c4 --restore`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: completesTasks(tasks),
		RunE: func(cmd *cobra.Command, ids []string) error {
			words := func(t task.Task) (string, error) { return editedPrompt(cmd, t, env) }
			switch {
			case restore && file != "":
				return bad("--restore and --prompt-file can't both decide; nothing was changed")
			case restore:
				words = func(task.Task) (string, error) { return "", nil }
			case file != "":
				words = func(task.Task) (string, error) { return promptFrom(file, env) }
			}
			return editTask(*tasks, ids[0], words, env)
		},
	}
	cmd.Flags().StringVar(&file, "prompt-file", "", "`file` with the new words; - for standard input")
	cmd.Flags().BoolVar(&restore, "restore", false, "ask by the commit's message again")
	return cmd
}

// editTask gives a task other words; none for the message's. The editor is open
// without a lock, and what it saved is put into the file as it is by then.
func editTask(path, id string, words func(task.Task) (string, error), env Env) error {
	doc, err := loadTasks(path)
	if err != nil {
		return err
	}
	t, err := findTask(doc, id)
	if err != nil {
		return err
	}
	text, err := words(t)
	if err != nil {
		return err
	}
	said := "asked in these words from now on"
	err = changeTasks(path, []string{t.ID}, func(t *task.Task) {
		plain := *t
		plain.Prompt = ""
		if message, _ := drive.Request(plain); text == message || text == "" {
			text, said = "", "asked by the commit's message"
		}
		t.Prompt = text
		t.Rescore()
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(env.Stdout, "%s is %s.\n", shortTask(t), said)
	return err
}

// maxPrompt is more than any model should be asked at once.
const maxPrompt = 100_000

// promptFrom reads new words from a file or the standard input.
func promptFrom(file string, env Env) (string, error) {
	var in io.Reader = env.Stdin
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return "", bad("reading the prompt: %s; nothing was changed", redact.Line(err.Error(), 300))
		}
		defer f.Close()
		in = f
	}
	data, err := io.ReadAll(io.LimitReader(in, maxPrompt+1))
	if err != nil {
		return "", bad("reading the prompt: %s; nothing was changed", redact.Line(err.Error(), 300))
	}
	return asPrompt(string(data))
}

// asPrompt refuses what can't be a prompt.
func asPrompt(text string) (string, error) {
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	switch {
	case text == "":
		return "", bad("the prompt is empty; nothing was changed")
	case len(text) > maxPrompt:
		return "", bad("the prompt is longer than %d bytes; nothing was changed", maxPrompt)
	case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
		return "", bad("the prompt is no UTF-8 text; nothing was changed")
	}
	return text, nil
}

// editedPrompt opens the request in the user's editor.
func editedPrompt(cmd *cobra.Command, t task.Task, env Env) (string, error) {
	editor := cmp.Or(env.Getenv("VISUAL"), env.Getenv("EDITOR"))
	if editor == "" {
		return "", &Error{
			Code: exitBad, Err: errors.New("neither VISUAL nor EDITOR names an editor; nothing was changed"),
			Hints: []string{"checkrein drive tasks edit " + shortTask(t) + " --prompt-file FILE"},
		}
	}
	folder, err := os.MkdirTemp("", "checkrein-prompt-")
	if err != nil {
		return "", fmt.Errorf("making a file for the editor: %w", err)
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "prompt.txt")
	request, _ := drive.Request(t)
	if err := os.WriteFile(file, []byte(request+"\n"), 0o600); err != nil {
		return "", fmt.Errorf("making a file for the editor: %w", err)
	}
	run := exec.CommandContext(cmd.Context(), "sh", "-c", editor+` "$@"`, editor, file) // as git does: it may have arguments
	run.Stdin, run.Stdout, run.Stderr = env.Stdin, env.Stdout, env.Stderr
	if err := run.Run(); err != nil {
		return "", bad("the editor %s ended with an error (%s); nothing was changed", redact.Line(editor, 60), redact.Line(err.Error(), 100))
	}
	return promptFrom(file, env)
}
