package skills

import (
	"errors"

	"checkrein/internal/settings"
)

// Uninstall plans to take out of the places what this program wrote there. A
// skill that is a link, or has no record, is not its work.
func Uninstall(places []Place, m Machine) (Plan, error) {
	p := Plan{Action: "uninstall"}
	for _, place := range places {
		var planned []Planned
		for _, skill := range Skills() {
			in, err := inspect(place, skill, m)
			if link := new(LinkError); errors.As(err, &link) {
				p.Notes = append(p.Notes, shown(link.Dir, m)+" is or holds a link, so it stays.")
				continue
			}
			if err != nil {
				return Plan{}, err
			}
			planned = append(planned, p.uninstall(in, m)...)
		}
		if len(planned) > 0 {
			p.Places, p.Files = append(p.Places, place), append(p.Files, planned)
		}
	}
	return p, nil
}

func (p *Plan) uninstall(in *installed, m Machine) []Planned {
	var planned []Planned
	if !in.record.Exists {
		if in.there() {
			p.Notes = append(p.Notes, shown(in.dir, m)+" was not put there by this program, so it stays.")
		}
		return nil
	}
	for _, f := range in.files {
		switch {
		case f.ours():
			p.changes = append(p.changes, settings.Change{File: f.disk})
			planned = append(planned, Planned{in.name, f.disk.Path, Remove})
		case f.disk.Exists:
			planned = append(planned, Planned{in.name, f.disk.Path, Keep})
		}
	}
	p.changes = append(p.changes, settings.Change{File: in.record})
	p.emptied = append(p.emptied, in)
	return append(planned, Planned{in.name, in.record.Path, Remove})
}

// there tells whether any file of the skill is on disk.
func (in *installed) there() bool {
	for _, f := range in.files {
		if f.disk.Exists {
			return true
		}
	}
	return false
}
