package cli

import (
	"context"
	"time"

	"checkrein/internal/install"
	"checkrein/internal/replay"
)

// What an install may read of past sessions: 3 GB took 24 seconds of processor
// time, so this takes one; on a slow machine it is given up.
const (
	pastDays  = 30
	pastBytes = 100 << 20
	pastTime  = 3 * time.Second
)

// pastLine says in a line what the planned cap would have done; "" where nothing
// was recorded.
func pastLine(ctx context.Context, p install.Plan, env Env) string {
	options := replayed(env)
	options.Since, _ = sinceDay("30d", env.Now())
	options.Harness, options.MaxBytes = p.Request.Harness, pastBytes
	options.CapUSD = &p.Limits.SpendCapUSD
	ctx, stop := context.WithTimeout(ctx, pastTime)
	defer stop()
	report, err := replay.Run(ctx, options)
	if err != nil {
		return "What this cap would have done to past sessions takes longer to find out: checkrein guard replay."
	}
	return report.Line(pastDays)
}
