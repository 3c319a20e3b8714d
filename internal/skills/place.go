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
	"checkrein/internal/harness/claudecode"
)

// OpenCode is how flags spell that harness. It has no hooks, but reads skills.
const OpenCode = "opencode"

// Scopes of an install.
const (
	User    = "user"    // all of the user's sessions
	Project = "project" // sessions in one project
)

// Names are the harnesses that read skills, in the order of reports.
func Names() []string {
	return []string{harness.ClaudeCode, harness.Codex, harness.GeminiCLI, OpenCode}
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
// Tried with skills of different names in every folder, on 2026-11-30:
//
//	Claude Code 2.1.332  .claude/skills, in the user's folder (CLAUDE_CONFIG_DIR) and
//	                     the project's; no other
//	Codex 0.171.0        .agents/skills, in the home folder and from the working
//	                     folder up to the repository's root; the older .codex/skills, too
//	Gemini CLI 0.61.0    .agents/skills, which wins over .gemini/skills
//	OpenCode 1.18.33     .agents/skills, .claude/skills, .opencode/skills and
//	                     ~/.config/opencode/skills
//
// So .agents/skills is enough for all but Claude Code, and one copy serves three.
// The documentation says the same: code.claude.com/docs/en/skills,
// developers.openai.com/codex/skills, geminicli.com/docs/cli/using-agent-skills,
// opencode.ai/docs/skills.
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
	switch {
	case name == harness.ClaudeCode && scope == User:
		return filepath.Join(m.claudeFolder(), "skills")
	case name == harness.ClaudeCode:
		return filepath.Join(m.Project, claudecode.ProjectFolder, "skills")
	case scope == User:
		return filepath.Join(m.Home, ".agents", "skills")
	}
	return filepath.Join(m.Project, ".agents", "skills")
}

func (m Machine) claudeFolder() string {
	return filepath.Dir(claudecode.UserSettings(m.Getenv("CLAUDE_CONFIG_DIR"), m.Home))
}

// Found are the harnesses that this machine has: their program is on PATH, or
// their folder is there.
func (m Machine) Found() []string {
	return slices.DeleteFunc(Names(), func(name string) bool {
		program, dir := m.traces(name)
		info, err := os.Stat(dir)
		return !m.OnPath(program) && (err != nil || !info.IsDir())
	})
}

func (m Machine) traces(name string) (program, dir string) {
	switch name {
	case harness.ClaudeCode:
		return "claude", m.claudeFolder()
	case harness.Codex:
		if dir = m.Getenv("CODEX_HOME"); dir == "" {
			dir = filepath.Join(m.Home, ".codex")
		}
		return "codex", dir
	case harness.GeminiCLI:
		return "gemini", filepath.Join(m.Home, ".gemini")
	}
	return "opencode", filepath.Join(m.Home, ".config", "opencode")
}
