package main

import (
	"fmt"
	"reflect"
	"testing"
)

// TestReplayAndHookAgree: with limits so strict that ordinary sessions are
// stopped again and again, both say the same of each rule's first stop.
func TestReplayAndHookAgree(t *testing.T) {
	strict := map[string]string{
		"LOOP_REPEATS": "2", "FAILURE_STREAK": "2", "LOOP_CYCLES": "2", "FAILING_REPEATS": "2", "SAME_RESULT_REPEATS": "2", "POLL_REPEATS": "4",
		"FANOUT_STOP": "3", "INVALID_CALLS": "2", "JUDGE_POLLS": "0", "CHANGING_FAILURES": "0",
	}
	for name, value := range strict {
		t.Setenv("LOOPS_RUNAWAY_GUARD_"+name, value)
	}
	rules := map[string]bool{}
	for n := range uint64(6) {
		for _, harness := range harnesses() {
			work := t.TempDir()
			byReplay, byHook, err := playBoth(work, harness, int(n), loop{story: ordinary(1000 + n)})
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(firsts(byReplay), firsts(byHook)) {
				t.Errorf("%s, session %d: the replay says %v and the hook %v", harness, n, firsts(byReplay), firsts(byHook))
			}
			for _, s := range byHook {
				rules[s.rule] = true
			}
		}
	}
	if len(rules) < 4 {
		t.Errorf("only %v fired: nothing is compared", rules)
	}
}

// firsts are the first stop of each rule, and the first turn that it ended.
func firsts(stops []stop) map[string]string {
	first := map[string]stop{}
	for _, s := range stops {
		was, known := first[s.rule]
		if !known {
			was = s
		}
		if was.ends == 0 || s.ends > 0 && s.ends < was.ends {
			was.ends = s.ends
		}
		first[s.rule] = was
	}
	all := map[string]string{}
	for rule, s := range first {
		all[rule] = fmt.Sprint(s.call, " ", s.ends)
	}
	return all
}
