package seal

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"checkrein/internal/proc"
)

// view collects what one command has in sight.
type view struct {
	Options
	start  proc.Start
	home   string
	room   room
	mounts []mount
}

// collect is everything in its final order: a folder before what is in it.
func (v *view) collect() {
	v.system()
	v.userHome()
	v.variables()
	v.program(v.start.Argv[0])
	v.own()
	if v.start.Dir != "/" {
		v.add(Copy, writes, v.start.Dir)
	}
	for _, need := range v.start.Needs {
		v.add(need, writes, need)
	}
	for _, dir := range v.Hide {
		if !within(dir, v.home) && !within(Copy, dir) { // a repository of dot files, or one at the copy's path: something else is there now
			v.add(dir, empty)
		}
	}
	slices.SortStableFunc(v.mounts, func(a, b mount) int { return bytes.Compare(a.At, b.At) })
}

// add shows something at a place, once: what was added first stays, but for what
// was prepared for this very command.
func (v *view) add(at string, how how, from ...string) {
	at = filepath.Clean(at)
	i := slices.IndexFunc(v.mounts, func(m mount) bool { return string(m.At) == at })
	m := mount{At: []byte(at), How: how}
	for _, f := range from {
		m.From = append(m.From, []byte(f))
	}
	switch {
	case i < 0:
		v.mounts = append(v.mounts, m)
	case how == writes || how == empty:
		v.mounts[i] = m
	}
}

// forget takes back what was added at a place.
func (v *view) forget(at string) {
	v.mounts = slices.DeleteFunc(v.mounts, func(m mount) bool { return string(m.At) == at })
}

// read shows a file or folder of the host, where there is one; a socket is the way
// to a service of the user's. Links on the way stay links, because what lies in a
// folder may lead out of it by a relative one.
func (v *view) read(path string) {
	if info, err := os.Stat(path); err != nil || !info.IsDir() && !info.Mode().IsRegular() {
		return
	}
	for range 40 { // as many as the kernel follows
		at, to := firstLink(path, v.home)
		if at == "" {
			break
		}
		if !v.below(at) {
			v.add(at, link, to)
		}
		rest := strings.TrimPrefix(path, at)
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(at), to)
		}
		path = filepath.Join(to, rest)
	}
	if !v.covered(path) && !v.hidden(path) {
		v.add(path, reads, path)
	}
}

// firstLink is the first part of a path that is a link, and where it leads. The
// way to the home folder is one of folders: programs are told it by its name.
func firstLink(path, home string) (at, to string) {
	for end := 1; end < len(path); end++ {
		if next := strings.IndexByte(path[end:], '/'); next >= 0 {
			end += next
		} else {
			end = len(path)
		}
		if to, err := os.Readlink(path[:end]); err == nil && !within(path[:end], home) {
			return path[:end], to
		}
	}
	return "", ""
}

// hidden tells whether a path lies in a folder that stays out of sight.
func (v *view) hidden(path string) bool {
	return slices.ContainsFunc(v.Hide, func(dir string) bool { return within(dir, path) && !within(dir, v.home) })
}

// cache shows a folder of the host that can be written to without a trace.
func (v *view) cache(path string) {
	var from []string
	earlier := v.room.earlier(path)
	if v.goBuilds(path) {
		earlier = ""
	}
	if earlier != "" {
		from = append(from, earlier)
	}
	if builds := v.builds(path); isDir(builds) {
		from = append(from, builds)
	}
	if real, err := filepath.EvalSymlinks(path); err == nil && !v.hidden(real) {
		from = append(from, real)
	}
	switch {
	case len(from) == 0:
	case v.room.dir == "":
		v.add(path, reads, from...)
	default:
		v.layer(path, v.standIn(path, earlier), from...)
	}
}

// layer shows folders of the host under a private one.
func (v *view) layer(path string, stand flat, from ...string) {
	v.add(path, layers, from...)
	v.mounts[slices.IndexFunc(v.mounts, func(m mount) bool { return string(m.At) == filepath.Clean(path) })].Flat = stand
}

// tools shows the folder of a toolchain. A setup command may install into it, for
// this copy only.
func (v *view) tools(path string) {
	real, err := filepath.EvalSymlinks(path)
	earlier := v.room.earlier(path)
	switch {
	case err != nil || !isDir(real) || v.hidden(real) || earlier == "" && !v.installs(real):
		v.read(path)
	case earlier != "":
		v.layer(path, hosts, earlier, real)
	default:
		v.layer(path, hosts, real)
	}
}

// installs tells whether the command is a setup that can write to a folder.
func (v *view) installs(dir string) bool {
	return v.start.Kind == proc.Setup && v.room.dir != "" && syscall.Access(dir, 2) == nil
}

// builds is the kept build cache that belongs at a path; "" when none does.
func (v *view) builds(path string) string {
	if v.Builds == "" || !v.goBuilds(path) {
		return ""
	}
	return filepath.Join(v.Builds, "go-build")
}

// goBuilds tells whether a path is that of Go's build cache. It holds results of
// tests, too, so not even a setup command may leave something there: after an
// agent's work, setup runs what the agent wrote.
func (v *view) goBuilds(path string) bool {
	return slices.Contains(v.buildPaths(), path)
}

// private is a folder of the command's own.
func (v *view) private(path string) {
	switch earlier := v.room.earlier(path); {
	case v.room.dir == "":
		v.add(path, scratch)
	case earlier != "":
		v.layer(path, copied, earlier)
	default:
		v.add(path, writes, filepath.Join(v.room.upper(path), "new"))
	}
}

// covered tells whether a path is in sight already.
func (v *view) covered(path string) bool {
	return slices.ContainsFunc(v.mounts, func(m mount) bool {
		same := (m.How == reads || m.How == layers) && bytes.Equal(m.At, m.From[len(m.From)-1])
		return (same || m.How == link) && within(string(m.At), path)
	})
}

// below tells whether a path lies in something that is shown, so that nothing can
// be put there.
func (v *view) below(path string) bool {
	return slices.ContainsFunc(v.mounts, func(m mount) bool { return m.How == reads && within(string(m.At), path) })
}

// within tells whether path is dir or in it.
func within(dir, path string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
}

// makeFolder makes a private folder, one for all where programs expect that.
func makeFolder(dir, at string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil || at != "/tmp" && at != "/var/tmp" {
		return err
	}
	return os.Chmod(dir, 0o777|os.ModeSticky)
}

// makeRoom makes the folders that take what the command writes.
func (v *view) makeRoom() error {
	for i, m := range v.mounts {
		at := string(m.At)
		switch {
		case m.How == layers:
			upper := v.room.upper(at)
			v.mounts[i].Upper = []byte(upper)
			if err := errors.Join(makeFolder(filepath.Join(upper, "new"), at), os.Mkdir(filepath.Join(upper, "work"), 0o700)); err != nil {
				return err
			}
		case m.How == writes && v.room.dir != "" && within(v.room.dir, string(m.From[0])):
			if err := makeFolder(string(m.From[0]), at); err != nil {
				return err
			}
		}
	}
	return errors.Join(v.copySettings(), v.copyOffline())
}
