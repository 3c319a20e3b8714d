// Package skills puts the agent skills that come with this program where coding
// agents look for skills, and takes them out again.
//
// It never overwrites or removes a file that somebody else wrote or changed: what
// it wrote is known by its hash, kept in a record beside the skill. It never
// writes through a link below the folder that holds the skills, nor out of a
// project. A change is made as a whole or not at all.
package skills

import (
	"os"
	"path/filepath"
	"slices"

	"checkrein/internal/harness"
	"checkrein/internal/harness/registry"
)

// Scopes of an install.
const (
	User    = "user"    // all of the user's sessions
	Project = "project" // sessions in one project
)

// Names are the harnesses that read skills, in the order of reports.
func Names() (names []string) {
	for _, h := range registry.Skills() {
		names = append(names, h.Name)
	}
	return names
}

// Machine is what a plan is made from, besides the files themselves.
type Machine struct {
	Getenv  func(string) string
	Home    string                 // the user's home folder
	Project string                 // the project folder, absolute
	OnPath  func(name string) bool // is there such a program
}

// Place is a folder of skill folders, and who reads it.
type Place struct {
	Scope     string
	Dir       string   // absolute
	Harnesses []string // of those asked for
}

// Places are the folders for some harnesses and scopes, each folder once.
//
// Tried with skills of different names in every folder, on 2026-11-30: .agents/skills
// is enough for all but Claude Code, and one copy serves three.
func Places(harnesses, scopes []string, m Machine) []Place {
	var all []Place
	for _, scope := range scopes {
		for _, name := range harnesses {
			dir := m.folder(name, scope)
			i := slices.IndexFunc(all, func(p Place) bool { return p.Dir == dir })
			if i < 0 {
				all, i = append(all, Place{Scope: scope, Dir: dir}), len(all)
			}
			if !slices.Contains(all[i].Harnesses, name) { // a project in the home folder has the user's places
				all[i].Harnesses = append(all[i].Harnesses, name)
			}
		}
	}
	return all
}

func (m Machine) folder(name, scope string) string {
	h := reader(name)
	switch {
	case h.Project != "" && scope == User:
		return filepath.Join(m.home(h), "skills")
	case h.Project != "":
		return filepath.Join(m.Project, h.Project, "skills")
	case scope == User:
		return filepath.Join(m.Home, ".agents", "skills")
	}
	return filepath.Join(m.Project, ".agents", "skills")
}

// reader is the harness of a name of Names.
func reader(name string) harness.Skills {
	all := registry.Skills()
	return all[slices.IndexFunc(all, func(h harness.Skills) bool { return h.Name == name })]
}

// home is the folder of a harness in the user's home, or where that has put it.
func (m Machine) home(h harness.Skills) string {
	if h.Var != "" && m.Getenv(h.Var) != "" {
		return m.Getenv(h.Var)
	}
	return filepath.Join(m.Home, filepath.FromSlash(h.Home))
}

// Found are the harnesses that this machine has: their program is on PATH, or
// their folder is there.
func (m Machine) Found() []string {
	return slices.DeleteFunc(Names(), func(name string) bool {
		h := reader(name)
		info, err := os.Stat(m.home(h))
		return !m.OnPath(h.Program) && (err != nil || !info.IsDir())
	})
}
