//go:build unix

package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"checkrein/internal/drive"
	"checkrein/internal/harness"
	"checkrein/internal/live"
)

// walk takes a person through the four steps of a test drive, and asks for the
// one thing that must be theirs to say: how much may be spent.
func walk(ctx context.Context, env Env) error {
	if !isTerminal(env.Stdin) || !onTerminal(env.Stdout) {
		return &Error{
			Code: exitBad, Err: errors.New("drive alone asks questions, which needs a terminal"),
			Hints: []string{nextStep()},
		}
	}
	ctx, stop := stoppable(ctx)
	defer stop()
	w := walker{ctx: ctx, env: env, in: bufio.NewReader(env.Stdin), tasks: defaultTasks, names: installed()}
	if len(w.names) == 0 {
		return &Error{
			Code: exitBad, Err: errors.New("none of the agents that can be driven is on PATH: " + strings.Join(drive.Names(), ", ")),
			Hints: []string{"checkrein drive demo"},
		}
	}
	if err := w.findTasks(); err != nil {
		return err
	}
	if err := w.offerLook(); err != nil {
		return err
	}
	if err := w.step("Step 2 of 4: what it may cost.", "estimate", "--harness", strings.Join(w.names, ",")); err != nil {
		return err
	}
	return w.run()
}

// nextStep is the command that a drive in this folder needs next.
func nextStep() string {
	if _, err := os.Stat(defaultTasks); err != nil {
		return "checkrein drive mine --validate"
	}
	if _, err := os.Stat(defaultResults); err != nil {
		return "checkrein drive estimate"
	}
	return "checkrein drive report"
}

// installed is the drivable agents on this machine.
func installed() (found []string) {
	for _, name := range drive.Names() {
		if h, ok := drive.Known(name); ok {
			if _, err := exec.LookPath(h.Program); err == nil {
				found = append(found, name)
			}
		}
	}
	return found
}

type walker struct {
	ctx   context.Context
	env   Env
	in    *bufio.Reader
	tasks string   // the tasks file
	names []string // the harnesses
}

// step says what comes, shows the command that does it, and runs it. Mining
// finds the folder by itself.
func (w *walker) step(title string, args ...string) error {
	args = append([]string{"drive"}, args...)
	if w.tasks != defaultTasks && args[1] != "mine" {
		args = append(args, "--tasks", w.tasks)
	}
	w.say("\n%s\n\n  $ checkrein %s\n", title, strings.Join(args, " "))
	root := newRootCommand(w.env)
	root.SetArgs(args)
	root.SetOut(w.env.Stdout)
	root.SetErr(w.env.Stderr)
	return root.ExecuteContext(w.ctx)
}

// findTasks makes sure of tasks. The folder they are in is that of the whole
// repository, wherever in it the user is.
func (w *walker) findTasks() error {
	r, err := openRepo(w.ctx, ".")
	if err != nil {
		return err
	}
	defer r.Close()
	w.tasks = tasksFrom(r.Top)
	if n := w.checked(); n > 0 {
		w.say("Step 1 of 4: %s already checked, in %s.", live.Count(n, "task"), w.tasks)
		if use, err := w.yes("Use them? [Y/n] ", true, "checkrein drive estimate"+w.elsewhere("--tasks", "tasks.json")); err != nil || use {
			return err
		}
	}
	if err := w.step("Step 1 of 4: tasks from this repository's history. This runs its tests many times.", "mine", "--validate"); err != nil {
		return err
	}
	if w.checked() == 0 {
		return &Error{
			Code: exitNo, Err: errors.New("there is nothing to run: no commit passed the check"),
			Hints: []string{`checkrein drive mine --validate --test-cmd "..." --setup-cmd "..."`},
		}
	}
	return nil
}

// offerLook offers to go through the tasks before they cost anything.
func (w *walker) offerLook() error {
	doc, err := loadTasks(w.tasks)
	if err != nil {
		return err
	}
	_, _, doubtful := tally(doc)
	question := fmt.Sprintf("%s, %d doubtful; look at them? [y/N] ", live.Count(len(doc.Tasks), "task"), doubtful)
	look, err := w.yes(question, false, "checkrein drive tasks"+w.elsewhere("--tasks", "tasks.json"))
	if err != nil || !look {
		return err
	}
	if err := w.look(); err != nil {
		return err
	}
	if w.checked() == 0 {
		return &Error{
			Code: exitNo, Err: errors.New("there is nothing to run: every task is rejected"),
			Hints: []string{"checkrein drive tasks accept ID" + w.elsewhere("--tasks", "tasks.json")},
		}
	}
	return nil
}

// checked counts the tasks that are there.
func (w *walker) checked() int {
	doc, err := drive.ReadTasks(w.tasks)
	if err != nil {
		return 0
	}
	return drive.Validated(doc)
}

// tasksFrom is the path of a repository's tasks file from here.
func tasksFrom(top string) string {
	path := filepath.Join(top, defaultTasks)
	here, err := os.Getwd()
	if real, err := filepath.EvalSymlinks(here); err == nil {
		here = real // as git names the top folder
	}
	if near, relErr := filepath.Rel(here, path); err == nil && relErr == nil {
		return near
	}
	return path
}

// elsewhere is the flag that a command needs where the files of the test drive
// are not below this folder.
func (w *walker) elsewhere(flag, file string) string {
	if w.tasks == defaultTasks {
		return ""
	}
	return " " + flag + " " + filepath.Join(filepath.Dir(w.tasks), file)
}

// run asks for the cap and runs the agents under it.
func (w *walker) run() error {
	later := "checkrein drive run --harness " + strings.Join(w.names, ",") + " --max-usd DOLLARS" + w.elsewhere("--tasks", "tasks.json")
	limit, err := w.askCap(later)
	if err != nil || limit == 0 {
		return err
	}
	var unpriced []string
	if slices.Contains(w.names, harness.GeminiCLI) {
		run, err := w.yes("Gemini CLI's cost can't be measured. Run it all the same, counted as $0? [y/N] ", false, later)
		if err != nil {
			return err
		}
		if run {
			unpriced = []string{"--allow-unpriced", harness.GeminiCLI}
		} else {
			w.names = slices.DeleteFunc(w.names, func(name string) bool { return name == harness.GeminiCLI })
		}
	}
	if len(w.names) == 0 {
		w.say("No agent is left to run.")
		return nil
	}
	args := []string{"run", "--harness", strings.Join(w.names, ","), "--max-usd", strconv.FormatFloat(limit, 'f', -1, 64)}
	if err := w.step("Step 3 of 4: the runs.", append(args, unpriced...)...); err != nil {
		return err
	}
	w.say("\nStep 4 of 4: the scoreboard above is in the results file. To print it again:\n\n  checkrein drive report%s", w.elsewhere("--results", "results.jsonl"))
	return nil
}
