package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"checkrein/internal/guard"
	"checkrein/internal/hook"
	"checkrein/internal/state"
)

func newResetCommand(env Env) *cobra.Command {
	var session string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "reset",
		Short: "Start a session's counts over",
		Long: `Starts the counts of one session over: spend counts from $0 again, and the loop
and failure counts are cleared. The session's total stays in the record. It is the
same as "checkrein guard status --reset".

Type it in a terminal of your own, or type just "checkrein guard reset" as a prompt.
It refuses inside an agent's session.

Exit status: 0 done; 1 this runs inside an agent's session; 2 bad flags, or no such
session.`,
		Example: `  checkrein guard reset
  checkrein guard reset --session 23dbff23`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return runReset(session, asJSON, env) },
	}
	flags := cmd.Flags()
	flags.StringVar(&session, "session", "", "the session's `id` or its first characters (default: the one stopped last)")
	flags.BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func runReset(session string, asJSON bool, env Env) error {
	store := state.Open(env.Getenv)
	saved, err := pickStopped(store, session, env)
	if err != nil {
		return err
	}
	note, err := reset(saved, store, env)
	if err != nil {
		return err
	}
	return emitDone(saved.Session.ID, []string{note}, asJSON, env)
}

// reset starts a session's counts over under its lock, on what its file holds
// by then.
func reset(saved *state.Saved, store state.Store, env Env) (note string, err error) {
	if err := usersOnly("start a session's counts over", env); err != nil {
		return "", err
	}
	_, err = changed(saved, store, env, func(s *guard.Session) ([]string, error) {
		paid := paidSoFar(s.ID, store, env)
		s.Reset(env.Now(), paid)
		note = fmt.Sprintf("Done: spend counts from $0.00 again, and the loop and failure counts are cleared. The session's "+
			"total so far, $%.2f, stays in the record.", max(paid, s.TotalUSD()))
		return nil, nil
	})
	return note, err
}

// changed changes a session under its lock, on what its file holds by then.
func changed(saved *state.Saved, store state.Store, env Env, change func(*guard.Session) ([]string, error)) (done []string, err error) {
	lock, err := store.LockSession(saved.Session.ID)
	if errors.Is(err, state.ErrBusy) {
		return nil, bad("the session is busy; try again in a moment")
	}
	if err != nil {
		return nil, bad("locking the session: %w", err)
	}
	defer lock.Release()
	if now, _, err := store.Load(saved.Session.ID); err != nil {
		return nil, bad("reading the session: %w", err)
	} else if now != nil {
		saved.Session = now
	}
	if done, err = change(saved.Session); err != nil {
		return nil, err
	}
	if err := store.Save(saved.Session); err != nil {
		return nil, bad("writing the session: %w", err)
	}
	return done, nil
}

// paidSoFar is what a session has cost, with all that its transcripts hold: what
// was paid before a reset must not count after it.
func paidSoFar(id string, store state.Store, env Env) float64 {
	s, _, err := store.Load(id)
	if err != nil || s == nil {
		return 0
	}
	hook.Refresh(store, s, true, env.Now())
	return s.TotalUSD()
}
