package trial

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// Request is what is asked for: a commit's message, and the names that the
// hidden tests use, where somebody wants agents to know them.
func Request(subject, body string, names []string) string {
	text := subject
	if body != "" {
		text += "\n\n" + body
	}
	if len(names) > 0 {
		text += "\n\nTests use these names, which the change must provide: " + strings.Join(names, ", ") + "."
	}
	return text
}

// RequestHash tells requests apart. Results for different ones can't be compared.
func RequestHash(request string) string {
	const enough = 8
	sum := sha256.Sum256([]byte(request))
	return hex.EncodeToString(sum[:enough])
}

// Prompt is Ask for a commit's message alone.
func Prompt(subject, body, testCmd string) string { return Ask(Request(subject, body, nil), testCmd) }

// Ask is what every agent is asked, word for word the same: the task, what
// the score looks at, and how to run the tests. A change in it makes earlier
// results incomparable.
func Ask(request, testCmd string) string {
	return `Please make the change described below in this repository.

Change request:
` + request + `

Your work is checked with this repository's own tests. Edits to test files, and to settings, scripts and lock files that decide how tests run, are undone before that, so change the code, not the tests. This command runs the tests: ` + testCmd + `
Leave your changes uncommitted. Nobody can answer questions: where something is open, choose what makes sense, and finish the change.
`
}
