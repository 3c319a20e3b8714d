package cli

import (
	"fmt"
	"strconv"
	"strings"

	"checkrein/internal/price"
	"checkrein/internal/status"
)

// cells are the five prices of a tier as cells of a table.
func cells(r price.Rates) string {
	return strings.Join([]string{rate(r.Input), rate(r.Output), rate(r.CacheRead), rate(r.CacheWrite5m), rate(r.CacheWrite1h)}, " | ")
}

// rate is a price with cents where it has any: 4, 0.20, 0.125.
func rate(usd float64) string {
	text := plain(usd)
	if i := strings.IndexByte(text, '.'); i >= 0 && i == len(text)-2 {
		text += "0"
	}
	return text
}

func plain(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// rateRows are the lines of a table of one period's prices, the services last.
func rateRows(p *price.Period) string {
	var b strings.Builder
	for i, t := range p.Tiers {
		label := "list price"
		switch {
		case t.Above > 0:
			label = "prompts above " + status.Thousands(t.Above) + " tokens"
		case i+1 < len(p.Tiers):
			label = "prompts up to " + status.Thousands(p.Tiers[i+1].Above) + " tokens"
		}
		fmt.Fprintf(&b, "| %s | %s |\n", label, cells(t))
	}
	for _, s := range [...]struct {
		name string
		price.Offer
	}{{"fast mode", p.Fast}, {"batch", p.Batch}, {"flex", p.Flex}, {"priority", p.Priority}} {
		for _, t := range s.On(p.Tiers) {
			label := s.name
			if t.Above > 0 {
				label += ", prompts above " + status.Thousands(t.Above) + " tokens"
			}
			fmt.Fprintf(&b, "| %s | %s |\n", label, cells(t))
		}
	}
	return b.String()
}
