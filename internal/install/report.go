package install

import (
	"fmt"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"checkrein/internal/guard"
	"checkrein/internal/harness"
	"checkrein/internal/redact"
)

// Headline is the plan in one sentence: what will stop the agent from then on.
func (p Plan) Headline() string {
	var when []string
	if n := p.Limits.LoopRepeats; n != 0 {
		when = append(when, fmt.Sprintf("it repeats the same call %d times", n))
	}
	if n := p.Limits.FailureStreak; n != 0 {
		when = append(when, fmt.Sprintf("%d calls fail in a row", n))
	}
	if usd := p.Limits.SpendCapUSD; usd != 0 {
		when = append(when, "its spend passes "+capText(usd))
	}
	if len(when) == 0 {
		return "checkrein will run in " + harness.Label(p.Request.Harness) + " with every wire off, so it will stop nothing."
	}
	return "checkrein will stop " + harness.Label(p.Request.Harness) + " when " + either(when) + "."
}

func either(parts []string) string {
	switch last := len(parts) - 1; last {
	case 0:
		return parts[0]
	case 1:
		return parts[0] + " or " + parts[1]
	default:
		return strings.Join(parts[:last], ", ") + ", or " + parts[last]
	}
}

// Report is the JSON form of an install.
type Report struct {
	Headline     string       `json:"headline"`
	Action       string       `json:"action"` // install
	Harness      string       `json:"harness"`
	Scope        string       `json:"scope"`
	SettingsPath string       `json:"settings_path"`
	ConfigPath   string       `json:"config_path"`
	Command      string       `json:"command"`
	CapUSD       float64      `json:"cap_usd"` // in force after the change; 0 is off
	Limits       guard.Limits `json:"limits"`
	Changed      bool         `json:"changed"`
	Written      bool         `json:"written"`
	OtherHooks   int          `json:"other_hooks"` // of every event
	Notes        []string     `json:"notes"`
}

// Report is the plan for programs; written tells that it was carried out.
func (p Plan) Report(written bool) Report {
	return Report{
		p.Headline(), "install", p.Request.Harness, p.Request.Scope, p.Path, p.LimitsPath, p.Command, p.Limits.SpendCapUSD, p.Limits,
		p.Changed(), written, p.Others, p.Notes,
	}
}

// Markdown is the plan for people.
func (p Plan) Markdown(written bool, m Machine) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**\n\n%s\n", p.Headline(), p.progress(written, m))
	if p.Hook != nil {
		fmt.Fprintf(&b, "\nSettings file %s: %s.\n", m.Shown(p.Path), p.what())
		b.WriteString(p.Hook.diff(m))
	}
	if p.Cap != nil {
		fmt.Fprintf(&b, "\nGuard settings file %s: spend cap %s.\n", m.Shown(p.LimitsPath), capText(*p.Request.Cap))
		b.WriteString(p.Cap.diff(m))
	}
	fmt.Fprintf(&b, "\nThe hook runs: `%s`\n", shownLine(p.Command))
	if p.Past != "" {
		fmt.Fprintf(&b, "\n%s\n", p.Past)
	}
	writeNotes(&b, p.Notes)
	return b.String()
}

func (p Plan) progress(written bool, m Machine) string {
	if !p.Changed() {
		return "Nothing to change: " + m.Shown(p.Path) + " already holds the hook."
	}
	return progress(written)
}

func progress(written bool) string {
	if written {
		return "Done: the change below is written."
	}
	return "Dry run: nothing is written. Give the same command with --write to make this change."
}

func (p Plan) what() string {
	what := "the guard's hook is put in for " + strings.Join(p.Events, ", ")
	if p.Others > 0 {
		what += "; " + otherHooks(p.Others) + " there stay as they are"
		if p.Others == 1 {
			what = strings.Replace(what, "stay as they are", "stays as it is", 1)
		}
	}
	return what
}

func otherHooks(n int) string {
	if n == 1 {
		return "the 1 other hook"
	}
	return fmt.Sprintf("the %d other hooks", n)
}

// diff is an edit as a unified diff in a code block. Secrets are masked and no
// character of the file can end the block or drive the terminal.
func (e Edit) diff(m Machine) string {
	name := m.Shown(e.Path)
	text := string(diff.Diff(name+" (now)", []byte(e.Before), name+" (after)", []byte(e.After)))
	var b strings.Builder
	b.WriteString("\n```diff\n")
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "diff ") {
			continue
		}
		b.WriteString(shownLine(strings.TrimRight(line, "\r\n")) + "\n")
	}
	b.WriteString("```\n")
	return b.String()
}

// shownLine keeps a line's spaces and pipes, which redact.Line does not.
func shownLine(line string) string { return strings.Map(visible, redact.Secrets(line)) }

func visible(r rune) rune {
	switch {
	case r == '`':
		return '\''
	case r < ' ' && r != '\t', r >= 0x7f && r < 0xa0:
		return ' '
	}
	return r
}

func writeNotes(b *strings.Builder, notes []string) {
	if len(notes) == 0 {
		return
	}
	b.WriteString("\nNotes:\n")
	for _, note := range notes {
		b.WriteString("- " + note + "\n")
	}
}
