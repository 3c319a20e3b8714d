package cli

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"checkrein/internal/guard"
	"checkrein/internal/hook"
	"checkrein/internal/limits"
	"checkrein/internal/redact"
	"checkrein/internal/state"
)

type budgetOptions struct {
	project, out string
	reset, json  bool
}

func newBudgetCommand(env Env) *cobra.Command {
	var o budgetOptions
	cmd := &cobra.Command{
		Use:   "budget",
		Short: "Show each cap, what is used of it, and when it starts over",
		Long: `Shows what was spent of each cap: by the session that was checked last, and by all
sessions and test drives together today, this week (from Monday), this month and
in this project. Days begin at midnight in the local time zone. A cap that is off
shows what was spent. Dollars are USD at API list prices; tokens are all but those
read from a cache.

The caps are settings: spend_cap_usd, day_cap_usd, week_cap_usd, month_cap_usd,
project_cap_usd and cap_tokens in runaway-guard.json.

--reset-project starts the project's sum over. It refuses inside an agent's session.

Exit status: 0 done; 1 --reset-project inside an agent's session; 2 bad flags or
files.`,
		Example: `  checkrein guard budget
  checkrein guard budget --project ~/src/shop
  checkrein guard budget --reset-project
  checkrein guard budget --json`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return runBudget(o, env) },
	}
	flags := cmd.Flags()
	flags.StringVar(&o.project, "project", "", "a `folder` of the project (default: this one)")
	flags.BoolVar(&o.reset, "reset-project", false, "start the project's sum over")
	flags.BoolVar(&o.json, "json", false, "print JSON")
	flags.StringVar(&o.out, "out", "", "write the report to this `file`")
	return cmd
}

func runBudget(o budgetOptions, env Env) error {
	project, err := projectOf(o.project)
	if err != nil {
		return err
	}
	store := state.Open(env.Getenv)
	var note string
	if o.reset {
		if note, err = resetProject(o, project, store, env); err != nil {
			return err
		}
	}
	report, err := budgetOf(project, store, env)
	if err != nil {
		return err
	}
	text := report.Markdown(note)
	if o.json {
		if text, err = indented(report); err != nil {
			return err
		}
	}
	return emit(text, o.out, env)
}

// projectOf is the project of a folder, or of the current one.
func projectOf(dir string) (string, error) {
	if dir == "" {
		here, err := os.Getwd()
		if err != nil {
			return "", bad("which folder is this? %w", err)
		}
		return state.ProjectRoot(here), nil
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return "", bad("--project %s is no folder", redact.Line(dir, 300))
	}
	return state.ProjectRoot(dir), nil
}

func resetProject(o budgetOptions, project string, store state.Store, env Env) (note string, err error) {
	if err := usersOnly("start a project's sum over", env); err != nil {
		return "", err
	}
	if err := writable(o.out); err != nil {
		return "", err
	}
	if err := store.Make(); err != nil {
		return "", bad("making the state folder: %w", err)
	}
	was, err := store.ResetProject(project, env.Now())
	if err != nil {
		return "", bad("%w", err)
	}
	return fmt.Sprintf("Done: the project's sum counts from $0.00 again; it was %s.", usd(was)), nil
}

// budgetOf gathers what the report tells. The session's count is brought up to
// date first, as in status; what all have paid is as of their latest calls.
func budgetOf(project string, store state.Store, env Env) (*budgetReport, error) {
	now := env.Now()
	totals, err := store.Totals(project, now)
	if err != nil {
		return nil, bad("%w", err)
	}
	r := &budgetReport{At: now, Folder: store.Dir, Project: project, Lifetime: totals.Lifetime.USD()}
	session := latest(store, env)
	if session != nil {
		r.Session = &session.ID
	} else {
		session = guard.New("", "", now)
	}
	l, _ := limits.Load(env.Getenv, store.Dir, project)
	budget := hook.BudgetOf(totals, project, now)
	r.count(session, session.Caps(l, budget), totals)
	reached, over := session.Reached(l, budget)
	r.Headline = r.title(totals, reached, over)
	return r, nil
}

// latest is the session that was checked last, nil for none.
func latest(store state.Store, env Env) *guard.Session {
	found := store.Sessions()
	if len(found) == 0 {
		return nil
	}
	session := found[0].Session
	if env.Getenv("RUNAWAY_GUARD_RULES") != "reference" {
		hook.Refresh(store, session, false, env.Now())
	}
	return session
}
