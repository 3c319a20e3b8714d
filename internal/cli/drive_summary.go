//go:build unix

package cli

import (
	"fmt"
	"strings"

	"checkrein/internal/drive"
	"checkrein/internal/live"
	"checkrein/internal/redact"
	"checkrein/internal/trial"
)

// tellSummary says on the error output what the board does not show.
func tellSummary(s trial.Summary, o drive.Options, env Env) {
	say := func(format string, args ...any) { fmt.Fprintf(env.Stderr, format+"\n", args...) }
	if len(s.NotInstalled) > 0 {
		say("Not found on this computer, so not run: %s.", strings.Join(s.NotInstalled, ", "))
	}
	for _, a := range o.Adapters {
		if fix := s.Skipped[a.Variant.Name]; fix != "" {
			say("%s could not run. Fix: %s. Its other runs were skipped; run the same command again after that.", a.Name, fix)
		}
	}
	if s.StoppedAtCap {
		say("Stopped at the %s cap with %s not started. Finished runs are kept: run it again with a higher --max-usd to continue.",
			live.Dollars(s.Cap), live.Count(s.NotStarted, "run"))
	}
	say("Results: %s", redact.Code(o.Results, 300))
}
