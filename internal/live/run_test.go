package live_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"checkrein/internal/live"
	"checkrein/internal/trial"
)

func at(seconds int) time.Time {
	return time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC).Add(time.Duration(seconds) * time.Second)
}

// ofTrial is an event of one of the trials a, b, c.
func ofTrial(seconds int, name string, e trial.Event) trial.Event {
	e.At, e.Run, e.ID = at(seconds), name, trial.ID{Task: "task-of-" + name, Variant: "codex", Attempt: 1}
	return e
}

func planned(seconds, number int, name string) trial.Event {
	return ofTrial(seconds, name, trial.Event{
		Kind: trial.Planned, Number: number, Of: 4, Label: "Codex", Subject: "Fix " + name,
	})
}

func recorded(seconds int, name, status string, spent float64) trial.Event {
	return ofTrial(seconds, name, trial.Event{Kind: trial.Recorded, Spent: spent, Cap: 5, Record: &trial.Record{
		Status: status, Charged: 0.5, AgentSeconds: new(61.0), Error: "it said so",
	}})
}

func opened() trial.Event { return trial.Event{At: at(0), Kind: trial.Opened, Of: 4, Cap: 5, Spent: 1} }

// seen is all that a reader says of events: the lines that stay, and the area.
func seen[E any](r live.Reader[E], now int, events ...E) string {
	var lines []string
	for _, e := range events {
		for _, l := range r.Take(e) {
			mark := "| "
			if l.Passing {
				mark = "? "
			}
			lines = append(lines, mark+l.String())
		}
	}
	area := r.Area(at(now))
	for _, l := range append(area.Running, area.Figures...) {
		lines = append(lines, l.String())
	}
	return strings.Join(lines, "\n")
}

