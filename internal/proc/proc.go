// Package proc runs one command and ends everything it started.
//
// Run promises that when it returns, no process that the command started is
// left: not its children, not daemons that forked twice, not shells in sessions
// of their own. It keeps that promise when the calling program is killed, too,
// because the command runs below a supervisor, a second process of this binary
// that notices the death of its caller (supervise.go). The environment a
// command sees starts from an allow list (env.go).
//
// What it can't do: reach a process that another service starts on the
// command's behalf (cron, a container engine, a systemd user manager), or one
// that runs as another user. Outside Linux there is no subreaper, so a daemon
// that has left its group before the command ended is not found.
package proc

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/go-json-experiment/json"
)

// Command is what to run. Argv or Shell is set, never both.
type Command struct {
	Argv  []string // a program and its arguments; the program is looked up in Env's PATH
	Shell string   // a line for /bin/sh -c

	Dir    string   // working folder, absolute; also set as PWD
	Env    []string // the whole environment, "NAME=value"
	Stdin  string   // path to read input from; "" means none
	Stdout string   // path to write output to, created or emptied with mode 0600; "" means nowhere
	Stderr string   // the same for errors; "" means where Stdout goes

	Timeout   time.Duration // 0 means no deadline
	MaxOutput int64         // bytes; a command that writes more to Stdout or Stderr is ended; 0 means no limit

	// ID marks every process of this run (variable CHECKREIN_RUN), so that Sweep
	// can find them after a crash. Run makes one up when it is empty.
	ID string
	// Launch, when set, changes what is started: the place for a sandbox. Kind,
	// Needs and Own are what it must know.
	Launch Launcher
	Kind   Kind     // whom the command is for
	Needs  []string // files and folders outside Dir that the caller prepared for the command
	Own    []Own    // what it may use of the user's home
}

// Own is a file or folder of the user's that a command may use though the rest
// of the home folder is hidden from it.
type Own struct {
	Path  string // absolute
	Write bool   // changes reach the user's file: a login that renews itself
}

// Result tells how a command ended.
type Result struct {
	Exit     *int    `json:"exit"`      // exit code, or minus the signal number; nil when it was ended early
	Seconds  float64 `json:"seconds"`   // wall time, rounded to hundredths
	TimedOut bool    `json:"timed_out"` // Timeout was reached
	Flooded  bool    `json:"-"`         // MaxOutput was passed
}

// OK is true when the command ended by itself with exit code 0.
func (r Result) OK() bool { return r.Exit != nil && *r.Exit == 0 }

// Start is what a supervisor starts: the last word on program, folder and
// environment.
type Start struct {
	Argv  []string // Argv[0] is an absolute path
	Dir   string
	Env   []string
	Kind  Kind     // only read
	Needs []string // only read
	Own   []Own    // only read

	Wall *Wall // set by a launcher: the supervisor itself is behind it

	// After, set by a launcher, is called when nothing of the command is left.
	After func()
}

// Wall puts the supervisor, and so all below it, into namespaces. The first
// process of a process namespace takes everything with it when it ends, so the
// supervisor is that process.
type Wall struct {
	Attr *syscall.SysProcAttr // how the supervisor is started
	Plan []byte               // what its Enter function is given

	// Builder, when set, is what is started instead of the supervisor: a program
	// that builds the wall and becomes the supervisor behind it, with all open files
	// from 3 on. Its last words start the supervisor. It speaks only of failures.
	Builder []string
}

// Launcher turns what would be started into what is started instead, for
// example the same command inside a sandbox program. It runs in the caller, so
// it can prepare files; whatever it names is started by the supervisor. All that
// the test drive starts for a repository goes through the one that drive.Options
// and task.Options carry; nil starts commands as they are. An error of it means
// that the command was not started.
type Launcher func(Start) (Start, error)

// SuperviseArg is the hidden argument that turns this binary into a supervisor.
// A program that calls Run must hand over to Supervise when its first argument
// is SuperviseArg (in tests: in TestMain).
const SuperviseArg = "internal-supervise"

