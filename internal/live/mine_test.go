package live_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"checkrein/internal/live"
	"checkrein/internal/task"
)

// step is a step of checking the candidate of a number, as its kind has it.
func step(seconds int, what task.Step, number int, more task.Progress) task.Progress {
	more.At, more.What = at(seconds), what
	if number > 0 {
		more.Number, more.Of, more.Wanted = number, 6, 4
		more.Commit = strings.Repeat(string('a'+rune(number-1)), 40)
	}
	return more
}

func TestMine(t *testing.T) {
	head := []task.Progress{step(0, task.HeadStarted, 0, task.Progress{}), step(4, task.HeadPassed, 0, task.Progress{})}
	const passed = "| Checking that the tests pass at HEAD\n| They pass, after 4 s\n"
	start := func(n int) task.Progress { return step(5, task.CheckStarted, n, task.Progress{Subject: "Fix it"}) }
	for name, c := range map[string]struct {
		events []task.Progress
		want   string
	}{
		"nothing yet": {nil, ""},
		"HEAD": {
			[]task.Progress{head[0], step(3, task.Working, 0, task.Progress{Doing: "running the tests"})},
			"| Checking that the tests pass at HEAD\nHEAD: running the tests, 27 s",
		},
		"two side by side": {
			append(head, start(1), start(2), step(10, task.Working, 2, task.Progress{Doing: "tests with the change"})),
			passed + "aaaaaaa: making a copy, 25 s  `Fix it`\nbbbbbbb: tests with the change, 20 s  `Fix it`\nnone checked yet; 26 s",
		},
		"one that waits for a newer one": {
			append(head, start(1), start(2), step(9, task.CheckEnded, 2, task.Progress{}),
				step(11, task.CheckEnded, 1, task.Progress{}), step(12, task.Kept, 1, task.Progress{Kept: 1})),
			passed + "| 1 of at most 6: aaaaaaa kept (kept 1 of 4 wanted)  `Fix it`\n" +
				"1 of at most 6 checked, 1 kept of 4 wanted, 1 more waiting for theirs to be told in order; 26 s, about 1 min 18 s left",
		},
		"why the rest was not kept": {
			append(head, start(1), step(12, task.Rejected, 1, task.Progress{Reason: task.Flaky}),
				start(2), step(13, task.Rejected, 2, task.Progress{Reason: task.PassBefore}),
				start(3), step(14, task.Rejected, 3, task.Progress{Reason: task.PassBefore})),
			passed + "| 1 of at most 6: aaaaaaa not kept: flaky (kept 0 of 4 wanted)  `Fix it`\n" +
				"| 2 of at most 6: bbbbbbb not kept: tests pass before the fix (kept 0 of 4 wanted)  `Fix it`\n" +
				"| 3 of at most 6: ccccccc not kept: tests pass before the fix (kept 0 of 4 wanted)  `Fix it`\n" +
				"3 of at most 6 checked, 0 kept of 4 wanted; 26 s, about 26 s left\n" +
				"not kept: 2 tests pass before the fix, 1 flaky",
		},
		"a window that widens": {
			append(head, step(5, task.Widened, 0, task.Progress{Since: "730d", Gave: task.Window{Since: "365d", Gave: 1}}),
				step(5, task.Widened, 0, task.Progress{Since: "all", Gave: task.Window{Since: "1825d", Gave: 2, Checked: true}})),
			passed + "| A year gave 1 candidate; looked back to " + at(5).AddDate(0, 0, -730).Format("2006-01-02") + "\n| 5 years gave 2 tasks; looked back to the first commit",
		},
		"a subject that draws": {
			append(head, step(5, task.CheckStarted, 1, task.Progress{Subject: "\x1b[2Jx\r"})),
			passed + "aaaaaaa: making a copy, 25 s  `[2Jx`\nnone checked yet; 26 s",
		},
	} {
		if diff := cmp.Diff(c.want, seen[task.Progress](&live.Mine{}, 30, c.events...)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
