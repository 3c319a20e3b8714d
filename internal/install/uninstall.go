package install

import (
	"slices"

	"checkrein/internal/harness/registry"
	"checkrein/internal/settings"
)

// Place is a settings file the hook may be in.
type Place struct{ Harness, Scope, Path string }

// Places lists the settings files of a harness and a scope, "" for every one.
func Places(name, scope string, m Machine) []Place {
	var places []Place
	for _, h := range registry.Hooks() {
		for _, s := range []string{User, Project} {
			if (name == "" || name == h.Name) && (scope == "" || scope == s) {
				places = append(places, Place{h.Name, s, m.settingsPath(h.Name, s)})
			}
		}
	}
	return places
}

// Target is what an uninstall finds in one place.
type Target struct {
	Place
	Removed int  // entries of the guard
	Others  int  // hooks that are not the guard's
	Exactly bool // nothing changed since the install: the text from before it is put back
	Moved   int  // hooks that are not the guard's and change their place in a list
	Edit    *Edit
}

// Removal is an uninstall, planned and not yet made.
type Removal struct {
	Targets []Target
	Notes   []string
	changes []settings.Change
}

// Changed tells whether there is anything to write.
func (r Removal) Changed() bool { return len(r.changes) > 0 }

// Write makes the planned change, all of it or none.
func (r Removal) Write() error { return settings.Apply(r.changes) }

// Remove plans taking the hook out of the places. A file that two of them name,
// such as Codex's where the home folder is the project, is looked at once.
func Remove(places []Place, m Machine) (Removal, error) {
	var r Removal
	var seen []string
	for _, place := range places {
		t, err := open(place.Path)
		if err != nil {
			return Removal{}, err
		}
		if slices.Contains(seen, t.file.Real) {
			continue
		}
		seen = append(seen, t.file.Real)
		if err := r.take(place, t, m); err != nil {
			return Removal{}, err
		}
	}
	r.Notes = removalNotes(r, m)
	return r, nil
}

// take plans one place: the settings file first, then its record, which is of no
// use any more.
func (r *Removal) take(place Place, t text, m Machine) error {
	before, err := t.doc.Hooks()
	if err != nil {
		return t.wrong(err)
	}
	target := Target{Place: place, Removed: len(ours(before))}
	target.Others = len(before) - target.Removed
	if target.Removed > 0 {
		if err := r.cut(&target, t, m); err != nil {
			return err
		}
		target.Moved = moved(before, target.Edit.After)
	}
	r.Targets = append(r.Targets, target)
	return nil
}

// cut plans a file that has entries of ours.
func (r *Removal) cut(target *Target, t text, m Machine) error {
	recorded, err := recordFile(m.store(), t.file)
	if err != nil {
		return err
	}
	if known, ok := knows(recorded, t.file); ok {
		target.Exactly, target.Edit = true, known.edit(t.file)
	} else {
		if _, err := t.doc.Unregister(Ours); err != nil {
			return t.wrong(err)
		}
		if target.Edit, err = t.edit(); err != nil {
			return err
		}
	}
	change := settings.Change{File: t.file}
	if !target.Edit.Gone {
		change.Text = []byte(target.Edit.After)
	}
	r.changes = append(r.changes, change)
	if recorded.Exists {
		r.changes = append(r.changes, settings.Change{File: recorded})
	}
	return nil
}

// moved counts the hooks of others whose place in their event's list changes.
func moved(before []settings.Hook, after string) int {
	doc, err := settings.Parse([]byte(after))
	if err != nil {
		return 0
	}
	now, _ := doc.Hooks()
	n := 0
	for _, h := range before {
		if !Ours(h.Command) && !slices.Contains(now, h) {
			n++
		}
	}
	return n
}
