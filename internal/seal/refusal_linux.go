package seal

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
)

// refusal says why no wall can be built, as far as the kernel's settings tell.
func refusal(err error) Report {
	r := Report{Why: err.Error(), Parts: []Part{}}
	switch {
	case setting("/proc/sys/user/max_user_namespaces") == "0":
		r.Why, r.Try = "user namespaces are turned off (user.max_user_namespaces is 0)", "sudo sysctl user.max_user_namespaces=15000"
	case setting("/proc/sys/kernel/unprivileged_userns_clone") == "0":
		r.Why, r.Try = "ordinary users may have no user namespaces", "sudo sysctl kernel.unprivileged_userns_clone=1"
	case setting("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == "1":
		r.Why = "AppArmor keeps ordinary programs from user namespaces (its profile bwrap-userns-restrict would let bubblewrap)"
		r.Try = "sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0"
	case errors.Is(err, syscall.EPERM) || strings.Contains(err.Error(), syscall.EPERM.Error()):
		r.Why = "the kernel refuses namespaces, as in most containers: " + err.Error()
	case strings.Contains(err.Error(), syscall.ENOSYS.Error()):
		r.Why = "the kernel is older than 5.12: " + err.Error()
	}
	return r
}

// bubblewrap is that program; "" where it is not installed.
func bubblewrap() string {
	path, err := exec.LookPath("bwrap")
	if err != nil {
		return ""
	}
	return path
}

func setting(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}