func TestRun(t *testing.T) {
	one := func(e trial.Event) trial.Event { return ofTrial(20, "a", e) }
	for name, c := range map[string]struct {
		events []trial.Event
		want   string
	}{
		"nothing yet":      {nil, ""},
		"nothing to do":    {[]trial.Event{{Kind: trial.Opened, Cap: 5}}, ""},
		"before the first": {[]trial.Event{opened()}, "0 of 4 done, 0 running, 4 left; 30 s\n$1.00 of $5.00 charged, $0.00 reserved, $4.00 free"},
		"a copy is made": {[]trial.Event{opened(), planned(10, 1, "a"), one(trial.Event{Kind: trial.Reserved, USD: 0.9})}, "" +
			"? [1/4] Codex on task-of: `Fix a`\n[1/4] Codex on task-of: making a copy, 20 s  `Fix a`\n" +
			"0 of 4 done, 1 running, 3 left; 30 s\n$1.00 of $5.00 charged, $0.90 reserved, $3.10 free"},
		"the setup command": {[]trial.Event{opened(), planned(10, 1, "a"), one(trial.Event{Kind: trial.Copied})}, "" +
			"? [1/4] Codex on task-of: `Fix a`\n[1/4] Codex on task-of: setting up, 10 s  `Fix a`\n" +
			"0 of 4 done, 1 running, 3 left; 30 s\n$1.00 of $5.00 charged, $0.00 reserved, $4.00 free"},
		"an agent that reports what it spends": {[]trial.Event{
			opened(), planned(10, 1, "a"), one(trial.Event{Kind: trial.Reserved, USD: 0.9}), one(trial.Event{Kind: trial.Prepared}),
			one(trial.Event{Kind: trial.AgentStarted}), one(trial.Event{Kind: trial.Spending, USD: 0.2}),
		}, "? [1/4] Codex on task-of: `Fix a`\n[1/4] Codex on task-of: agent at work, 10 s, $0.20 of $0.90 used  `Fix a`\n" +
			"0 of 4 done, 1 running, 3 left; 30 s\n$1.00 of $5.00 charged, $0.90 reserved, $3.10 free"},
		"its charge frees the rest": {[]trial.Event{
			opened(), planned(10, 1, "a"), one(trial.Event{Kind: trial.Reserved, USD: 0.9}),
			one(trial.Event{Kind: trial.AgentEnded}), one(trial.Event{Kind: trial.Charged, USD: 0.5}), one(trial.Event{Kind: trial.Captured}),
		}, "? [1/4] Codex on task-of: `Fix a`\n[1/4] Codex on task-of: running the tests, 10 s  `Fix a`\n" +
			"0 of 4 done, 1 running, 3 left; 30 s\n$1.50 of $5.00 charged, $0.00 reserved, $3.50 free"},
		"ends": {[]trial.Event{
			opened(), planned(1, 1, "a"), planned(2, 2, "b"), recorded(8, "b", trial.Failed, 1.5), planned(9, 3, "c"),
			recorded(10, "a", trial.Passed, 2), recorded(12, "c", trial.Error, 2.5),
			{Kind: trial.Skipped, Text: "sign in", Label: "Codex", Left: 1},
		}, "? [1/4] Codex on task-of: `Fix a`\n? [2/4] Codex on task-of: `Fix b`\n" +
			"| [2/4] Codex on task-of: failed in 1 min 1 s, $0.50 counted, $1.50 of $5.00 spent\n? [3/4] Codex on task-of: `Fix c`\n" +
			"| [1/4] Codex on task-of: passed in 1 min 1 s, $0.50 counted, $2.00 of $5.00 spent\n" +
			"| [3/4] Codex on task-of: could not run (`it said so`), $0.50 counted, $2.50 of $5.00 spent\n" +
			"|         Fix: sign in. The other Codex runs are skipped.\n" +
			"3 of 4 done (1 passed, 1 failed, 1 could not run), 0 running, 0 left, 1 skipped; 30 s\n" +
			"$1.00 of $5.00 charged, $0.00 reserved, $4.00 free"},
		"time left, at the pace so far": {[]trial.Event{opened(), planned(1, 1, "a"), recorded(8, "a", trial.Passed, 2), planned(9, 2, "b")}, "" +
			"? [1/4] Codex on task-of: `Fix a`\n| [1/4] Codex on task-of: passed in 1 min 1 s, $0.50 counted, $2.00 of $5.00 spent\n" +
			"? [2/4] Codex on task-of: `Fix b`\n[2/4] Codex on task-of: making a copy, 21 s  `Fix b`\n" +
			"1 of 4 done (1 passed), 1 running, 2 left; 30 s, about 1 min 30 s left\n$1.00 of $5.00 charged, $0.00 reserved, $4.00 free"},
		"a stop": {[]trial.Event{opened(), {Kind: trial.Stopping}}, "0 of 4 done, 0 running, 4 left; 30 s\n" +
			"$1.00 of $5.00 charged, $0.00 reserved, $4.00 free\nStopping: ending what runs, and recording what it has spent"},
		"what comes first": {[]trial.Event{{Kind: trial.Recovered, USD: 0.25}, opened(), {Kind: trial.Warned, Text: "hooks run"}}, "" +
			"| A run that a killed command left is recorded as interrupted, with $0.25 counted.\n| Note: hooks run\n" +
			"0 of 4 done, 0 running, 4 left; 30 s\n$1.00 of $5.00 charged, $0.00 reserved, $4.00 free"},
		"events of runs that nobody planned": {
			[]trial.Event{opened(), recorded(1, "x", trial.Passed, 2), one(trial.Event{Kind: trial.Charged, USD: 9})},
			"0 of 4 done, 0 running, 4 left; 30 s\n$1.00 of $5.00 charged, $0.00 reserved, $4.00 free",
		},
	} {
		if diff := cmp.Diff(c.want, seen[trial.Event](&live.Run{}, 30, c.events...)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// The text of a task, a commit or an agent can't draw on the terminal.
func TestRunShowsNothingRaw(t *testing.T) {
	evil := "x\x1b[2J\r\n\x07" + "sk-" + "ant-" + strings.Repeat("a1", 20)
	e := trial.Event{Kind: trial.Planned, Run: "r", Label: evil, Subject: evil, ID: trial.ID{Task: "\x1b[2J"}}
	r := recorded(2, "r", trial.Error, 1)
	r.Record.Error = evil
	odd := recorded(2, "s", evil, 1)
	got := seen[trial.Event](&live.Run{}, 3, opened(), e, r, planned(2, 2, "s"), odd, e)
	if strings.ContainsAny(got, "\x1b\r\x07") || strings.Contains(got, "a1a1a1") {
		t.Errorf("raw text: %q", got)
	}
}
