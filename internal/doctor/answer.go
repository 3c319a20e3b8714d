package doctor

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"checkrein/internal/harness"
	"checkrein/internal/install"
)

// limit is half of what the entry allows a hook.
const limit = 5 * time.Second

// answers runs each registered command once.
func (e *examination) answers(ctx context.Context, name string, all []install.Found) {
	tried := map[string]bool{}
	for _, f := range all {
		for _, h := range f.Hooks {
			if tried[h.Command] || f.Python {
				continue
			}
			tried[h.Command] = true
			level, seen := e.ask(ctx, h.Command).judge()
			e.add(name, "answer", level, seen, installCommand(e.Program, name, f.Scope))
		}
	}
}

// ask runs a command as a harness does, with a call that leaves no trace.
func (e *examination) ask(ctx context.Context, command string) answer {
	var a answer
	if path, ok := install.ProgramOf(command); ok {
		a.program = e.Machine.Shown(path)
		if a.missing = runnable(path); a.missing != nil {
			return a
		}
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", command)
	cmd.Env, cmd.Dir, cmd.WaitDelay = e.Environ, e.Machine.Project, time.Second
	cmd.Stdin = strings.NewReader(fmt.Sprintf(`{"hook_event_name":%q,"cursor_version":"checkrein guard doctor"}`, harness.PreToolUse))
	out, stderr := &bounded{}, &bounded{}
	cmd.Stdout, cmd.Stderr = out, stderr
	wholeGroup(cmd)
	start := time.Now()
	a.err = cmd.Run()
	a.took, a.late = time.Since(start), ctx.Err() != nil
	a.out, a.error = out.kept.String(), stderr.kept.String()
	return a
}

func runnable(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return errors.New("it is not there")
	case err != nil:
		return errors.New("it can't be looked at")
	case !info.Mode().IsRegular() || info.Mode().Perm()&0o111 == 0 && !strings.HasSuffix(path, ".exe"):
		return errors.New("it is no program")
	}
	return nil
}

// bounded keeps the first bytes of what a command writes. The buffer is not
// embedded: its ReadFrom would pass Write by.
type bounded struct{ kept bytes.Buffer }

const maxAnswer = 64 << 10 // bytes

// Write takes everything and keeps what there is room for.
func (b *bounded) Write(p []byte) (int, error) {
	b.kept.Write(p[:min(len(p), maxAnswer-b.kept.Len())])
	return len(p), nil
}
