package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"checkrein/internal/guard"
	"checkrein/internal/price"
	"checkrein/internal/redact"
	"checkrein/internal/replay"
	"checkrein/internal/state"
)

type whyOptions struct {
	session, out string
	last         int
	json         bool
}

func newWhyCommand(env Env) *cobra.Command {
	var o whyOptions
	cmd := &cobra.Command{
		Use:   "why",
		Short: "Show the evidence of a session's latest stops",
		Long: `Shows why the guard stepped in: the rule, the time, what was spent by then, and the
calls that it is about with their lines in the transcript and what they gave. After
a cap it shows the dearest responses and how the spend splits over agents.

The evidence is read from the transcripts now; the guard itself keeps counts and
hashes only. Secrets in it are masked.

Exit status: 0 done, also when nothing was stopped; 2 bad flags, or no such session.`,
		Example: `  checkrein guard why                      # of the session that was stopped last
  checkrein guard why --session 23dbff23 --last 1
  checkrein guard why --json`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return runWhy(o, env) },
	}
	flags := cmd.Flags()
	flags.StringVar(&o.session, "session", "", "the session's `id` or its first characters (default: the one stopped last)")
	flags.IntVar(&o.last, "last", 3, "how many of the latest stops to show, at most 50")
	flags.BoolVar(&o.json, "json", false, "print JSON")
	flags.StringVar(&o.out, "out", "", "write the report to this `file`")
	return cmd
}

func runWhy(o whyOptions, env Env) error {
	if o.last < 1 || o.last > 50 {
		return bad("--last is a number from 1 to 50, not %d", o.last)
	}
	store := state.Open(env.Getenv)
	saved, err := stoppedLast(store.Sessions(), o.session)
	if err != nil {
		return err
	}
	w := whyReport{Headline: "The guard has not stopped anything yet.", Stops: []replay.Reason{}, Missing: []string{}}
	if saved != nil {
		w.read(saved.Session, o.last, store, env)
	}
	if o.json {
		text, err := indented(w)
		if err != nil {
			return err
		}
		return emit(text, o.out, env)
	}
	return emit(w.text(), o.out, env)
}

// stoppedLast is the session asked for, else the one whose latest stop is the
// latest of all; nil when there is none.
func stoppedLast(found []state.Saved, wanted string) (latest *state.Saved, err error) {
	if wanted != "" {
		return pick(found, wanted)
	}
	var at string
	for i := range found {
		stops := replay.Stops(found[i].Session)
		if len(stops) > 0 && stops[len(stops)-1].At > at {
			latest, at = &found[i], stops[len(stops)-1].At
		}
	}
	return latest, nil
}

// whyReport is what `guard why --json` prints.
type whyReport struct {
	Headline string          `json:"headline"`
	Session  string          `json:"session"`
	Harness  string          `json:"harness"`
	Stops    []replay.Reason `json:"stops"`
	Missing  []string        `json:"missing_transcripts"`
}

func (w *whyReport) read(s *guard.Session, last int, store state.Store, env Env) {
	w.Session, w.Harness = redact.Line(s.ID, 140), redact.Line(s.Harness, 20)
	all := len(replay.Stops(s))
	w.Headline = fmt.Sprintf("The guard has not stopped session %s.", w.Session)
	if all == 0 {
		return
	}
	w.Headline = fmt.Sprintf("The guard stepped in %s in session %s.", timesText(all), w.Session)
	if all > last {
		w.Headline += fmt.Sprintf(" These are the latest %d.", last)
	}
	reasons, missing := replay.Why(s, last, func() *price.Table { return prices(env) }, func() guard.Shared { return store.ReadShared() })
	w.Stops = reasons
	for _, path := range missing {
		w.Missing = append(w.Missing, redact.Line(path, 300))
	}
}

func timesText(n int) string {
	if n == 1 {
		return "1 time"
	}
	return fmt.Sprintf("%d times", n)
}
