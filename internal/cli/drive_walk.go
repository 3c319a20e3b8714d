//go:build unix

package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"golang.org/x/term"

	"checkrein/internal/drive"
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
	w := walker{env: env, in: bufio.NewReader(env.Stdin)}
	names := w.installed()
	if len(names) == 0 {
		return bad("none of the agents that can be driven is on PATH: %s", strings.Join(drive.Names(), ", "))
	}
	if err := w.mine(ctx); err != nil {
		return err
	}
	if err := w.step("Step 2 of 4: what it may cost.", "drive", "estimate", "--harness", names); err != nil {
		return err
	}
	limit, err := w.askCap()
	if err != nil || limit == 0 {
		return err
	}
	args := []string{"drive", "run", "--harness", names, "--max-usd", strconv.FormatFloat(limit, 'f', -1, 64)}
	if strings.Contains(names, "gemini-cli") && w.yes("Gemini CLI's cost can't be measured. Run it all the same, counted as $0?") {
		args = append(args, "--allow-unpriced", "gemini-cli")
	} else if strings.Contains(names, "gemini-cli") {
		args[3] = strings.Trim(strings.ReplaceAll(","+names+",", ",gemini-cli,", ","), ",")
	}
	if args[3] == "" {
		w.say("No agent is left to run.")
		return nil
	}
	if err := w.step("Step 3 of 4: the runs.", args...); err != nil {
		return err
	}
	w.say("\nStep 4 of 4: the scoreboard above is in the results file. To print it again:\n\n  checkrein drive report")
	return nil
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

type walker struct {
	env Env
	in  *bufio.Reader
}

func (w walker) say(format string, args ...any) { fmt.Fprintf(w.env.Stdout, format+"\n", args...) }

// step says what comes, shows the command that does it, and runs it.
func (w walker) step(title string, args ...string) error {
	w.say("\n%s\n\n  $ checkrein %s\n", title, strings.Join(args, " "))
	return runCommand(args, w.env)
}

// runCommand runs another command line of this program in this process.
func runCommand(args []string, env Env) error {
	root := newRootCommand(env)
	root.SetArgs(args)
	root.SetOut(env.Stdout)
	root.SetErr(env.Stderr)
	return root.ExecuteContext(context.Background())
}

func (w walker) mine(context.Context) error {
	doc, err := drive.ReadTasks(defaultTasks)
	if n := drive.Validated(doc); err == nil && n > 0 {
		w.say("Step 1 of 4: %s already checked, in %s.", live.Count(n, "task"), defaultTasks)
		if w.yes("Use them?") {
			return nil
		}
	}
	return w.step("Step 1 of 4: tasks from this repository's history. This runs its tests many times.", "drive", "mine", "--validate")
}

// installed is the drivable agents on this machine, with commas between.
func (w walker) installed() string {
	var found []string
	for _, name := range drive.Names() {
		if h, ok := drive.Known(name); ok {
			if _, err := exec.LookPath(h.Program); err == nil {
				found = append(found, name)
			}
		}
	}
	return strings.Join(found, ",")
}

// askCap asks until it has an amount; 0 is no, and so is the end of input.
func (w walker) askCap() (float64, error) {
	for {
		answer, err := w.ask("\nThe runs call the agents' model providers, and that costs money.\nHow many dollars may they spend at most? (nothing: stop here) $")
		if err != nil || answer == "" {
			w.say("Nothing was run. To go on later: checkrein drive run --harness NAMES --max-usd DOLLARS")
			return 0, nil
		}
		limit, err := strconv.ParseFloat(strings.TrimPrefix(answer, "$"), 64)
		if err == nil && limit > 0 && limit < 1e6 {
			return limit, nil
		}
		w.say("An amount in dollars, such as 5 or 7.50.")
	}
}

func (w walker) yes(question string) bool {
	answer, err := w.ask(question + " [y/N] ")
	return err == nil && strings.HasPrefix(strings.ToLower(answer), "y")
}

func (w walker) ask(question string) (string, error) {
	fmt.Fprint(w.env.Stdout, question)
	line, err := w.in.ReadString('\n')
	return strings.TrimSpace(line), err
}

func isTerminal(in any) bool {
	f, ok := in.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
