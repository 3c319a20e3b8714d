package skills

import (
	"errors"
	"fmt"
	"strings"

	"checkrein/internal/harness"
)

// Status is one skill in one place.
type Status struct {
	Skill     string   `json:"skill"`
	Scope     string   `json:"scope"`
	Folder    string   `json:"folder"` // the skill's own
	Harnesses []string `json:"harnesses"`
	State     string   `json:"state"` // not installed, installed, older, changed, not ours, link, unreadable
}

// List says of each skill in each place how it stands.
func List(places []Place, m Machine) []Status {
	var all []Status
	for _, place := range places {
		for _, skill := range Skills() {
			in, err := inspect(place, skill, m)
			s := Status{Skill: skill, Scope: place.Scope, Harnesses: place.Harnesses}
			if link := new(LinkError); errors.As(err, &link) {
				s.Folder, s.State = link.Dir, "link"
			} else if err != nil {
				s.Folder, s.State = place.Dir, "unreadable"
			} else {
				s.Folder, s.State = in.dir, in.stands()
			}
			all = append(all, s)
		}
	}
	return all
}

// stands is the worst that can be said of the skill's files.
func (in *installed) stands() string {
	count := map[state]int{}
	for _, f := range in.files {
		count[f.state()]++
	}
	switch {
	case !in.there():
		return "not installed"
	case !in.record.Exists:
		return "not ours"
	case count[foreign] > 0 || count[missing] > 0 && count[older] == 0:
		return "changed"
	case count[older] > 0:
		return "older"
	}
	return "installed"
}

// Table is the list for people.
func Table(all []Status, m Machine) string {
	var b strings.Builder
	b.WriteString("| Skill | Folder | Read by | State |\n|---|---|---|---|\n")
	for _, s := range all {
		var readers []string
		for _, name := range s.Harnesses {
			readers = append(readers, harness.Label(name))
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", s.Skill, shown(s.Folder, m), strings.Join(readers, ", "), s.State)
	}
	return b.String()
}
