package live

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"checkrein/internal/redact"
	"checkrein/internal/task"
)

// Mine reads the steps of checking candidates.
type Mine struct {
	started, checking time.Time // of HEAD, of the first candidate
	running           []*checkNow
	last              task.Progress // the latest result
	why               map[string]int
}

// checkNow is a commit that is being checked.
type checkNow struct {
	commit, subject string // commit is "" for HEAD
	doing           string
	since           time.Time
	waits           bool // its result is not told before those of newer commits
}

// Take implements [Reader].
func (v *Mine) Take(p task.Progress) []Line {
	switch p.What {
	case task.HeadStarted:
		*v = Mine{started: p.At, why: map[string]int{}, running: []*checkNow{{doing: "making a copy", since: p.At}}}
		return []Line{line("Checking that the tests pass at HEAD")}
	case task.HeadPassed:
		v.running, v.checking = nil, p.At
		took := Duration(p.At.Sub(v.started).Seconds())
		if p.Failing > 0 {
			return []Line{line("%s there, left out of grading; it took %s", Count(p.Failing, "failure"), took)}
		}
		return []Line{line("They pass, after %s", took)}
	case task.CheckStarted:
		v.running = append(v.running, &checkNow{
			commit: p.Commit, doing: "making a copy", since: p.At, subject: redact.Code(p.Subject, 60),
		})
	case task.Widened:
		return []Line{line("%s", WidenedTo(p.Gave, p.Since, p.At))}
	case task.Kept, task.Rejected:
		return v.finish(p)
	}
	v.step(p)
	return nil
}

func (v *Mine) step(p task.Progress) {
	i := v.find(p.Commit)
	if i < 0 {
		return
	}
	switch p.What {
	case task.Working:
		v.running[i].doing, v.running[i].since = p.Doing, p.At
	case task.CheckEnded:
		v.running[i].waits = true
	}
}

// find is the place of a commit among those that are being checked.
func (v *Mine) find(commit string) int {
	return slices.IndexFunc(v.running, func(c *checkNow) bool { return c.commit == commit })
}

// finish takes a candidate out, and says whether it is kept.
func (v *Mine) finish(p task.Progress) []Line {
	v.last = p
	l := line("%d of at most %d: %s ", p.Number, p.Of, shortID(p.Commit))
	if p.What == task.Kept {
		l = l.and(Good, "kept")
	} else {
		v.why[p.Reason]++
		l = l.and(Bad, "not kept").and(Plain, ": %s", p.Reason)
	}
	l = l.and(Plain, " (kept %d of %d wanted)", p.Kept, p.Wanted)
	if i := v.find(p.Commit); i >= 0 {
		l = l.and(Faint, "  %s", v.running[i].subject)
		v.running = slices.Delete(v.running, i, i+1)
	}
	return []Line{l}
}

// Area implements [Reader].
func (v *Mine) Area(now time.Time) (a Area) {
	for _, c := range v.running {
		switch {
		case c.commit == "":
			a.Running = append(a.Running, line("HEAD: %s, %s", c.doing, since(c.since, now)))
		case !c.waits:
			a.Running = append(a.Running, line("%s: %s, %s", shortID(c.commit), c.doing, since(c.since, now)).and(Faint, "  %s", c.subject))
		}
	}
	if !v.checking.IsZero() && (len(v.running) > 0 || v.last.Number > 0) {
		a.Figures = v.figures(now)
	}
	return a
}

func (v *Mine) figures(now time.Time) []Line {
	p := v.last
	if p.Number == 0 {
		return []Line{line("none checked yet; %s", since(v.checking, now))}
	}
	left := p.Of - p.Number
	if p.Kept > 0 { // at the yield so far
		left = min(left, (p.Wanted-p.Kept)*p.Number/p.Kept)
	}
	l := line("%d of at most %d checked, %d kept of %d wanted", p.Number, p.Of, p.Kept, p.Wanted)
	if waiting := v.waiting(); waiting > 0 {
		l = l.and(Plain, ", %d more waiting for theirs to be told in order", waiting)
	}
	out := []Line{l.and(Faint, "; %s", pace(v.checking, now, p.Number, left))}
	if len(v.why) > 0 {
		out = append(out, line("not kept: %s", v.reasons()))
	}
	return out
}

func (v *Mine) waiting() (n int) {
	for _, c := range v.running {
		if c.waits {
			n++
		}
	}
	return n
}

// reasons lists why candidates were not kept, the most frequent reason first.
func (v *Mine) reasons() string {
	all := slices.SortedFunc(maps.Keys(v.why), func(a, b string) int {
		return cmp.Or(cmp.Compare(v.why[b], v.why[a]), cmp.Compare(a, b))
	})
	for i, reason := range all {
		all[i] = fmt.Sprintf("%d %s", v.why[reason], reason)
	}
	return strings.Join(all, ", ")
}
