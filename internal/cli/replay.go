package cli

import (
	"context"
	"errors"
	"math"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"checkrein/internal/price"
	"checkrein/internal/redact"
	"checkrein/internal/replay"
	"checkrein/internal/state"
)

type replayOptions struct {
	since, cap, harness, out string
	list, json               bool
}

func newReplayCommand(env Env) *cobra.Command {
	var o replayOptions
	cmd := &cobra.Command{
		Use:   "replay",
		Short: "Play past sessions through the rules: what would have been stopped, and which cap fits",
		Long: `Reads the sessions that Claude Code and Codex recorded on this computer and asks
the guard's rules about each of their calls, with what the hook would have known at
that moment and with the limits in your settings. It says which sessions would have
been stopped, when and by which rule, and what was spent after that, and suggests a
cap: what 95 of 100 sessions stayed within, and at least $10.

Nothing is changed: no count of the guard, and nothing of the agents'. A session is
played to its end, also after a stop.

Exit status: 0 done, also when there is no session; 2 bad flags; 130 stopped by a
signal.`,
		Example: `  checkrein guard replay                   # the last 30 days, with your limits
  checkrein guard replay --cap 20          # what another cap would have done
  checkrein guard replay --since 2026-11-01 --list
  checkrein guard replay --harness codex --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runReplay(cmd.Context(), o, env) },
	}
	flags := cmd.Flags()
	flags.StringVar(&o.since, "since", "30d", "leave out sessions not written to since then: a `day` such as 2026-11-01, a number of days such as 30d, or all")
	flags.StringVar(&o.cap, "cap", "", "a cap in `USD` for each session, instead of the one in your settings; 0 for none")
	flags.StringVar(&o.harness, "harness", "", "only the sessions of this agent, `claude-code or codex`")
	completes(cmd, "harness", replay.Names()...)
	flags.BoolVar(&o.list, "list", false, "list every session and every stop")
	flags.BoolVar(&o.json, "json", false, "print JSON")
	flags.StringVar(&o.out, "out", "", "write the report to this `file`")
	return cmd
}

func runReplay(ctx context.Context, o replayOptions, env Env) error {
	options, err := o.options(env)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	watch := &readProgress{env: env, shown: onTerminal(env.Stderr), from: env.Now()}
	options.Progress = watch.show
	report, err := replay.Run(ctx, options)
	watch.end()
	if errors.Is(err, context.Canceled) {
		return &Error{Code: exitStopped, Err: errors.New("stopped; nothing was changed")}
	}
	if err != nil {
		return err
	}
	tellProblems(report.Errs, env)
	text, err := replayText(report, o)
	if err != nil {
		return err
	}
	return emit(text, o.out, env)
}

func (o *replayOptions) options(env Env) (options replay.Options, err error) {
	options = replayed(env)
	if o.since != "all" {
		if options.Since, err = sinceDay(o.since, env.Now()); err != nil {
			return options, err
		}
	}
	if o.cap != "" {
		usd, err := strconv.ParseFloat(strings.TrimPrefix(o.cap, "$"), 64)
		if err != nil || !(usd >= 0) || math.IsInf(usd, 0) {
			return options, bad("--cap is an amount of dollars such as 10 or 2.5, or 0 for no cap, not %s", redact.Line(o.cap, 80))
		}
		options.CapUSD = &usd
	}
	if o.harness != "" && !slices.Contains(replay.Names(), o.harness) {
		return options, bad("--harness is claude-code or codex, not %s", redact.Line(o.harness, 80))
	}
	options.Harness = o.harness
	return options, nil
}

// replayed is where past sessions and limits are on this computer.
func replayed(env Env) replay.Options {
	return replay.Options{
		Getenv: env.Getenv, Home: state.Home(env.Getenv), StateDir: state.Open(env.Getenv).Dir,
		Prices: func() *price.Table { return prices(env) }, Zone: env.Now().Location(),
	}
}

func replayText(r *replay.Report, o replayOptions) (string, error) {
	if !o.json {
		return r.Markdown(o.list), nil
	}
	r.Headline = r.Title()
	if !o.list {
		r.Played = slices.DeleteFunc(r.Played, func(p replay.Played) bool { return len(p.Stops) == 0 })
	}
	return indented(r)
}
