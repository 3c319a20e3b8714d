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
