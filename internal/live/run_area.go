package live

import (
	"fmt"
	"time"

	"checkrein/internal/redact"
	"checkrein/internal/trial"
)

// ended adds to a line how a trial ended, and the money.
func ended(l Line, e trial.Event) Line {
	r := e.Record
	money := fmt.Sprintf("%s counted, %s of %s spent", Dollars(r.Charged), Dollars(e.Spent), Dollars(e.Cap))
	switch {
	case r.Status == trial.Error:
		return l.and(Odd, "could not run").and(Plain, " (%s), %s", redact.Code(r.Error, 120), money)
	case r.Status == trial.Invalid:
		return l.and(Odd, "invalid").and(Plain, " (%s), %s", redact.Code(r.Error, 120), money)
	case r.Status == trial.Interrupted:
		return l.and(Odd, "interrupted").and(Plain, " (%s), %s", redact.Code(r.Error, 120), money)
	}
	l = l.and(verdictTone(r.Status), "%s", redact.Line(r.Status, 20))
	if r.AgentSeconds != nil {
		l = l.and(Plain, " in %s", Duration(*r.AgentSeconds))
	}
	return l.and(Plain, ", %s", money)
}

func verdictTone(status string) Tone {
	if status == trial.Passed {
		return Good
	}
	return Bad
}

// Area implements [Reader].
func (v *Run) Area(now time.Time) (a Area) {
	if v.of == 0 {
		return a
	}
	for _, t := range v.running {
		a.Running = append(a.Running, v.runningLine(t, now))
	}
	a.Figures = []Line{v.counts(now), v.money()}
	if v.stopped {
		a.Figures = append(a.Figures, line("").and(Odd, "Stopping: ending what runs, and recording what it has spent"))
	}
	return a
}

// runningLine has the subject last, where a narrow terminal cuts it.
func (v *Run) runningLine(t *trialNow, now time.Time) Line {
	l := line("%s: %s, %s", t.name, t.doing, since(t.since, now))
	if t.spent > 0 && t.reserved > 0 {
		l = l.and(Plain, ", %s of %s used", Dollars(t.spent), Dollars(t.reserved))
	}
	return l.and(Faint, "  %s", t.subject)
}

func (v *Run) counts(now time.Time) Line {
	done := 0
	for _, n := range v.byStatus {
		done += n
	}
	l := line("%d of %d done", done, v.of)
	how := several(v.count(trial.Passed, "passed"), v.count(trial.Failed, "failed"), v.count(trial.Error, "could not run"),
		v.count(trial.Interrupted, "interrupted"), v.count(trial.Invalid, "invalid"))
	if how != "" {
		l = l.and(Plain, " (%s)", how)
	}
	left := max(v.of-v.begun-v.skipped, 0)
	l = l.and(Plain, ", %d running, %d left", len(v.running), left)
	if v.skipped > 0 {
		l = l.and(Plain, ", %d skipped", v.skipped)
	}
	return l.and(Faint, "; %s", pace(v.started, now, done, left+len(v.running)))
}

func (v *Run) count(status, word string) string {
	return fmt.Sprintf("%d %s", v.byStatus[status], word)
}

func (v *Run) money() Line {
	reserved := 0.0
	for _, t := range v.running {
		reserved += t.reserved
	}
	return line("%s of %s charged, %s reserved, %s free", Dollars(v.charged), Dollars(v.cap), Dollars(reserved),
		Dollars(max(v.cap-v.charged-reserved, 0)))
}
