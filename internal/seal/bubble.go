package seal

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json"

	"checkrein/internal/proc"
)

// insider is where the supervisor's program is behind a wall of bubblewrap.
const insider = "/run/checkrein"

// bubble is the same wall, built by bubblewrap: for computers that allow namespaces
// to that program only. It starts the supervisor as first process behind the wall,
// where the rest (rights, keys, Landlock) is done as behind our own.
func bubble(program string, p plan) (*proc.Wall, error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	if p.Flat {
		if p.Mounts, err = flattenAll(p.Mounts); err != nil {
			return nil, err
		}
	}
	args := append([]string{program}, isolate(p)...)
	for _, m := range p.Mounts {
		args = append(args, m.bubble(p.Mounts)...)
	}
	args = append(args, "--ro-bind", exe, insider, "--remount-ro", "/", "--chdir", "/", "--", insider, proc.SuperviseArg)
	p.Built = true
	data, err := json.Marshal(p)
	return &proc.Wall{Plan: data, Builder: args}, err
}

// isolate are the namespaces. Root keeps its rights there unless told otherwise, and
// agents of root need one of them (see keepsOne).
func isolate(p plan) []string {
	args := []string{"--unshare-user-try", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--as-pid-1"}
	if p.Lonely {
		args = append(args, "--unshare-net")
	}
	if os.Geteuid() == 0 {
		args = append(args, "--cap-drop", "ALL")
		if !p.Guarded {
			args = append(args, "--cap-add", "CAP_SETFCAP")
		}
	}
	return args
}

// flattenAll replaces layers by what stands in for them.
func flattenAll(mounts []mount) ([]mount, error) {
	var out []mount
	for _, m := range mounts {
		if m.How == layers {
			flat, from := m.flatten()
			if from != "" {
				if err := copyInto(string(flat.From[0]), from); err != nil {
					return nil, err
				}
			}
			m = flat
		}
		out = append(out, m)
	}
	return out, nil
}

// bubble is one place in bubblewrap's words. It makes /dev by itself, but for the
// shared memory.
func (m mount) bubble(all []mount) []string {
	at := string(m.At)
	switch {
	case at == "/dev":
		return []string{"--dev", at}
	case m.How == device || m.How == pts || m.How == link && filepath.Dir(at) == "/dev":
		return nil
	case m.How == reads:
		return []string{"--ro-bind-try", string(m.From[0]), at}
	case m.How == writes:
		return []string{"--bind", string(m.From[0]), at}
	case m.How == link:
		return []string{"--symlink", string(m.From[0]), at}
	case m.How == system:
		return []string{"--proc", at}
	case m.How == locked:
		return []string{"--ro-bind-try", at, at}
	case m.How == scratch:
		return []string{"--perms", strings.TrimPrefix(scratchMode(at), "mode="), "--tmpfs", at}
	case m.How == layers:
		return m.overlay()
	}
	return m.masked(all)
}

// overlay is for bubblewrap 0.11 or later, which takes the lowest layer first.
func (m mount) overlay() []string {
	var args []string
	for i := range m.From {
		args = append(args, "--overlay-src", string(m.From[len(m.From)-1-i]))
	}
	upper := string(m.Upper)
	return append(args, "--overlay", filepath.Join(upper, "new"), filepath.Join(upper, "work"), string(m.At))
}

// masked hides what is at a place, where the mount around it has something there.
func (m mount) masked(all []mount) []string {
	at := string(m.At)
	around := mount{}
	for _, other := range all {
		if outer := string(other.At); outer != at && within(outer, at) && other.How != link && len(outer) >= len(around.At) {
			around = other
		}
	}
	for _, from := range around.From {
		info, err := os.Stat(filepath.Join(string(from), strings.TrimPrefix(at, string(around.At))))
		switch {
		case err != nil:
		case info.IsDir():
			return []string{"--tmpfs", at, "--remount-ro", at}
		default:
			return []string{"--ro-bind", os.DevNull, at}
		}
	}
	return nil
}
