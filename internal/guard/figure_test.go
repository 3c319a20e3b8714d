package guard

import "testing"

func TestFigure(t *testing.T) {
	for _, c := range []struct {
		name string
		s    Session
		want string
	}{
		{"known prices", Session{CostUSD: 4.12}, "$4.12"},
		{"estimated", Session{CostUSD: 4.12, EstimatedUSD: 0.2, GuessedUSD: 0.1}, "$4.12 ($0.30 of it estimated)"},
		{"less than a cent", Session{CostUSD: 4.12, EstimatedUSD: 0.004}, "$4.12"},
		{
			"the harness's own count",
			Session{CostUSD: 4.12, Harness: "claude-code", EstimatedUSD: 0.3, Own: Own{USD: 4.12, OurUSD: 4.12}},
			"$4.12 (Claude Code's own count: $4.12; $0.30 of it estimated)",
		},
		{
			"which is larger",
			Session{CostUSD: 4.12, Harness: "claude-code", Own: Own{USD: 4.2, OurUSD: 4.12, UnseenUSD: 0.08}},
			"$4.20 (Claude Code's own count: $4.20; $0.08 of it in requests that no transcript shows)",
		},
		{
			"which is old",
			Session{CostUSD: 6, Harness: "claude-code", Own: Own{USD: 4, OurUSD: 4}},
			"$6.00 (Claude Code's own count: $4.00 where this program had $4.00)",
		},
		{"after a reset", Session{CostUSD: 6, EstimatedUSD: 3, BaselineUSD: 5}, "$1.00 (at most $1.00 of it estimated)"},
		{"right after a reset", Session{CostUSD: 6, EstimatedUSD: 3, BaselineUSD: 6}, "$0.00"},
	} {
		if got := c.s.Figure(c.s.Spent()); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
