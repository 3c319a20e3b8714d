package guard

import (
	"slices"

	"checkrein/internal/harness"
	"checkrein/internal/redact"
)

// charge prices a response; false when that is an estimate.
func (c *Counter) charge(e harness.Event) (usd float64, known bool) {
	t := c.prices()
	if usd, known = t.Cost(e.Usage, e.Model, e.Time); !known {
		usd = t.Estimate(e.Usage, e.Model, c.s.Harness, e.Time)
	}
	return usd, known
}

// pay adds what a response costs, and returns it.
func (s *Session) pay(e harness.Event, charge func(harness.Event) (usd float64, known bool)) float64 {
	usd, known := charge(e)
	if !known {
		s.EstimatedUSD += usd
		s.EstimatedTokens += e.Usage.Tokens()
		s.noteEstimated(e.Model)
	}
	if known && e.Guessed > 0 {
		sure := e
		sure.Usage.Output -= e.Guessed
		less, _ := charge(sure)
		s.GuessedUSD += usd - less
	}
	s.CostUSD += usd
	return usd
}

func (s *Session) noteEstimated(model string) {
	if model == "" {
		model = "(no model id)"
	}
	name := redact.Line(model, maxModelChars)
	if !slices.Contains(s.EstimatedModels, name) {
		s.EstimatedModels = last(append(s.EstimatedModels, name), maxEstimated)
	}
}
