package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"checkrein/internal/guard"
	"checkrein/internal/hook"
	"checkrein/internal/redact"
	"checkrein/internal/state"
)

type allowOptions struct {
	session, usd string
	json         bool
}

func newAllowCommand(env Env) *cobra.Command {
	var o allowOptions
	cmd := &cobra.Command{
		Use:   "allow",
		Short: "Let a stopped session go on",
		Long: `Undoes the guard's latest stop: of the session that --session names, else of the
one that was stopped last. A session that has reached its cap may spend as much
once more, or --usd dollars more; one stopped by a total over all sessions may pass
it by as much again. Loop, failure and subagent counts are cleared.

Type it in a terminal of your own, or type just these words as a prompt. It refuses
inside an agent's session: an agent must not lift its own stop.

Exit status: 0 done; 1 the session is not stopped, or this runs inside an agent's
session; 2 bad flags, or no such session.`,
		Example: `  checkrein guard allow
  checkrein guard allow --usd 5
  checkrein guard allow --session 23dbff23 --usd 2.50`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return runAllow(o, env) },
	}
	flags := cmd.Flags()
	flags.StringVar(&o.session, "session", "", "the session's `id` or its first characters (default: the one stopped last)")
	flags.StringVar(&o.usd, "usd", "", "how many `dollars` more it may spend (default: as much once more)")
	flags.BoolVar(&o.json, "json", false, "print JSON")
	return cmd
}

func runAllow(o allowOptions, env Env) error {
	word, err := o.word()
	if err != nil {
		return err
	}
	if err := usersOnly("lift a stop", env); err != nil {
		return err
	}
	store := state.Open(env.Getenv)
	saved, err := pickStopped(store, o.session, env)
	if err != nil {
		return err
	}
	done, err := changed(saved, store, env, func(s *guard.Session) ([]string, error) { return allow(s, word, store, env) })
	if err != nil {
		return err
	}
	return emitDone(saved.Session.ID, done, o.json, env)
}

func (o allowOptions) word() (guard.Word, error) {
	if o.usd == "" {
		return guard.Word{}, nil
	}
	usd, ok := guard.ParseUSD(o.usd)
	if !ok {
		return guard.Word{}, bad("--usd %s is no amount of dollars above 0 and up to %d", redact.Line(o.usd, 40), guard.MaxAllowedUSD)
	}
	return guard.Word{USD: usd}, nil
}

// allow works out on a copy, which has read all that the transcripts hold, from
// where on the session may spend more.
func allow(s *guard.Session, w guard.Word, store state.Store, env Env) ([]string, error) {
	read, _, err := store.Load(s.ID)
	if err != nil || read == nil {
		return nil, bad("reading the session: %w", err)
	}
	hook.Refresh(store, read, true, env.Now())
	done := read.Allow(s.Limits, totals(s, store, env), w.USD)
	switch {
	case len(done) == 0 && w.USD > 0:
		return nil, &Error{Code: exitNo, Err: errors.New("the session has no cap in dollars of its own, and no other is reached"), Hints: []string{
			"checkrein guard budget   # to see the caps",
		}}
	case len(done) == 0:
		return nil, &Error{Code: exitNo, Err: errors.New("the session is not stopped"), Hints: []string{
			"checkrein guard allow --session " + guard.Quote(redact.Line(s.ID, 140)) + " --usd 5   # to raise its cap anyway",
		}}
	}
	s.TakeOver(read)
	return done, nil
}

// totals is what all sessions together have spent.
func totals(s *guard.Session, store state.Store, env Env) guard.Budget {
	t, err := store.Totals(s.Project, env.Now())
	if err != nil {
		store.LogError("ledger", err, env.Now())
	}
	return hook.BudgetOf(t, s.Project, env.Now())
}

// pickStopped is the session meant; without one that is asked for, the one that
// is stopped, of several the one whose latest stop is the latest.
func pickStopped(store state.Store, wanted string, env Env) (*state.Saved, error) {
	found := store.Sessions()
	if wanted == "" {
		held := slices.DeleteFunc(slices.Clone(found), func(one state.Saved) bool {
			return !one.Session.Stopped(one.Session.Limits, totals(one.Session, store, env))
		})
		if len(held) > 0 {
			saved, err := stoppedLast(held, "")
			return cmp.Or(saved, &held[0]), err
		}
	}
	saved, err := pick(found, wanted)
	if err == nil && saved == nil {
		err = bad("the guard has not checked any session yet")
	}
	return saved, err
}

func emitDone(session string, done []string, asJSON bool, env Env) error {
	session = redact.Line(session, 140)
	if !asJSON {
		return emit(fmt.Sprintf("Session %s: %s\n", session, strings.Join(done, " ")), "", env)
	}
	text, err := indented(struct {
		Session string   `json:"session"`
		Done    []string `json:"done"`
	}{session, done})
	if err != nil {
		return err
	}
	return emit(text, "", env)
}
