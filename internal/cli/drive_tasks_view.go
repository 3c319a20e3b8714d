//go:build unix

package cli

import (
	"bufio"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"checkrein/internal/drive"
	"checkrein/internal/live"
	"checkrein/internal/redact"
	"checkrein/internal/repo"
	"checkrein/internal/task"
)

// view walks through the tasks on a terminal.
func view(ctx context.Context, path string, env Env) error {
	if !isTerminal(env.Stdin) || !onTerminal(env.Stdout) {
		return &Error{
			Code: exitBad, Err: errors.New("drive tasks alone asks about each task, which needs a terminal"),
			Hints: []string{"checkrein drive tasks list"},
		}
	}
	ctx, stop := stoppable(ctx)
	defer stop()
	w := walker{ctx: ctx, env: env, in: bufio.NewReader(env.Stdin), tasks: path}
	return w.look()
}

// keys is the line that asks what to do with a task.
const keys = "[a]ccept [r]eject [e]dit the prompt [d]iff of the tests [n]ext [p]revious [q]uit: "

// look shows one task after the other and does what is typed. What was decided is
// in the file at once.
func (w *walker) look() error {
	for at := 0; ; {
		doc, err := loadTasks(w.tasks)
		if err != nil {
			return err
		}
		if len(doc.Tasks) == 0 {
			w.say("The tasks file has no tasks.")
			return nil
		}
		if at >= len(doc.Tasks) {
			w.say("\nThat was the last task: %s", tallied(doc))
			return nil
		}
		at = max(at, 0)
		w.say("\nTask %d of %d", at+1, len(doc.Tasks))
		w.show(doc.Tasks[at])
		step, err := w.choose(doc, doc.Tasks[at])
		if err != nil || step == quit {
			return err
		}
		at += step
	}
}

// quit is the step that ends the view.
const quit = 1 << 20

// show is the head of a task, its request and its tests.
func (w *walker) show(t task.Task) {
	const most = 25
	request, _ := drive.Request(t)
	lines := redact.Block(request, widest)
	w.say("%s", strings.TrimRight(taskHead(t), "\n"))
	for _, line := range lines[:min(len(lines), most)] {
		w.say("  | %s", line)
	}
	if more := len(lines) - most; more > 0 {
		w.say("  | and %s more: checkrein drive tasks show %s", live.Count(more, "line"), shortTask(t))
	}
	if t.Grade != nil {
		w.say("%s: %s", live.Count(len(t.Grade.FailToPass), "telling test"), namesInCode(t.Grade.FailToPass, 5))
	}
	w.say("Hidden tests: %s", namesInCode(hiddenIn(t), 5))
}

// choose asks until there is a step to another task, or none for the same one.
func (w *walker) choose(doc task.Document, t task.Task) (step int, err error) {
	for {
		answer, err := w.ask(keys, "checkrein drive tasks list")
		if known := new(Error); errors.As(err, &known) && known.Code == exitBad {
			return quit, nil // the end of the input
		}
		if err != nil {
			return quit, &Error{Code: exitStopped, Err: errors.New("stopped: what was decided so far is kept")}
		}
		switch strings.ToLower(answer) {
		case "a":
			return w.told(1, decideTasks(w.tasks, []string{t.ID}, task.Review{Choice: task.Accepted}, w.env))
		case "r":
			return w.reject(t)
		case "e":
			words := func(t task.Task) (string, error) {
				cmd := &cobra.Command{}
				cmd.SetContext(w.ctx)
				return editedPrompt(cmd, t, w.env)
			}
			return w.told(0, editTask(w.tasks, t.ID, words, w.env))
		case "d":
			w.diff(doc, t)
		case "n", "":
			return 1, nil
		case "p":
			return -1, nil
		case "q":
			w.say("%s", tallied(doc))
			return quit, nil
		default:
			w.say("Type one of the letters in brackets, and Enter.")
		}
	}
}

// told goes on after an error of what was typed: it is said, and nothing is lost.
func (w *walker) told(step int, err error) (int, error) {
	if err == nil {
		return step, nil
	}
	w.say("%s", err)
	return 0, nil
}

func (w *walker) reject(t task.Task) (int, error) {
	why, err := w.ask("Why? (Enter alone: no reason) ", "checkrein drive tasks list")
	if err != nil {
		return quit, &Error{Code: exitStopped, Err: errors.New("stopped: the task is not rejected")}
	}
	return w.told(1, decideTasks(w.tasks, []string{t.ID}, task.Review{Choice: task.Refused, Why: why}, w.env))
}

// diff shows what the change does to the hidden tests.
func (w *walker) diff(doc task.Document, t task.Task) {
	const around, most = 3, 400
	pieces, err := func() ([]repo.Piece, error) {
		r, err := repo.Open(w.ctx, doc.Repo)
		if err != nil {
			return nil, err
		}
		defer r.Close()
		return r.Pieces(w.ctx, t.Parent, t.Commit, around)
	}()
	if err != nil {
		w.say("The change can't be read: %s", safeError(err))
		return
	}
	var lines []string
	for _, p := range pieces {
		if slices.Contains(hiddenIn(t), p.Path) {
			lines = append(lines, redact.Block(p.Text, widest)...)
		}
	}
	w.say("%s", strings.Join(lines[:min(len(lines), most)], "\n"))
	if more := len(lines) - most; more > 0 {
		w.say("… and %s more", live.Count(more, "line"))
	}
}
