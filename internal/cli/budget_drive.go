//go:build unix

package cli

import (
	"errors"

	"checkrein/internal/budget"
	"checkrein/internal/state"
)

// paysTrials books what trials cost on the repository they come from, where the
// caps over all sessions see it. What can't be booked is noted in the error log:
// the trial has its own cap.
func paysTrials(repo string, env Env) func(run string, usd float64) {
	store, project := state.Open(env.Getenv), state.ProjectRoot(repo)
	return func(run string, usd float64) {
		now := env.Now()
		spent := map[string]int64{budget.Key(now): int64(budget.FromUSD(usd))}
		_, err := store.Pay("drive:"+run, project, spent, now)
		for tries := 1; errors.Is(err, state.ErrBusy) && tries < 5; tries++ {
			_, err = store.Pay("drive:"+run, project, spent, now)
		}
		if err != nil {
			store.LogError("drive", err, now)
		}
	}
}
