package seal

import (
	"errors"
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// landlock is the version of Landlock that the kernel has; 0 for none.
func landlock() int {
	version, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(version)
}

// Versions of Landlock that brought what is used here.
const (
	refersFrom    = 2
	truncatesFrom = 3
	networkFrom   = 4 // only for the size of the ruleset
	scopesFrom    = 6
)

// guard is the second layer. Signals and abstract sockets stay behind the wall:
// with the network of the host they would not, because abstract sockets belong
// to a network. For setup and tests no file can be written but where the plan
// says, also should a mount become writable. Agents go without that part: under
// it a process can mount nothing, and the sandboxes of agents do.
func guard(p plan, files []uintptr) error {
	version := landlock()
	if version == 0 {
		return nil
	}
	rules := ruleset(version, p.Guarded)
	if rules == (unix.LandlockRulesetAttr{}) {
		return nil
	}
	fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&rules)), rulesetSize(version), 0)
	if errno != 0 {
		return fmt.Errorf("landlock: %w", errno)
	}
	defer unix.Close(int(fd))
	if p.Guarded {
		if err := allow(int(fd), rules.Handled_access_fs, p, files); err != nil {
			return fmt.Errorf("landlock: %w", err)
		}
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, fd, 0, 0); errno != 0 {
		return fmt.Errorf("landlock: %w", errno)
	}
	return nil
}

func ruleset(version int, guarded bool) unix.LandlockRulesetAttr {
	var rules unix.LandlockRulesetAttr
	if version >= scopesFrom {
		rules.Scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
	}
	if !guarded {
		return rules
	}
	rules.Handled_access_fs = unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_SOCK |
		unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK | unix.LANDLOCK_ACCESS_FS_MAKE_SYM
	if version >= refersFrom {
		rules.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if version >= truncatesFrom {
		rules.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	return rules
}

func rulesetSize(version int) uintptr {
	switch {
	case version >= scopesFrom:
		return unsafe.Offsetof(unix.LandlockRulesetAttr{}.Quiet_access_fs)
	case version >= networkFrom:
		return unsafe.Offsetof(unix.LandlockRulesetAttr{}.Scoped)
	}
	return unsafe.Offsetof(unix.LandlockRulesetAttr{}.Handled_access_net)
}

// allow names where files may be written: the places of the plan, and the files
// that are open already, which programs open again as /dev/stdout.
func allow(ruleset int, access uint64, p plan, files []uintptr) error {
	for _, m := range p.Mounts {
		if m.How == reads || m.How == empty || m.How == link || m.How == locked {
			continue
		}
		fd, err := unix.Open(string(m.At), unix.O_PATH|unix.O_CLOEXEC, 0)
		if err != nil {
			return fmt.Errorf("%s: %w", m.At, err)
		}
		err = allowOne(ruleset, access, fd)
		_ = unix.Close(fd)
		if err != nil {
			return fmt.Errorf("%s: %w", m.At, err)
		}
	}
	for _, fd := range files {
		if err := allowOne(ruleset, access, int(fd)); err != nil && !errors.Is(err, unix.EBADFD) {
			return err
		}
	}
	return nil
}

// allowOne adds a rule. Of the rights, a file that is no folder has two.
func allowOne(ruleset int, access uint64, fd int) error {
	var info unix.Stat_t
	if err := unix.Fstat(fd, &info); err != nil {
		return err
	}
	if info.Mode&unix.S_IFMT != unix.S_IFDIR {
		access &= unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	rule := unix.LandlockPathBeneathAttr{Allowed_access: access, Parent_fd: int32(fd)}
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(ruleset), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
	if errno != 0 {
		return errno
	}
	return nil
}