// ErrNoProgram is in the error of Run when the program was not found.
var ErrNoProgram = errors.New("program not found")

// Run runs c to its end and ends everything it started. When ctx ends first,
// everything is ended early and the error is ctx's cause; the result still
// tells the time it took. A command that fails is no error: see Result.Exit.
func Run(ctx context.Context, c Command) (Result, error) {
	req, err := c.request()
	if err != nil {
		return Result{}, err
	}
	if err := context.Cause(ctx); err != nil {
		return Result{}, err
	}
	s, err := startSupervisor(req)
	if err != nil {
		return Result{}, fmt.Errorf("starting the supervisor: %w", err)
	}
	if req.after != nil {
		defer req.after()
	}
	return s.wait(ctx)
}

// request is what the supervisor reads. Strings travel as bytes, because paths
// and variables need not be UTF-8.
type request struct {
	ID                    string
	Argv, Env             [][]byte
	Dir                   []byte
	Stdin, Stdout, Stderr []byte
	Nanoseconds           int64 // the deadline; 0 means none
	MaxOutput             int64
	Plan                  []byte // of the wall; nil for none

	Opened bool // the three streams are open already, from descriptor 5 on

	attr    *syscall.SysProcAttr
	builder []string
	after   func()
}

// reply is what the supervisor answers.
type reply struct {
	Result
	Flooded bool
	Error   string // the command could not be started
	Left    int    // processes that could not be ended
}

func (c Command) request() (request, error) {
	start := Start{Argv: c.Argv, Dir: c.Dir, Env: append(dropNames(c.Env, "PWD", idName), "PWD="+c.Dir), Kind: c.Kind, Needs: c.Needs, Own: c.Own}
	if c.Shell != "" {
		start.Argv = []string{"/bin/sh", "-c", c.Shell}
	}
	program, err := lookUp(start)
	if err != nil {
		return request{}, err
	}
	start.Argv = append([]string{program}, start.Argv[1:]...)
	if c.Launch != nil {
		if start, err = c.Launch(start); err != nil {
			return request{}, fmt.Errorf("preparing the launch of %s: %w", filepath.Base(program), err)
		}
	}
	if c.ID == "" {
		c.ID = rand.Text()
	}
	req := request{
		ID: c.ID, Argv: toBytes(start.Argv), Env: toBytes(append(start.Env, idName+"="+c.ID)), Dir: []byte(start.Dir),
		Stdin: absolute(c.Stdin), Stdout: absolute(c.Stdout), Stderr: absolute(c.Stderr),
		Nanoseconds: int64(c.Timeout), MaxOutput: c.MaxOutput,
		attr: &syscall.SysProcAttr{Setsid: true},
	}
	req.after = start.After
	if start.Wall != nil {
		req.Plan, req.builder = start.Wall.Plan, start.Wall.Builder
		if start.Wall.Attr != nil {
			req.attr = start.Wall.Attr
			req.attr.Setsid = true
		}
	}
	return req, nil
}

// absolute is a path as a supervisor, whose folder is the root, must have it.
func absolute(path string) []byte {
	if abs, err := filepath.Abs(path); err == nil && path != "" {
		return []byte(abs)
	}
	return []byte(path)
}

// lookUp finds the program in the PATH that the command itself will have.
func lookUp(s Start) (string, error) {
	if len(s.Argv) == 0 {
		return "", errors.New("no command to run")
	}
	name := s.Argv[0]
	if strings.Contains(name, "/") {
		if !filepath.IsAbs(name) {
			name = filepath.Join(s.Dir, name)
		}
		if !executable(name) {
			return "", fmt.Errorf("%w: %s", ErrNoProgram, s.Argv[0])
		}
		return name, nil
	}
	for _, dir := range filepath.SplitList(value(s.Env, "PATH")) {
		if path := filepath.Join(dir, name); filepath.IsAbs(dir) && executable(path) {
			return path, nil
		}
	}
	return "", fmt.Errorf("%w: %s", ErrNoProgram, name)
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0
}

