package task

import (
	"testing"
	"time"

	"checkrein/internal/proc"
)

// Tests that hang without the change took the whole time limit twice: 20 minutes
// for a candidate whose tests take a second.
func TestTestsThatHungAreNotWaitedForTwice(t *testing.T) {
	hung, quick := &proc.Result{TimedOut: true, Seconds: 600}, &proc.Result{Seconds: 1.2}
	r := &room{checker: &checker{Options: Options{TestTimeout: 600}}}
	for _, c := range []struct {
		before, after *proc.Result
		want          time.Duration
	}{
		{hung, quick, 80 * time.Second},
		{hung, &proc.Result{Seconds: 300}, 600 * time.Second},
		{quick, quick, 600 * time.Second},
		{nil, quick, 600 * time.Second},
		{hung, nil, 600 * time.Second},
	} {
		r.shorter = secondLimit(c.before, c.after)
		if got := r.command(proc.Command{}).Timeout; got != c.want {
			t.Errorf("%+v, %+v: %v, want %v", c.before, c.after, got, c.want)
		}
	}
}
