package skills

import (
	"bytes"
	"fmt"
	"strings"

	"checkrein/internal/settings"
)

// Step is what a plan does with one file.
type Step string

// The steps.
const (
	Add     Step = "add"
	Update  Step = "update"  // what an earlier version wrote
	Replace Step = "replace" // what somebody else wrote or changed
	Same    Step = "same"    // nothing to do
	Remove  Step = "remove"
	Keep    Step = "keep" // somebody else's, so it stays
)

// Planned is one file of a plan.
type Planned struct {
	Skill string `json:"skill"`
	Path  string `json:"path"` // absolute
	Step  Step   `json:"step"`
}

// Plan is a change of the skills in some places, planned and not yet made.
type Plan struct {
	Action  string // install or uninstall
	Places  []Place
	Files   [][]Planned // by place
	Notes   []string
	changes []settings.Change
	emptied []*installed
}

// Changed tells whether there is anything to write.
func (p Plan) Changed() bool { return len(p.changes) > 0 }

// Write makes the planned change, all of it or none.
func (p Plan) Write() error {
	if err := settings.Apply(p.changes); err != nil {
		return err
	}
	for _, in := range p.emptied {
		in.removeEmpty()
	}
	return nil
}

// ChangedError: files that are to be written hold something that this program
// did not write.
type ChangedError struct{ Paths []string }

func (e *ChangedError) Error() string {
	return "these files are not as this program wrote them: " + strings.Join(e.Paths, ", ")
}

// Install plans to put every skill into the places. With force, files that
// somebody has changed are replaced; without, the error is a *ChangedError.
func Install(places []Place, force bool, m Machine) (Plan, error) {
	p := Plan{Action: "install", Places: places}
	foreign := &ChangedError{}
	for _, place := range places {
		var planned []Planned
		for _, skill := range Skills() {
			in, err := inspect(place, skill, m)
			if err != nil {
				return Plan{}, err
			}
			planned = append(planned, p.install(in, foreign)...)
		}
		p.Files = append(p.Files, planned)
	}
	if len(foreign.Paths) > 0 && !force {
		return Plan{}, foreign
	}
	p.Notes = installNotes(places, m)
	return p, nil
}

// install plans one skill in one place.
func (p *Plan) install(in *installed, foreign *ChangedError) []Planned {
	var planned []Planned
	recorded := map[string]string{}
	for _, f := range in.files {
		step := f.step()
		switch step {
		case Add, Update, Replace:
			p.changes = append(p.changes, settings.Change{File: f.disk, Text: f.want})
		case Remove:
			p.changes = append(p.changes, settings.Change{File: f.disk})
		}
		if step == Replace {
			foreign.Paths = append(foreign.Paths, f.disk.Path)
		}
		if f.want != nil {
			recorded[f.name] = hash(f.want)
		}
		if f.state() != forgotten {
			planned = append(planned, Planned{in.name, f.disk.Path, step})
		}
	}
	if text := formatRecord(recorded); !bytes.Equal(text, in.record.Text) {
		p.changes = append(p.changes, settings.Change{File: in.record, Text: text})
	}
	return planned
}

// step is what an install does with a file.
func (f file) step() Step {
	switch f.state() {
	case missing:
		return Add
	case current, forgotten:
		return Same
	case older:
		if f.want == nil {
			return Remove
		}
		return Update
	}
	if f.want == nil {
		return Keep
	}
	return Replace
}

func installNotes(places []Place, m Machine) []string {
	var notes []string
	if !m.OnPath("checkrein") {
		notes = append(notes, "The skills call checkrein by its name, which is not on your PATH here.")
	}
	notes = append(notes, "An agent that is running finds the skills at its next start at the latest.")
	for _, place := range places {
		if place.Scope == Project {
			notes = append(notes, fmt.Sprintf("Files in %s belong to the project: commit them for your team, or have git ignore them.",
				shown(place.Dir, m)))
		}
	}
	return append(notes, harnessNotes(places)...)
}
