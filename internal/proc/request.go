package proc

import (
	"crypto/rand"
	"fmt"
	"path/filepath"
	"syscall"
)

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
