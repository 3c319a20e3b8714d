package install

import (
	"fmt"

	"checkrein/internal/guard"
	"checkrein/internal/harness"
	"checkrein/internal/harness/registry"
	"checkrein/internal/settings"
)

// notes is what the user has to know or do beside the change itself.
func (p *Plan) notes(doc *settings.Document, from guard.Sources, m Machine) []string {
	var notes []string
	if want := p.Request.Cap; want != nil && p.Limits.SpendCapUSD != *want {
		notes = append(notes, fmt.Sprintf("The cap in force stays %s: %s.", capText(p.Limits.SpendCapUSD), m.why(from.SpendCapUSD)))
	}
	if off := registry.HooksOf(p.Request.Harness).Switch; off != "" && doc.Flag(off) {
		notes = append(notes, "This file sets "+off+", which turns every hook off, the guard too. Take that setting out.")
	}
	notes = append(notes, p.harnessNotes(doc, m)...)
	notes = append(notes, p.pythonNotes(m)...)
	notes = append(notes, p.Request.Notes...)
	notes = append(notes, variableNotes(m, from, p.Request.Cap)...)
	notes = append(notes, "The hook runs "+m.Shown(p.Request.Program)+". An upgrade that replaces that file needs nothing more. Before "+
		"you move or delete it, run guard uninstall; a hook whose program is gone lets every call through.")
	if p.Limits.SpendCapUSD != 0 {
		notes = append(notes, "Dollars are worked out from token counts at API list prices. On a subscription they measure use, "+
			"not your bill.")
	}
	return notes
}

func (p *Plan) harnessNotes(doc *settings.Document, m Machine) []string {
	hooks, _ := doc.Hooks()
	h := registry.HooksOf(p.Request.Harness)
	notes := h.Notes(harness.Installing{
		User: p.Request.Scope == User, Registered: registered(hooks), Status: m.Status,
		Stops: p.Limits.FailureStreak != 0 || p.Limits.SpendCapUSD != 0,
	})
	if h.ByPlace && p.Moved > 0 {
		notes = append(notes, movedNote(p.Path, p.Moved, m))
	}
	return notes
}

func movedNote(path string, n int, m Machine) string {
	return fmt.Sprintf("Other hooks in %s move up in their lists: %d. Codex trusts a hook by its place, so it will ask you to "+
		"trust those again (/hooks).", m.Shown(path), n)
}

// pythonNotes tells of the Python guard, where it goes and where it stays: both
// would stop the same session.
func (p *Plan) pythonNotes(m Machine) []string {
	var notes []string
	if p.Hook != nil && pythonGuard().MatchString(p.Hook.Before) {
		notes = append(notes, "The Python runaway-guard's entry is replaced. Its settings and its sessions' counts go on.")
	}
	for _, place := range Places("", "", m) {
		if place.Path == p.Path {
			continue
		}
		t, err := open(place.Path)
		if err == nil && pythonGuard().Match(t.file.Text) {
			notes = append(notes, "The Python runaway-guard is also in "+m.Shown(place.Path)+". Install there too, or take it out: two "+
				"guards on one session both stop it.")
		}
	}
	return notes
}

// why says what holds a cap in force that is not the one asked for.
func (m Machine) why(s guard.Source) string {
	switch s.Kind {
	case guard.FromEnvironment:
		return s.Where + " is set in this shell"
	case guard.FromProject:
		return "the project's file " + m.Shown(s.Where) + " sets a lower one, and a project can only lower a limit"
	case guard.FromUser:
		return "your own file " + m.Shown(s.Where) + " sets a lower one, and a project can only lower a limit"
	}
	return "that is the default, and a project can only lower a limit; set a higher cap with --scope user"
}

// variableNotes names the variables of this shell that an agent started from it
// would go by, but the one that a note on the cap has named.
func variableNotes(m Machine, from guard.Sources, asked *float64) []string {
	var notes []string
	for _, s := range guard.Settings() {
		capNamed := asked != nil && s.Key == "spend_cap_usd" && from.SpendCapUSD.Kind == guard.FromEnvironment
		if m.Getenv(s.Variable) != "" && !capNamed {
			notes = append(notes, s.Variable+" is set in this shell. Where the agent runs with it, it wins over the settings files.")
		}
	}
	return notes
}

// removalNotes says what else an uninstall does and leaves.
func removalNotes(r Removal, m Machine) []string {
	var notes []string
	for _, t := range r.Targets {
		switch {
		case t.Edit == nil:
			continue
		case t.Edit.Gone:
			notes = append(notes, m.Shown(t.Path)+" was made by the install, so it is removed.")
		case !t.Exactly:
			notes = append(notes, m.Shown(t.Path)+" changed after the install, so only the guard's entries are taken out; all else "+
				"stays as it is.")
		}
		if registry.HooksOf(t.Harness).ByPlace && t.Moved > 0 {
			notes = append(notes, movedNote(t.Path, t.Moved, m))
		}
	}
	if r.Changed() {
		notes = append(notes, "The guard's settings and counts stay in "+m.Shown(m.store().Dir)+"; delete that folder to remove them too.")
	}
	return notes
}

func capText(usd float64) string {
	if usd == 0 {
		return "off"
	}
	return fmt.Sprintf("$%.2f", usd)
}
