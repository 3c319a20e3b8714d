package proc

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"github.com/go-json-experiment/json"
)

// How long a supervisor waits between asking (SIGTERM) and killing.
const (
	graceRunning = 5 * time.Second        // a command ended early: agents save their session
	graceLeft    = 500 * time.Millisecond // what a finished command left behind
	graceOrphan  = time.Second            // the caller is dead: only tidy up
	giveUp       = 10 * time.Second       // a process that survives SIGKILL hangs in the kernel
)

// Supervise is the whole life of a supervisor process: it reads one request
// from descriptor 3, runs it, ends everything below, and answers on descriptor
// 4. Descriptor 3 stays open as long as the caller lives and wants the run.
// It returns the process's exit code.
func Supervise() int { return SuperviseBehind(nil) }

// Enter goes behind a wall: it changes what the calling process and thread can
// see and do, by the plan of a [Wall]. It is called once, on the thread that
// starts the command, whose input, output and error files are open already.
type Enter func(plan []byte, files []uintptr) error

// stopWord is what a caller writes before it closes the life pipe of a run that
// it no longer wants. A pipe that ends without it means that the caller is dead.
const stopWord = 's'

// SuperviseBehind is Supervise for programs whose launchers build walls.
func SuperviseBehind(enter Enter) int {
	runtime.LockOSThread() // Pdeathsig follows the thread that forked
	life, answer := os.NewFile(3, "life"), os.NewFile(4, "answer")
	if life == nil || answer == nil {
		return 2
	}
	inheritNothing()
	in := bufio.NewReader(life)
	line, err := in.ReadBytes('\n')
	var req request
	if err != nil || json.Unmarshal(line, &req) != nil {
		return 2
	}
	out, err := json.Marshal(supervise(req, in, enter))
	if err == nil {
		_, err = answer.Write(out)
	}
	if err != nil {
		return 1 // the caller is gone
	}
	return 0
}

func supervise(req request, life io.Reader, enter Enter) reply {
	stop := make(chan time.Duration, 3) // how long the command may still tidy up
	go watchLife(life, stop)
	go watchSignals(stop)
	becomeSubreaper()
	files, err := openFiles(req)
	if err != nil {
		return reply{Error: err.Error()}
	}
	if err := goBehind(req, files, enter); err != nil {
		return reply{Error: err.Error()}
	}
	started := time.Now()
	leader, err := syscall.ForkExec(string(req.Argv[0]), toStrings(req.Argv), &syscall.ProcAttr{
		Dir: string(req.Dir), Env: toStrings(req.Env), Files: files, Sys: childAttr(),
	})
	defer closeFiles(files)
	if err != nil {
		return reply{Error: fmt.Sprintf("starting %s: %v", filepath.Base(string(req.Argv[0])), err)}
	}
	r := watch(newFamily(leader), req, files, stop)
	r.Seconds = hundredths(time.Since(started))
	return r
}

// watch waits for the end of the leader, the deadline, a stop, or a flood,
// then ends the rest.
func watch(f *family, req request, files []uintptr, stop <-chan time.Duration) reply {
	var r reply
	deadline := make(<-chan time.Time)
	if req.Nanoseconds > 0 {
		deadline = time.After(time.Duration(req.Nanoseconds))
	}
	for size := time.NewTicker(200 * time.Millisecond); ; {
		select {
		case status := <-f.leaderEnded:
			r.Exit = exitCode(status)
			r.Left = f.end(graceLeft)
			return r
		case <-deadline:
			r.TimedOut = true
			r.Left = f.end(graceRunning)
			return r
		case grace := <-stop:
			r.Left = f.end(grace)
			return r
		case <-size.C:
			if r.Flooded = flooded(req, files); r.Flooded {
				r.Left = f.end(0)
				return r
			}
		}
	}
}

// inheritNothing keeps from the command what this program was started with, pipes
// to the caller and files that the user's shell has open: through a folder that is
// open a command gets to all that lies around it, wall or not.
func inheritNothing() {
	const first, many = 3, 1024
	if closeRange(first) == nil {
		return
	}
	for fd := first; fd < many; fd++ {
		syscall.CloseOnExec(fd)
	}
}

// watchLife tells a caller that wants no more from one that is dead.
func watchLife(life io.Reader, stop chan<- time.Duration) {
	words, _ := io.ReadAll(life)
	if len(words) == 0 {
		stop <- graceOrphan
		return
	}
	stop <- graceRunning
}

