package install

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"unicode/utf8"

	"checkrein/internal/guard"
	"checkrein/internal/harness/registry"
	"checkrein/internal/limits"
	"checkrein/internal/settings"
)

// Request is what an install is asked for.
type Request struct {
	Harness, Scope string
	Settings       string   // another settings file, absolute; "" for the usual one
	Program        string   // the path to register
	Cap            *float64 // USD a session; nil keeps the cap as it is
	Notes          []string // more to say, such as what is odd about the program
}

// Plan is an install, planned and not yet made.
type Plan struct {
	Request    Request
	Path       string       // the settings file
	LimitsPath string       // the file that --cap changes
	Command    string       // what is registered
	Limits     guard.Limits // in force once the plan is made
	Hook       *Edit        // of the settings file; nil: no change
	Cap        *Edit        // of the limits file; nil: no change
	Others     int          // hooks in the settings file that are not the guard's
	Moved      int          // of those, hooks that change their place in a list
	Events     []string     // the events the hook stands for
	Notes      []string
	Past       string // what the cap would have done to past sessions, in a line; "" when that is not known
	changes    []settings.Change
}

// Changed tells whether there is anything to write.
func (p Plan) Changed() bool { return len(p.changes) > 0 }

// Write makes the planned change, all of it or none.
func (p Plan) Write() error { return settings.Apply(p.changes) }

// New plans an install. The error names the file that can't be changed safely.
func New(r Request, m Machine) (Plan, error) {
	p := Plan{Request: r, Path: r.Settings, LimitsPath: m.limitsPath(r.Harness, r.Scope), Command: Command(r.Program, r.Harness)}
	if p.Path == "" {
		p.Path = m.settingsPath(r.Harness, r.Scope)
	}
	if !utf8.ValidString(p.Command) {
		return Plan{}, fmt.Errorf("the path %q is not UTF-8 text, as settings files are", r.Program)
	}
	if err := p.setCap(); err != nil {
		return Plan{}, err
	}
	t, err := p.addHooks(m)
	if err != nil {
		return Plan{}, err
	}
	p.Notes = p.notes(t.doc, p.limits(m), m)
	return p, nil
}

// setCap plans the limits file.
func (p *Plan) setCap() error {
	if p.Request.Cap == nil {
		return nil
	}
	t, err := open(p.LimitsPath)
	if err == nil {
		err = t.wrong(t.doc.SetNumber("spend_cap_usd", *p.Request.Cap))
	}
	if err == nil {
		p.Cap, err = t.edit()
	}
	if p.Cap != nil {
		p.changes = append(p.changes, settings.Change{File: t.file, Text: []byte(p.Cap.After), Private: p.Request.Scope == User})
	}
	return err
}

// addHooks plans the settings file and the record of what it was. The settings
// file comes last: it is what makes the agent start the guard.
func (p *Plan) addHooks(m Machine) (text, error) {
	t, err := open(p.Path)
	if err != nil {
		return t, err
	}
	before, err := t.doc.Hooks()
	if err == nil {
		err = t.doc.Register(settings.Entry{Events: p.events(before, m), Command: p.Command}, Ours)
	}
	if err != nil {
		return t, t.wrong(err)
	}
	p.Others = len(before) - len(ours(before))
	if p.Hook, err = t.edit(); p.Hook == nil {
		return t, err
	}
	p.Moved = moved(before, p.Hook.After)
	return t, p.keep(t, len(ours(before)) > 0, m)
}

// keep plans the two writes: the record, then the file.
func (p *Plan) keep(t text, had bool, m Machine) error {
	recorded, err := recordFile(m.store(), t.file)
	if err != nil {
		return err
	}
	if change, ok := remember(recorded, t.file, []byte(p.Hook.After), had); ok {
		p.changes = append(p.changes, change)
	}
	p.changes = append(p.changes, settings.Change{File: t.file, Text: []byte(p.Hook.After)})
	return nil
}

// events are those of the harness, with their time-outs.
func (p *Plan) events(before []settings.Hook, m Machine) []settings.Event {
	h := registry.HooksOf(p.Request.Harness)
	p.Events = h.Events(m.Version, registered(before))
	var events []settings.Event
	for _, name := range p.Events {
		events = append(events, settings.Event{Name: name, Timeout: h.Timeout(name, Timeout)})
	}
	return events
}

// registered tells which events have a hook of ours.
func registered(hooks []settings.Hook) func(event string) bool {
	return func(event string) bool {
		return slices.ContainsFunc(hooks, func(h settings.Hook) bool { return h.Event == event && Ours(h.Command) })
	}
}

// limits works out what the guard will go by once the plan is made.
func (p *Plan) limits(m Machine) guard.Sources {
	user := limits.Read(filepath.Join(m.store().Dir, limits.Name))
	project := limits.Read(limits.ProjectFile(m.Project))
	if p.Request.Cap != nil {
		changed := &user
		if p.Request.Scope == Project {
			changed = &project
		}
		changed.Path = p.LimitsPath
		if changed.Values == nil {
			changed.Values = map[string]string{}
		}
		changed.Values["spend_cap_usd"] = strconv.FormatFloat(*p.Request.Cap, 'g', -1, 64)
	}
	var sources guard.Sources
	p.Limits, sources = guard.Merge(m.Getenv, user, project)
	return sources
}
