//go:build unix

package cli

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"

	"checkrein/internal/task"
)

// mineView tells how the checking of candidates goes: a line for each that was
// checked, and on a terminal a line below them that says what runs.
type mineView struct {
	out      io.Writer
	terminal bool

	mu      sync.Mutex
	started time.Time
	running map[string]bool
	last    task.Progress
	jobs    int
	stop    chan struct{}
}

func newMineView(out io.Writer, jobs int) *mineView {
	f, isFile := out.(*os.File)
	v := &mineView{
		out: out, terminal: isFile && term.IsTerminal(int(f.Fd())), running: map[string]bool{}, jobs: jobs, stop: make(chan struct{}),
	}
	if v.terminal {
		go v.tick()
	}
	return v
}

// tick keeps the time on the line that changes.
func (v *mineView) tick() {
	for t := time.NewTicker(time.Second); ; {
		select {
		case <-v.stop:
			t.Stop()
			return
		case <-t.C:
			v.mu.Lock()
			v.line()
			v.mu.Unlock()
		}
	}
}

func (v *mineView) close() {
	close(v.stop)
	v.mu.Lock()
	defer v.mu.Unlock()
	v.erase()
	v.terminal = false
}

func (v *mineView) tell(p task.Progress) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.erase()
	if v.started.IsZero() {
		v.started = time.Now()
	}
	switch p.What {
	case task.HeadStarted:
		v.running["HEAD"] = true
		fmt.Fprintln(v.out, "Checking that the tests pass at HEAD")
	case task.HeadPassed:
		delete(v.running, "HEAD")
		fmt.Fprintf(v.out, "They pass, after %s\n", duration(p.Elapsed.Seconds()))
	case task.CheckStarted:
		v.running[p.Commit[:7]] = true
	case task.Kept:
		v.ended(p, "kept")
	case task.Rejected:
		v.ended(p, p.Reason)
	}
	v.line()
}

func (v *mineView) ended(p task.Progress, how string) {
	delete(v.running, p.Commit[:7])
	v.last = p
	fmt.Fprintf(v.out, "%d of at most %d: %s %s (kept %d of %d wanted)\n", p.Number, p.Of, p.Commit[:7], how, p.Kept, p.Wanted)
}

// line draws the line that changes.
func (v *mineView) line() {
	if !v.terminal || len(v.running) == 0 {
		return
	}
	v.erase()
	passed := time.Since(v.started)
	text := fmt.Sprintf("checking %d side by side, %s so far", len(v.running), duration(passed.Seconds()))
	if n := v.last.Number; n > 0 { // the tasks still wanted, at the pace and yield so far
		left := v.last.Of - n
		if v.last.Kept > 0 {
			left = min(left, (v.last.Wanted-v.last.Kept)*n/v.last.Kept)
		}
		text += fmt.Sprintf(", about %s left", duration(passed.Seconds()/float64(n)*float64(left)))
	}
	fmt.Fprint(v.out, text)
}

func (v *mineView) erase() {
	if v.terminal {
		fmt.Fprint(v.out, "\r\x1b[K")
	}
}
