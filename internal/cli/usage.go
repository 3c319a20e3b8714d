package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"checkrein/internal/harness"
	"checkrein/internal/harness/registry"
	"checkrein/internal/history"
	"checkrein/internal/redact"
	"checkrein/internal/state"
	"checkrein/internal/usage"
)

type usageOptions struct {
	since, by, project, harness, out string
	json                             bool
}

func newUsageCommand(env Env) *cobra.Command {
	var o usageOptions
	cmd := &cobra.Command{
		Use:   "usage",
		Short: "Show what all recorded sessions used and cost",
		Long: `Adds up the sessions that Claude Code, Codex, Gemini CLI, OpenCode and pi recorded
on this computer: tokens, and dollars at API list prices. Each response counts
once, also where a session was resumed or forked. Days are local days.

Nothing of theirs is changed. What was read is remembered in the state folder, so
that the next run reads only what is new.

Exit status: 0 done, also when there is no session; 2 bad flags; 130 stopped by a
signal.`,
		Example: `  checkrein usage                          # by day
  checkrein usage --since 30d --by project
  checkrein usage --since 2026-11-01 --by model --harness claude-code
  checkrein usage --project . --by session
  checkrein usage --json --out usage.json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runUsage(cmd.Context(), o, env) },
	}
	flags := cmd.Flags()
	flags.StringVar(&o.since, "since", "", "leave out what is older: a `day` such as 2026-11-01, or a number of days such as 30d")
	flags.StringVar(&o.by, "by", string(usage.Day), "`what` a line stands for: "+strings.ReplaceAll(ways(), "|", ", "))
	flags.StringVar(&o.project, "project", "", "only sessions that worked in this `folder` or below it")
	flags.StringVar(&o.harness, "harness", "", "only the sessions of the harness of this `name`: "+strings.Join(archiveNames(), ", "))
	completes(cmd, "by", strings.Split(ways(), "|")...)
	completes(cmd, "harness", archiveNames()...)
	flags.BoolVar(&o.json, "json", false, "print JSON")
	flags.StringVar(&o.out, "out", "", "write the report to this `file`")
	return cmd
}

func ways() string {
	var names []string
	for _, w := range usage.Ways() {
		names = append(names, string(w))
	}
	return strings.Join(names, "|")
}

func archiveNames() (names []string) {
	for _, a := range registry.Archives() {
		names = append(names, a.Name)
	}
	return names
}

func runUsage(ctx context.Context, o usageOptions, env Env) error {
	q, archives, err := usageQuestion(o, env)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	found, err := readHistory(ctx, archives, env)
	if err != nil {
		return err
	}
	report := usage.Fold(found.Logs, prices(env), q)
	text, err := usageText(report, found, o, env)
	if err != nil {
		return err
	}
	tellProblems(found.Problems, env)
	return emit(text, o.out, env)
}

// usageQuestion turns flags into a question, or says what to change.
func usageQuestion(o usageOptions, env Env) (q usage.Question, archives []harness.Archive, err error) {
	q = usage.Question{By: usage.By(o.by), Harness: o.harness, Zone: env.Now().Location()}
	if !strings.Contains("|"+ways()+"|", "|"+o.by+"|") {
		return q, nil, bad("--by takes one of %s, not %s", strings.ReplaceAll(ways(), "|", ", "), redact.Line(o.by, 40))
	}
	if q.Since, err = sinceDay(o.since, env.Now()); err != nil {
		return q, nil, err
	}
	if o.project != "" {
		if q.Project, err = filepath.Abs(o.project); err != nil {
			return q, nil, bad("finding the folder %s: %w", redact.Line(o.project, 300), err)
		}
	}
	for _, a := range registry.Archives() {
		if o.harness == "" || o.harness == a.Name {
			archives = append(archives, a)
		}
	}
	if len(archives) == 0 {
		return q, nil, bad("unknown harness %s; known are %s", redact.Line(o.harness, 40), strings.Join(archiveNames(), ", "))
	}
	return q, archives, nil
}

// sinceDay is the start of the first local day meant by 30d (today and the 29
// days before it) or a date.
func sinceDay(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	var days int
	if n, err := fmt.Sscanf(text, "%dd", &days); err == nil && n == 1 && days > 0 && days < 100_000 && text == fmt.Sprintf("%dd", days) {
		y, m, d := now.Date()
		return time.Date(y, m, d-days+1, 0, 0, 0, 0, now.Location()), nil
	}
	day, err := time.ParseInLocation(time.DateOnly, text, now.Location())
	if err != nil {
		return day, bad("--since takes a day such as 2026-11-01 or a number of days such as 30d, not %s", redact.Line(text, 40))
	}
	return day, nil
}

func readHistory(ctx context.Context, archives []harness.Archive, env Env) (*history.Result, error) {
	watch := &readProgress{env: env, shown: onTerminal(env.Stderr), from: env.Now()}
	found, err := history.Read(ctx, history.Options{
		Archives: archives, Getenv: env.Getenv, Home: state.Home(env.Getenv),
		Cache: filepath.Join(state.Open(env.Getenv).Dir, "usage.cache"), Build: build(), Progress: watch.show,
	})
	watch.end()
	if errors.Is(err, context.Canceled) {
		return nil, &Error{Code: exitStopped, Err: errors.New("stopped; nothing was kept of what was read so far")}
	}
	return found, err
}

// build tells one program from another, so that a cache made by other rules is
// not used.
func build() string {
	path, err := os.Executable()
	if err != nil {
		return version()
	}
	info, err := os.Stat(path)
	if err != nil {
		return version()
	}
	return fmt.Sprintf("%s %d %d", version(), info.Size(), info.ModTime().UnixNano())
}