func watchSignals(stop chan<- time.Duration) {
	got := make(chan os.Signal, 1)
	signal.Notify(got, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	<-got
	stop <- graceOrphan
}

func exitCode(status syscall.WaitStatus) *int {
	code := status.ExitStatus()
	if status.Signaled() {
		code = -int(status.Signal())
	}
	return &code
}

// flooded looks at open files: behind a wall their paths lead nowhere.
func flooded(req request, files []uintptr) bool {
	if req.MaxOutput <= 0 {
		return false
	}
	for _, fd := range files[1:] {
		var info syscall.Stat_t
		if syscall.Fstat(int(fd), &info) == nil && info.Size > req.MaxOutput {
			return true
		}
	}
	return false
}

// goBehind goes behind the wall that the request asks for.
func goBehind(req request, files []uintptr, enter Enter) error {
	switch {
	case len(req.Plan) == 0:
		return nil
	case enter == nil:
		return errors.New("this program builds no walls")
	}
	return enter(req.Plan, files)
}

// openFiles opens the command's three streams.
func openFiles(req request) ([]uintptr, error) {
	if req.Opened {
		return []uintptr{5, 6, 7}, nil
	}
	in, err := open(req.Stdin, syscall.O_RDONLY)
	if err != nil {
		return nil, err
	}
	const create = syscall.O_WRONLY | syscall.O_CREAT | syscall.O_TRUNC | syscall.O_APPEND
	out, err := open(req.Stdout, create)
	if err != nil {
		return nil, err
	}
	if len(req.Stderr) == 0 {
		return []uintptr{in, out, out}, nil
	}
	errs, err := open(req.Stderr, create)
	return []uintptr{in, out, errs}, err
}

func open(path []byte, flags int) (uintptr, error) {
	if len(path) == 0 {
		path, flags = []byte(os.DevNull), syscall.O_RDWR
	}
	fd, err := syscall.Open(string(path), flags|syscall.O_CLOEXEC, 0o600)
	if err != nil {
		return 0, fmt.Errorf("opening %s: %w", path, err)
	}
	return uintptr(fd), nil
}

func closeFiles(files []uintptr) {
	for i, fd := range files {
		if i == 2 && fd == files[1] {
			continue
		}
		_ = syscall.Close(int(fd))
	}
}

// family is the command and everything below it.
type family struct {
	leader      int
	leaderEnded chan syscall.WaitStatus // gets the leader's status once
	allEnded    chan struct{}           // closed when no child of ours is left
}

func newFamily(leader int) *family {
	f := &family{leader: leader, leaderEnded: make(chan syscall.WaitStatus, 1), allEnded: make(chan struct{})}
	go f.reap()
	return f
}

// reap waits for every child, adopted ones included. Under a subreaper "no
// child left" means that nothing below is left at all.
func (f *family) reap() {
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, 0, nil)
		switch {
		case pid == f.leader:
			f.leaderEnded <- status
		case errors.Is(err, syscall.ECHILD):
			close(f.allEnded)
			return
		}
	}
}

// end asks every process of the family to stop, kills after grace what is
// still there, and returns how many could not be ended.
func (f *family) end(grace time.Duration) int {
	if f.gone(0) && len(f.members()) == 0 {
		return 0
	}
	if grace > 0 {
		signalAll(f.members(), syscall.SIGTERM)
		signalAll(f.members(), syscall.SIGCONT) // a stopped process can't act on SIGTERM
		f.gone(grace)
	}
	return f.sweep()
}

// gone waits at most d for the whole family to end.
func (f *family) gone(d time.Duration) bool {
	select {
	case <-f.allEnded:
		return true
	case <-time.After(d):
		return false
	}
}

// sweep kills until nothing is left. It stops processes before it kills them,
// so that none can fork away while the list is read.
func (f *family) sweep() int {
	for limit := time.Now().Add(giveUp); time.Now().Before(limit); {
		signalAll(f.freeze(), syscall.SIGKILL)
		if f.gone(5 * time.Millisecond) {
			break
		}
	}
	return len(f.members())
}

func (f *family) freeze() []int {
	known := map[int]bool{}
	for range 50 {
		fresh := 0
		for _, pid := range f.members() {
			if !known[pid] {
				known[pid] = true
				fresh++
				_ = syscall.Kill(pid, syscall.SIGSTOP)
			}
		}
		if fresh == 0 {
			break
		}
	}
	pids := make([]int, 0, len(known))
	for pid := range known {
		pids = append(pids, pid)
	}
	return pids
}

func signalAll(pids []int, sig syscall.Signal) {
	for _, pid := range pids {
		_ = syscall.Kill(pid, sig) // gone already, or not ours
	}
}
