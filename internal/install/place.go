// Package install plans, shows and makes the change that puts the guard's hook
// into an agent's settings, and the change that takes it out again.
//
// A plan only reads. Writing it changes every file of the plan or none, keeps
// every byte of a settings file that is not ours, and never gives an agent's
// trust in the user's name. The text a file had before the first install is kept
// in the state folder, in the form the Python guard used, so that either one's
// original comes back byte for byte.
package install

import (
	"path/filepath"
	"strings"

	"checkrein/internal/harness/registry"
	"checkrein/internal/limits"
	"checkrein/internal/redact"
	"checkrein/internal/state"
)

// Scopes of an install.
const (
	User    = "user"    // every session of this user
	Project = "project" // sessions in one project
)

// Machine is what a plan is made from, besides the files themselves.
type Machine struct {
	Getenv  func(string) string
	Project string // the project folder, absolute
	Status  string // how to show a session's counts, as typed in a terminal
	Version string // what the harness's program says its version is; "" when it says nothing
}

func (m Machine) home() string { return state.Home(m.Getenv) }

func (m Machine) store() state.Store { return state.Open(m.Getenv) }

// settingsPath is the file a harness reads its hooks from.
func (m Machine) settingsPath(name, scope string) string {
	h := registry.HooksOf(name)
	if scope == User {
		return h.User(m.Getenv, m.home())
	}
	return h.Project(m.Project)
}

// limitsPath is the file that --cap changes. The guard reads one file of a
// project, so a project that has one keeps to it, whatever the harness.
func (m Machine) limitsPath(name, scope string) string {
	if scope == User {
		return filepath.Join(m.store().Dir, limits.Name)
	}
	if path := limits.ProjectFile(m.Project); path != "" {
		return path
	}
	return filepath.Join(m.Project, registry.HooksOf(name).Folder, limits.Name)
}

// Shown is a path as reports show it: inert, the home folder as ~.
func (m Machine) Shown(path string) string {
	home := strings.TrimRight(m.home(), string(filepath.Separator))
	if rest, ok := strings.CutPrefix(path, home); ok && home != "" && (rest == "" || rest[0] == filepath.Separator) {
		path = "~" + rest
	}
	return redact.Line(path, 300)
}
