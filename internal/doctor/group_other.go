//go:build !unix

package doctor

import "os/exec"

// wholeGroup: there are no process groups; the shell alone is ended.
func wholeGroup(*exec.Cmd) {}
