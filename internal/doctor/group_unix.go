//go:build unix

package doctor

import (
	"os/exec"
	"syscall"
)

// wholeGroup makes the time limit end what the shell started, too.
func wholeGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
