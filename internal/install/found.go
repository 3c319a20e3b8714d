package install

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"checkrein/internal/harness/registry"
	"checkrein/internal/redact"
	"checkrein/internal/settings"
)

// Found is what stands of the guard in one settings file.
type Found struct {
	Place
	Real           string // the file's path, every link followed
	Exists         bool
	Plugin         bool            // the Claude Code plugin, which brings a hook of its own, is enabled here
	Hooks          []settings.Hook // the guard's, in file order
	Missing, Twice []string        // events
	Whole          bool            // an install would leave the file as it is
	Python         bool            // one of Hooks is the Python guard's
	Since          time.Time       // when the install was made, or the file was changed last
}

// Find looks for the guard in a settings file. The error says why no agent may
// be able to read it.
func Find(p Place, m Machine) (Found, error) {
	found := Found{Place: p}
	t, err := open(p.Path)
	if err != nil {
		return found, err
	}
	hooks, err := t.doc.Hooks()
	if err != nil {
		return found, t.wrong(err)
	}
	found.Real, found.Exists, found.Hooks = t.file.Real, t.file.Exists, ours(hooks)
	plugins := registry.HooksOf(p.Harness).Plugins
	found.Plugin = plugins != "" && t.doc.TrueIn(plugins, "checkrein@")
	if len(found.Hooks) == 0 {
		return found, nil
	}
	found.Since = since(t.file, m)
	return found, t.wrong(found.compare(t, hooks, m))
}

// compare holds the entries to what an install of the first one's command would
// write.
func (f *Found) compare(t text, hooks []settings.Hook, m Machine) error {
	plan := Plan{Request: Request{Harness: f.Harness}}
	events := plan.events(hooks, m)
	for _, name := range plan.Events {
		switch n := len(slices.Collect(eventsOf(f.Hooks, name))); {
		case n == 0:
			f.Missing = append(f.Missing, name)
		case n > 1:
			f.Twice = append(f.Twice, name)
		}
	}
	for _, h := range f.Hooks {
		f.Python = f.Python || pythonGuard().MatchString(h.Command)
	}
	err := t.doc.Register(settings.Entry{Events: events, Command: f.Hooks[0].Command}, Ours)
	f.Whole = err == nil && bytes.Equal(t.doc.Text(), t.file.Text)
	return err
}

func eventsOf(hooks []settings.Hook, event string) func(func(settings.Hook) bool) {
	return func(yield func(settings.Hook) bool) {
		for _, h := range hooks {
			if h.Event == event && !yield(h) {
				return
			}
		}
	}
}

// since is the time of the install's record: agents write to their settings
// files themselves.
func since(file settings.File, m Machine) time.Time {
	if kept, err := recordFile(m.store(), file); err == nil && kept.Exists {
		return modified(kept.Real)
	}
	return modified(file.Real)
}

func modified(path string) time.Time {
	info, err := os.Stat(path)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// Switch is a setting that keeps the guard from working.
type Switch struct{ Path, What string }

// Switches finds those in a harness's settings files. off judges the value of
// RUNAWAY_GUARD_OFF.
func Switches(name string, m Machine, off func(value string) bool) (found []Switch) {
	h, user := registry.HooksOf(name), m.settingsPath(name, User)
	paths := []string{user, m.settingsPath(name, Project)}
	for _, file := range h.Shared {
		paths = append(paths, filepath.Join(m.Project, filepath.FromSlash(file)))
	}
	slices.Sort(paths)
	for _, path := range slices.Compact(paths) { // the home folder may be the project
		t, err := open(path)
		if err != nil {
			continue // Find tells of it, or it is another program's
		}
		if t.doc.Flag(h.Switch) {
			found = append(found, Switch{path, h.Switch + ", which turns every hook off"})
		}
		if off(t.doc.TextIn("env", "RUNAWAY_GUARD_OFF")) {
			found = append(found, Switch{path, "RUNAWAY_GUARD_OFF in env, which turns the guard off"})
		}
		if path == user {
			continue
		}
		for _, name := range t.doc.NamesIn("env", "RUNAWAY_GUARD_") { // a variable goes before the user's own file
			if name != "RUNAWAY_GUARD_OFF" {
				found = append(found, Switch{path, redact.Line(name, 60) + " in env, which wins over your own settings, though a project may only tighten"})
			}
		}
	}
	return found
}

// ProgramOf is the program that a command of an install runs; false for a command
// of another form.
func ProgramOf(command string) (path string, ok bool) {
	for _, h := range registry.Hooks() {
		if path, ok = strings.CutSuffix(command, tail(h.Name)); ok {
			break
		}
	}
	if inner, quoted := strings.CutPrefix(path, "'"); quoted {
		path = strings.ReplaceAll(strings.TrimSuffix(inner, "'"), `'"'"'`, "'")
	}
	return path, ok && path != ""
}
