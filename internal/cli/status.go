package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"checkrein/internal/hook"
	"checkrein/internal/redact"
	"checkrein/internal/state"
	"checkrein/internal/status"
)

type statusOptions struct {
	session           string
	list, reset, json bool
	out               string
}

func newStatusCommand(env Env) *cobra.Command {
	var o statusOptions
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show what a session has spent, and start its counts over",
		Long: `Shows what the guard has counted for the session it checked last, or for the one
that --session names: dollars against the cap, how often each wire fired, the latest
events, and every rule with its limit.

--reset starts the counts of one session over, as "checkrein guard reset" does: spend
counts from $0 again, and the loop and failure counts are cleared. The session's
total stays in the record. It refuses inside an agent's session.

Exit status: 0 done; 1 --reset inside an agent's session; 2 bad flags, or no such
session.`,
		Example: `  checkrein guard status
  checkrein guard status --list
  checkrein guard status --session 23dbff23 --reset
  checkrein guard status --json`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return runStatus(o, env) },
	}
	flags := cmd.Flags()
	flags.StringVar(&o.session, "session", "", "the session's `id` or its first characters (default: the one checked last)")
	flags.BoolVar(&o.list, "list", false, "list every session the guard knows")
	flags.BoolVar(&o.reset, "reset", false, "start the session's counts over")
	flags.BoolVar(&o.json, "json", false, "print JSON")
	flags.StringVar(&o.out, "out", "", "write the report to this `file`")
	return cmd
}

func runStatus(o statusOptions, env Env) error {
	if o.list && o.reset {
		return bad("--reset works on one session; leave out --list")
	}
	if o.reset {
		if err := writable(o.out); err != nil {
			return err
		}
	}
	store := state.Open(env.Getenv)
	text, err := statusText(o, store, env)
	if err != nil {
		return err
	}
	return emit(text, o.out, env)
}

func statusText(o statusOptions, store state.Store, env Env) (string, error) {
	found, errorsLogged := store.Sessions(), store.ErrorsLogged()
	if o.list {
		return listText(found, errorsLogged, store, o.json)
	}
	saved, err := pick(found, o.session)
	if err != nil {
		return "", err
	}
	if saved == nil {
		return emptyText(o, store)
	}
	var note string
	if o.reset {
		if note, err = reset(saved, store, env); err != nil {
			return "", err
		}
	}
	if env.Getenv("RUNAWAY_GUARD_RULES") != "reference" { // the Python guard shows the last check
		hook.Refresh(store, saved.Session, false, env.Now())
	}
	sum := status.Of(saved.Session, saved.Path, errorsLogged)
	if o.json {
		sum.Headline = sum.Title(sum.Short())
		return indented(sum)
	}
	return sum.Markdown(note), nil
}

func listText(found []state.Saved, errorsLogged int, store state.Store, asJSON bool) (string, error) {
	all := make([]status.Summary, len(found))
	for i, f := range found {
		all[i] = status.Of(f.Session, f.Path, errorsLogged)
	}
	if !asJSON {
		return status.List(all), nil
	}
	return indented(struct {
		Folder   string           `json:"state_folder"`
		Sessions []status.Summary `json:"sessions"`
	}{store.Dir, all})
}

const noSession = "The guard has not checked any session yet."

func emptyText(o statusOptions, store state.Store) (string, error) {
	if o.reset {
		return "", bad("there is no session to reset yet")
	}
	if o.json {
		return indented(struct {
			Headline string  `json:"headline"`
			Folder   string  `json:"state_folder"`
			Session  *string `json:"session"`
		}{noSession, store.Dir, nil})
	}
	return fmt.Sprintf("**%s**\n\nIts counts go to %s. Once the hook is installed (checkrein guard install --write), the "+
		"first tool call of a session makes them.\n", noSession, redact.Line(store.Dir, 300)), nil
}

// pick finds the session meant by an id, a file name or the start of an id; the
// newest when nothing is asked for.
func pick(found []state.Saved, wanted string) (*state.Saved, error) {
	if wanted == "" {
		if len(found) == 0 {
			return nil, nil
		}
		return &found[0], nil
	}
	var starts []*state.Saved
	for i := range found {
		f := &found[i]
		if f.Session.ID == wanted || filepath.Base(f.Path) == wanted+".json" {
			return f, nil
		}
		if strings.HasPrefix(f.Session.ID, wanted) {
			starts = append(starts, f)
		}
	}
	shown := redact.Line(wanted, 80)
	switch len(starts) {
	case 1:
		return starts[0], nil
	case 0:
		return nil, &Error{
			Code: exitBad, Err: fmt.Errorf("no session matches %s", shown),
			Hints: []string{"checkrein guard status --list"},
		}
	}
	return nil, bad("%d sessions start with %s; give more of the id", len(starts), shown)
}
