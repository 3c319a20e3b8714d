package seal

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// drop gives up every right over the new namespaces, for this thread and all that
// it starts: the command can't take the wall down. The process itself can be
// looked into by nobody behind the wall, so no command can write its answer.
func drop() error {
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return err
	}
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return err
	}
	for capability := uintptr(0); ; capability++ {
		err := unix.Prctl(unix.PR_CAPBSET_DROP, capability, 0, 0, 0)
		if errors.Is(err, unix.EINVAL) { // past the last one
			break
		}
		if err != nil {
			return fmt.Errorf("capability %d: %w", capability, err)
		}
	}
	none := [2]unix.CapUserData{}
	if err := unix.Capset(&unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}, &none[0]); err != nil {
		return err
	}
	_, _ = unix.KeyctlInt(unix.KEYCTL_JOIN_SESSION_KEYRING, 0, 0, 0, 0) // a kernel without keyrings has none to hide
	return unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
}
