package seal

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// drop gives up every right over the new namespaces, for this thread and all that
// it starts: the command can't take the wall down. The process itself can be
// looked into by nobody behind the wall, so no command can write its answer.
func drop(p plan) error {
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return err
	}
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return err
	}
	var kept unix.CapUserData
	for capability := uintptr(0); ; capability++ {
		if capability == unix.CAP_SETFCAP && keepsOne(p) {
			kept.Permitted, kept.Effective = 1<<capability, 1<<capability
			continue
		}
		err := unix.Prctl(unix.PR_CAPBSET_DROP, capability, 0, 0, 0)
		if errors.Is(err, unix.EINVAL) { // past the last one
			break
		}
		if err != nil {
			return fmt.Errorf("capability %d: %w", capability, err)
		}
	}
	sets := [2]unix.CapUserData{kept}
	if err := unix.Capset(&unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}, &sets[0]); err != nil {
		return err
	}
	_, _ = unix.KeyctlInt(unix.KEYCTL_JOIN_SESSION_KEYRING, 0, 0, 0, 0) // a kernel without keyrings has none to hide
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	hideKeys()
	return nil
}

// settle is what is left to do behind a wall of bubblewrap, which gave up all rights
// already.
func settle(p plan, files []uintptr) error {
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return fmt.Errorf("building the wall: %w", err)
	}
	_, _ = unix.KeyctlInt(unix.KEYCTL_JOIN_SESSION_KEYRING, 0, 0, 0, 0)
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("building the wall: %w", err)
	}
	hideKeys()
	return guard(p, files)
}

// keepsOne tells whether a right over the attributes of files is kept. Without it
// an agent of root can't make a user namespace with root in it, which the
// sandboxes of agents do. It gives nothing else: no mount behind the wall honors
// such attributes.
func keepsOne(p plan) bool { return !p.Guarded && os.Geteuid() == 0 }
