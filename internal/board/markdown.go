package board

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"checkrein/internal/redact"
	"checkrein/internal/trial"
)

// Markdown is the board as a page.
func (b Board) Markdown() string {
	var page strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&page, format+"\n", args...) }
	line("**%s**\n", b.Headline)
	if len(b.Rows) == 0 {
		return page.String()
	}
	if b.Compared > 0 {
		line("| Harness | Version | Passed | Pass rate | Median minutes | Cost per pass | Total cost | Median lines changed |")
		line("|---|---|---|---|---|---|---|---|")
		for _, r := range b.Rows {
			line("%s", r.markdown())
		}
		line("")
	}
	line("By task (original fix lines are the added and deleted lines of the change itself):\n")
	head, rule := "| Task | Change | Original fix lines |", "|---|---|---|"
	for _, r := range b.Rows {
		head, rule = head+" "+r.shown+" |", rule+"---|"
	}
	line("%s\n%s", head, rule)
	for _, t := range b.Tasks {
		line("%s", t.markdown(b.Rows))
	}
	line("")
	if failed := b.failedTests(); failed != "" {
		line("%s", failed)
	}
	if signs := b.signs(); signs != "" {
		line("%s", signs)
	}
	for _, n := range b.Notes {
		line("- %s", n)
	}
	line("\nCounted toward the spend cap: %s.", money(b.Spent))
	return page.String()
}

func (r Row) markdown() string {
	version := "unknown"
	for i, v := range r.Versions {
		if i == 0 {
			version = redact.Code(v, 60)
			continue
		}
		version += ", " + redact.Code(v, 60)
	}
	if r.CouldNotRun != nil {
		return fmt.Sprintf("| %s | %s | could not run | n/a | n/a | n/a | n/a | n/a |", r.shown, version)
	}
	total := "not measured"
	if r.TotalCost != nil {
		total = money(*r.TotalCost)
		if r.Unmeasured > 0 {
			total += fmt.Sprintf(" + %d not measured", r.Unmeasured)
		}
	}
	rate := 0.0
	if r.PassRate != nil {
		rate = *r.PassRate
	}
	return fmt.Sprintf("| %s | %s | %d of %d | %.0f%% | %s | %s | %s | %s |", r.shown, version, r.Passed, r.Runs,
		math.RoundToEven(100*rate), optional(r.Minutes, "%.1f"), optional(r.CostPerPass, "$%.2f"), total,
		optional(r.LinesChanged, ""))
}

// optional shows a figure, by the format or as short as it is exact.
func optional(v *float64, format string) string {
	switch {
	case v == nil:
		return "n/a"
	case format == "":
		return strconv.FormatFloat(*v, 'f', -1, 64)
	}
	return fmt.Sprintf(format, *v)
}

func (t Task) markdown(rows []Row) string {
	gold := "?"
	if t.GoldLines != nil {
		gold = strconv.Itoa(*t.GoldLines)
	}
	id := redact.Line(t.Task, 40)
	out := fmt.Sprintf("| %s | %s | %s |", redact.Code(id[:min(len(id), 7)], 40), redact.Code(t.Subject, 100), gold)
	for _, r := range rows {
		res, ran := t.Results[r.Variant]
		out += " " + cell(res, ran) + " |"
	}
	return out
}

func cell(r Result, ran bool) string {
	switch {
	case !ran:
		return "not run"
	case r.Status == trial.Error:
		return "could not run"
	case r.Status == trial.Interrupted:
		return "interrupted"
	case r.Status == trial.Invalid:
		return "invalid"
	case r.Status != trial.Passed && r.Status != trial.Failed:
		return redact.Code(r.Status, 40) // not one of ours
	}
	text := r.Status
	if r.TimedOut {
		text += " (time limit)"
	}
	text += fmt.Sprintf(", %.1f min", r.Minutes)
	if r.Cost != nil {
		text += ", " + money(*r.Cost)
	}
	return text
}
