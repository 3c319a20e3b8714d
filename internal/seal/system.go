package seal

import (
	"os"
	"path/filepath"
	"strings"
)

// system is the operating system: what every program may expect, read-only, and
// new folders for what is of this run.
func (v *view) system() {
	for _, dir := range []string{
		"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/nix", "/snap", "/sys",
		"/var/lib/alternatives", "/var/lib/dpkg", "/var/lib/gems", "/var/lib/ghc", "/var/cache/fontconfig",
	} {
		v.read(dir)
	}
	for _, dir := range []string{"/usr/local", "/usr/bin", "/usr/lib/node_modules", "/opt", "/var/lib/gems"} { // where root's package managers install
		if v.room.earlier(dir) != "" || v.installs(dir) {
			v.forget(dir)
			v.tools(dir)
		}
	}
	for _, path := range secretPaths() {
		if v.covered(path) {
			v.add(path, empty)
		}
	}
	v.elsewhere("/etc/resolv.conf", "/etc/localtime", "/etc/ssl/certs/ca-certificates.crt", "/etc/hosts")
	v.devices()
	v.add("/proc", system)
	if os.Geteuid() == 0 { // the kernel's switches belong to root, in whatever namespace
		for _, name := range []string{"sys", "sysrq-trigger", "irq", "bus", "fs", "acpi", "scsi"} {
			v.add("/proc/"+name, locked)
		}
	}
	v.private("/tmp")
	v.private("/var/tmp")
	v.add("/run", scratch)
	v.add("/var/run", link, "/run")
}

// secretPaths are those of the system that only root can read, for runs of root.
func secretPaths() []string {
	return []string{
		"/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/sudoers", "/etc/sudoers.d", "/etc/ssh", "/etc/ssl/private",
		"/etc/NetworkManager/system-connections", "/etc/wpa_supplicant", "/etc/krb5.keytab", "/etc/docker", "/etc/kubernetes", "/etc/rancher", "/etc/wireguard",
	}
}

// elsewhere shows files that are links out of the folders in sight: resolv.conf
// often leads into /run.
func (v *view) elsewhere(paths ...string) {
	for _, path := range paths {
		if real, err := filepath.EvalSymlinks(path); err == nil && !v.covered(real) {
			v.add(real, reads, real)
		}
	}
}

// devices is a /dev with what programs need.
func (v *view) devices() {
	v.add("/dev", scratch)
	for _, name := range []string{"null", "zero", "full", "random", "urandom", "tty"} {
		v.add("/dev/"+name, device, "/dev/"+name)
	}
	v.add("/dev/pts", pts)
	v.add("/dev/shm", scratch)
	v.add("/dev/ptmx", link, "pts/ptmx")
	for name, to := range map[string]string{"fd": "", "stdin": "/0", "stdout": "/1", "stderr": "/2"} {
		v.add("/dev/"+name, link, "/proc/self/fd"+to)
	}
}

// variables shows what the command's own variables name: toolchains and package
// caches outside the usual places. The list of variables is that of package proc,
// in which no hidden folder is named.
func (v *view) variables() {
	for _, entry := range v.start.Env {
		name, val, _ := strings.Cut(entry, "=")
		switch {
		case name == "HOME" || name == "TMPDIR" || name == "PWD":
		case strings.HasPrefix(name, "XDG_"):
			v.xdg(name, val)
		case cacheVariable(name):
			v.cache(val)
		default:
			for _, path := range filepath.SplitList(val) {
				v.tool(path)
				if name == "PATH" {
					v.linked(path)
				}
			}
		}
	}
}

// xdg is a user's folder outside the home. Only caches are shown of it.
func (v *view) xdg(name, dir string) {
	if !filepath.IsAbs(dir) || within(v.home, dir) || strings.HasSuffix(name, "_DIRS") {
		return
	}
	v.private(dir)
	if name == "XDG_CACHE_HOME" {
		for _, sub := range cacheFolders() {
			v.cache(filepath.Join(dir, sub))
		}
	}
}

// tool shows the folder of a toolchain. The bin folder of one needs the rest of
// it, but the bin folder of some project of the user's must not show the project.
func (v *view) tool(path string) {
	if !filepath.IsAbs(path) || tooWide(path, v.home) || v.covered(path) {
		return
	}
	if parent := filepath.Dir(path); filepath.Base(path) == "bin" && !tooWide(parent, v.home) && isDir(filepath.Join(parent, "lib")) {
		path = parent
	} else if managed(parent) && filepath.Base(path) == "shims" && !tooWide(parent, v.home) {
		path = parent
	}
	v.tools(path)
}

// managed tells whether a folder is a version manager's (pyenv, rbenv, nodenv;
// asdf, mise), whose shims start what lies beside them.
func managed(dir string) bool {
	return isDir(filepath.Join(dir, "versions")) || isDir(filepath.Join(dir, "installs"))
}

// tooWide tells whether a folder holds more than a toolchain.
func tooWide(path, home string) bool {
	path = filepath.Clean(path)
	return within(path, home) || path == filepath.Join(home, ".local") || path == filepath.Join(home, ".config") || path == filepath.Join(home, ".cache") ||
		within(path, os.TempDir()) || path == "/home" || path == "/proc" || path == "/run" || path == "/var" || path == "/dev"
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
