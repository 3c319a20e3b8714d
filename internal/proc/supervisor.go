package proc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/go-json-experiment/json"
)

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
