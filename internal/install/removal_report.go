package install

import (
	"fmt"
	"strings"
)

func (r Removal) found() []Target {
	var found []Target
	for _, t := range r.Targets {
		if t.Removed > 0 {
			found = append(found, t)
		}
	}
	return found
}

// Entries is how many entries of the guard go.
func (r Removal) Entries() int {
	n := 0
	for _, t := range r.Targets {
		n += t.Removed
	}
	return n
}

// Headline is the removal in one sentence.
func (r Removal) Headline(m Machine) string {
	found := r.found()
	switch len(found) {
	case 0:
		return fmt.Sprintf("checkrein's hook is in none of the %d settings files looked at.", len(r.Targets))
	case 1:
		title := "checkrein's hook will be taken out of " + m.Shown(found[0].Path)
		if n := found[0].Others; n > 0 {
			title += "; " + otherHooks(n) + " there stay"
			if n == 1 {
				title += "s"
			}
		}
		return title + "."
	}
	var paths []string
	for _, t := range found {
		paths = append(paths, m.Shown(t.Path))
	}
	return fmt.Sprintf("checkrein's hook will be taken out of %d settings files: %s.", len(found), strings.Join(paths, ", "))
}

// RemovalReport is the JSON form of an uninstall.
type RemovalReport struct {
	Headline string         `json:"headline"`
	Action   string         `json:"action"` // uninstall
	Removed  int            `json:"hook_entries_removed"`
	Changed  bool           `json:"changed"`
	Written  bool           `json:"written"`
	Notes    []string       `json:"notes"`
	Targets  []TargetReport `json:"targets"` // every file looked at
}

// TargetReport is the JSON form of one file an uninstall looks at.
type TargetReport struct {
	Harness         string `json:"harness"`
	Scope           string `json:"scope"`
	SettingsPath    string `json:"settings_path"`
	Removed         int    `json:"removed"`
	OtherHooks      int    `json:"other_hooks"`
	RestoredExactly bool   `json:"restored_exactly"`
}

// Report is the removal for programs; written tells that it was carried out.
func (r Removal) Report(written bool, m Machine) RemovalReport {
	report := RemovalReport{
		r.Headline(m), "uninstall", r.Entries(), r.Changed(), written, append([]string{}, r.Notes...), []TargetReport{},
	}
	for _, t := range r.Targets {
		report.Targets = append(report.Targets, TargetReport{t.Harness, t.Scope, t.Path, t.Removed, t.Others, t.Exactly})
	}
	return report
}

// Markdown is the removal for people.
func (r Removal) Markdown(written bool, m Machine) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**\n\n", r.Headline(m))
	if len(r.found()) == 0 {
		b.WriteString("Looked at:\n")
		for _, t := range r.Targets {
			b.WriteString("- " + m.Shown(t.Path) + "\n")
		}
		return b.String()
	}
	b.WriteString(progress(written) + "\n")
	for _, t := range r.found() {
		fmt.Fprintf(&b, "\nSettings file %s: %s.\n", m.Shown(t.Path), entries(t.Removed))
		b.WriteString(t.Edit.diff(m))
	}
	writeNotes(&b, r.Notes)
	return b.String()
}

func entries(n int) string {
	if n == 1 {
		return "1 entry of the guard goes"
	}
	return fmt.Sprintf("%d entries of the guard go", n)
}