// supervisor is the caller's side of one supervisor process.
type supervisor struct {
	id     string
	cmd    *exec.Cmd
	life   *os.File // closed to stop the run; the kernel closes it when we die
	answer *os.File
	said   *bytes.Buffer // by the builder of its wall, about what went wrong; nil for none
}

// startSupervisor starts this binary again. Its folder and environment hold
// nothing of the user's, because the command below it can read them in /proc.
func startSupervisor(req request) (*supervisor, error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	theirLife, life, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	answer, theirAnswer, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, theirLife.Close(), life.Close())
	}
	cmd := &exec.Cmd{
		Path: exe, Args: []string{"checkrein", SuperviseArg}, Dir: "/", Env: append([]string{idName + "=" + req.ID}, raceEnv...),
		ExtraFiles: []*os.File{theirLife, theirAnswer}, SysProcAttr: req.attr,
	}
	s := &supervisor{id: req.ID, cmd: cmd, life: life, answer: answer}
	if err = s.build(&req); err == nil {
		err = cmd.Start()
	}
	for _, f := range cmd.ExtraFiles {
		f.Close()
	}
	if err != nil {
		return nil, errors.Join(err, life.Close(), answer.Close())
	}
	line, err := json.Marshal(req)
	if err == nil {
		_, err = life.Write(append(line, '\n'))
	}
	if err != nil {
		return nil, errors.Join(err, life.Close(), answer.Close(), cmd.Wait())
	}
	return s, nil
}

// build lets the wall's builder start the supervisor. Behind the wall the paths of
// the command's streams lead nowhere, so they are opened here.
func (s *supervisor) build(req *request) error {
	if len(req.builder) == 0 {
		return nil
	}
	s.cmd.Path, s.cmd.Args, s.said = req.builder[0], req.builder, &bytes.Buffer{}
	s.cmd.Stderr = s.said
	files, err := openFiles(*req)
	if err != nil {
		return err
	}
	for i, fd := range files {
		if i == 2 && fd == files[1] {
			s.cmd.ExtraFiles = append(s.cmd.ExtraFiles, s.cmd.ExtraFiles[3])
			break
		}
		s.cmd.ExtraFiles = append(s.cmd.ExtraFiles, os.NewFile(fd, "stream"))
	}
	req.Opened = true
	return nil
}

// wait returns when the supervisor has ended everything.
func (s *supervisor) wait(ctx context.Context) (Result, error) {
	started := time.Now()
	stop := context.AfterFunc(ctx, func() {
		_, _ = s.life.Write([]byte{stopWord}) // one that is gone needs no word
		s.life.Close()
	})
	data, err := io.ReadAll(s.answer)
	s.answer.Close()
	if stop() {
		s.life.Close()
	}
	_ = s.cmd.Wait() // its answer says more than its exit code
	var r reply
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	r.Result.Flooded = r.Flooded
	switch {
	case err != nil && s.said != nil && s.said.Len() > 0:
		return Result{}, fmt.Errorf("building the wall: %s", bytes.TrimSpace(s.said.Bytes()))
	case err != nil: // the command killed its supervisor, and died with it
		Sweep(s.id)
		killed := -int(syscall.SIGKILL)
		return Result{Exit: &killed, Seconds: hundredths(time.Since(started))}, context.Cause(ctx)
	case r.Error != "":
		return r.Result, errors.New(r.Error)
	case ctx.Err() != nil && r.Exit == nil && !r.TimedOut && !r.Flooded:
		return r.Result, context.Cause(ctx)
	case r.Left > 0:
		return r.Result, fmt.Errorf("%d processes of the command could not be ended", r.Left)
	}
	return r.Result, nil
}

func hundredths(d time.Duration) float64 { return math.Round(d.Seconds()*100) / 100 }

func toBytes(list []string) [][]byte {
	out := make([][]byte, len(list))
	for i, s := range list {
		out[i] = []byte(s)
	}
	return out
}

func toStrings(list [][]byte) []string {
	out := make([]string, len(list))
	for i, b := range list {
		out[i] = string(b)
	}
	return out
}
