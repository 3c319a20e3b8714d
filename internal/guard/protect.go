package guard

import (
	"strings"

	"checkrein/internal/command"
	"checkrein/internal/harness"
	"checkrein/internal/redact"
)

// protect blocks calls by which an agent would loosen the guard: its commands,
// its variables, its files, its entry in the agent's settings.
func (s *Session) protect(c Check, st step) (harness.Answer, bool) {
	if !c.Limits.On(Protect) {
		return harness.Answer{}, false
	}
	what, loosens := c.loosens()
	if !loosens {
		return harness.Answer{}, false
	}
	ends := st.ends(c)
	st.Tripped = st.Calls
	s.record(WireProtect, c.Call.Tool, "it would loosen the guard", c.Now)
	return told(harness.Answer{
		Decision: harness.Deny,
		Reason: "checkrein blocked this call: " + redact.Line(what, 100) + " would loosen the guard, and only the user may do that, in a " +
			"terminal of their own. Go on without it, or stop and tell the user what you need.",
		Message: "checkrein blocked a call of the agent that would loosen the guard (" + redact.Line(what, 100) + ").",
		EndTurn: ends,
	}), true
}

func (c Check) loosens() (what string, loosens bool) {
	if shell := shellCommand(c.Call.Tool, c.Call.Input); shell != "" {
		return command.Loosens(shell, c.Guarded)
	}
	if !isEdit(c.Call.Short) {
		return typesWords(c.Call.Input)
	}
	e := editOf(c.Call.Input)
	for _, path := range e.files {
		if command.LoosensFile(path, c.Guarded) || command.LoosensSettings(path, e.old, e.text, c.Guarded) {
			return path, true
		}
	}
	return "", false
}

const longestWords = 200 // bytes, far above what the words take

// typesWords finds the user's words in a prompt that a tool would type later, as
// CronCreate and ScheduleWakeup of Claude Code do, or give to another agent.
func typesWords(input []byte) (what string, loosens bool) {
	members, _ := object(input)
	for _, key := range [...]string{"prompt", "message", "content", "text"} {
		text, _ := stringValue(members[key])
		if len(text) > longestWords {
			continue
		}
		if _, ok := ParseWord(text); ok {
			return strings.TrimSpace(text), true
		}
	}
	return "", false
}

// edit is what a call changes: files, what goes from them, what comes to them.
type edit struct {
	files     []string
	old, text string
}

// editOf reads the members of an edit, or the lines of a patch.
func editOf(input []byte) (e edit) {
	members, _ := object(input)
	for _, key := range [...]string{"file_path", "notebook_path", "path"} {
		if path, ok := stringValue(members[key]); ok {
			e.files = append(e.files, path)
		}
	}
	e.old, _ = stringValue(members["old_string"])
	for _, key := range [...]string{"new_string", "content"} {
		text, _ := stringValue(members[key])
		e.text += text
	}
	for _, key := range [...]string{"command", "input", "patch"} {
		patch, _ := stringValue(members[key])
		e.patch(patch)
	}
	return e
}

func (e *edit) patch(text string) {
	for line := range strings.Lines(text) {
		for _, start := range [...]string{"*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "} {
			if path, ok := strings.CutPrefix(line, start); ok {
				e.files = append(e.files, strings.TrimSpace(path))
			}
		}
		switch {
		case strings.HasPrefix(line, "-"):
			e.old += line
		case strings.HasPrefix(line, "+"):
			e.text += line
		}
	}
}
