package install

import (
	"fmt"
	"path/filepath"
	"strings"

	"checkrein/internal/redact"
)

// Program is what is known of the program's own file. The registered command
// names it for years, so it has to be a path that upgrades don't change.
type Program struct {
	Running string   // the path of the running program, links followed or not
	OnPath  string   // what its name finds on PATH; "" for nothing
	Temp    []string // folders whose files don't last: the temporary folder, the build cache
	Resolve func(path string) (string, error)
}

// UnlastingError: the program lies where it will not stay.
type UnlastingError struct {
	Path, Why string
	Versioned bool // an upgrade removes it, rather than the system
}

func (e *UnlastingError) Error() string {
	return fmt.Sprintf("the hook would run %s, which is in %s and would be gone one day", redact.Line(e.Path, 300), e.Why)
}

// Lasting picks the path to register: the one on PATH where that is this very
// program, since a link there outlives the versioned folder it leads to; else
// the program's own. The error is an *UnlastingError where neither lasts.
func (p Program) Lasting() (string, error) {
	path, real := p.Running, p.resolved(p.Running)
	if filepath.IsAbs(p.OnPath) && p.resolved(p.OnPath) == real && p.Unlasting(p.OnPath) == "" {
		return p.OnPath, nil
	}
	if why := p.Unlasting(path); why != "" {
		return "", &UnlastingError{path, why, why == oneVersion}
	}
	return path, nil
}

const oneVersion = "a folder of one version"

// Unlasting says why a path will not last, "" when it will. A link to a
// versioned folder lasts, one to a temporary folder does not.
func (p Program) Unlasting(path string) string {
	for _, at := range []string{path, p.resolved(path)} {
		if p.temporary(at) {
			return "a temporary folder"
		}
	}
	if versioned(path) {
		return oneVersion
	}
	return ""
}

func (p Program) resolved(path string) string {
	if real, err := p.Resolve(path); err == nil {
		return real
	}
	return path
}

func (p Program) temporary(path string) bool {
	dirs := append([]string{
		"/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp", "/var/folders", "/private/var/folders", "/dev/shm",
	}, p.Temp...)
	for _, dir := range dirs {
		if filepath.IsAbs(dir) && dir != filepath.Dir(dir) && (within(path, dir) || within(path, p.resolved(dir))) {
			return true
		}
	}
	for part := range strings.SplitSeq(filepath.ToSlash(path), "/") {
		if rest, ok := strings.CutPrefix(part, "go-build"); ok && (rest == "" || digit(rest[0])) {
			return true
		}
	}
	return false
}

func within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// versioned tells a folder that an upgrade replaces: Homebrew's Cellar, the Nix
// and Guix stores, and names like checkrein-1.2.3, checkrein@v1.2.3 or 1.2.3.
func versioned(path string) bool {
	path = filepath.ToSlash(path)
	if strings.HasPrefix(path, "/nix/store/") || strings.HasPrefix(path, "/gnu/store/") || strings.Contains(path, "/Cellar/") {
		return true
	}
	for part := range strings.SplitSeq(path, "/") {
		if version(part) {
			return true
		}
		for i, r := range part {
			if (r == '-' || r == '_' || r == '@') && version(part[i+1:]) {
				return true
			}
		}
	}
	return false
}

// version: text starts with a number, a dot and a number, after an optional v,
// and goes on with no letter but behind a further - or _ (a platform's name).
func version(text string) bool {
	text = strings.TrimPrefix(text, "v")
	if i := strings.IndexAny(text, "-_+"); i >= 0 {
		text = text[:i]
	}
	major, rest, ok := strings.Cut(text, ".")
	return ok && digits(major) && digits(strings.ReplaceAll(rest, ".", "")) && digit(rest[len(rest)-1])
}

func digits(text string) bool {
	return text != "" && strings.IndexFunc(text, func(r rune) bool { return r < '0' || r > '9' }) < 0
}

func digit(c byte) bool { return c >= '0' && c <= '9' }
