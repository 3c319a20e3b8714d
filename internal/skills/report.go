package skills

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"checkrein/internal/harness"
	"checkrein/internal/harness/registry"
	"checkrein/internal/redact"
)

func harnessNotes(places []Place) (notes []string) {
	for _, h := range registry.Skills() {
		if slices.ContainsFunc(places, func(p Place) bool { return slices.Contains(p.Harnesses, h.Name) }) {
			notes = append(notes, h.Notes...)
		}
	}
	return notes
}

// Report is the JSON form of a plan.
type Report struct {
	Headline string        `json:"headline"`
	Action   string        `json:"action"`
	Changed  bool          `json:"changed"`
	Written  bool          `json:"written"`
	Places   []PlaceReport `json:"places"`
	Notes    []string      `json:"notes"`
}

// PlaceReport is one folder of a report.
type PlaceReport struct {
	Scope     string    `json:"scope"`
	Folder    string    `json:"folder"`
	Harnesses []string  `json:"harnesses"`
	Files     []Planned `json:"files"`
}

// Report is the plan for programs; written tells that it was carried out.
func (p Plan) Report(written bool) Report {
	r := Report{p.Headline(), p.Action, p.Changed(), written, []PlaceReport{}, append([]string{}, p.Notes...)}
	for i, place := range p.Places {
		r.Places = append(r.Places, PlaceReport{place.Scope, place.Dir, place.Harnesses, append([]Planned{}, p.Files[i]...)})
	}
	return r
}

// Headline is the plan in one sentence.
func (p Plan) Headline() string {
	var readers []string
	for _, name := range Names() {
		if slices.ContainsFunc(p.Places, func(place Place) bool { return slices.Contains(place.Harnesses, name) }) {
			readers = append(readers, harness.Label(name))
		}
	}
	switch {
	case p.Action == "install":
		return strings.Join(Skills(), " and ") + " for " + and(readers) + "."
	case len(p.Places) == 0:
		return "There is no skill of checkrein in the folders looked at."
	}
	return "checkrein's skills go from " + and(readers) + "."
}

func and(names []string) string {
	if len(names) < 3 {
		return strings.Join(names, " and ")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + ", and " + names[last]
}

// Markdown is the plan for people.
func (p Plan) Markdown(written bool, m Machine) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**\n\n%s\n", p.Headline(), p.progress(written))
	for i, place := range p.Places {
		fmt.Fprintf(&b, "\n%s, where %s:\n\n", shown(place.Dir, m), place.look())
		for _, f := range p.Files[i] {
			below, _ := filepath.Rel(place.Dir, f.Path)
			fmt.Fprintf(&b, "- %s%s\n", redact.Line(below, 200), f.Step.words())
		}
	}
	if len(p.Notes) > 0 {
		b.WriteString("\nNotes:\n")
	}
	for _, note := range p.Notes {
		b.WriteString("- " + note + "\n")
	}
	return b.String()
}

func (p Plan) progress(written bool) string {
	switch {
	case written:
		return "Done: the change below is made."
	case p.Changed():
		return "Dry run: nothing is written. Give the same command with --write to make this change."
	}
	return "Nothing to change."
}

func (p Place) look() string {
	var names []string
	for _, name := range p.Harnesses {
		names = append(names, harness.Label(name))
	}
	verb := " look"
	if len(names) == 1 {
		verb = " looks"
	}
	scope := " for skills of yours"
	if p.Scope == Project {
		scope = " for skills of this project"
	}
	return and(names) + verb + scope
}

func (s Step) words() string {
	switch s {
	case Same:
		return ": as it should be"
	case Update:
		return ": brought up to date"
	case Replace:
		return ": your version is REPLACED"
	case Remove:
		return ": removed"
	case Keep:
		return ": kept, because it was changed"
	}
	return ""
}

// shown is a path as reports show it: inert, the home folder as ~.
func shown(path string, m Machine) string {
	if below, err := filepath.Rel(m.Home, path); err == nil && m.Home != "" && filepath.IsLocal(below) && below != "." {
		path = "~" + string(filepath.Separator) + below
	}
	return redact.Line(path, 300)
}
