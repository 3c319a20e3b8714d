package trial

// Prompt is what every agent is asked, word for word the same: the task, what
// the score looks at, and how to run the tests. A change in it makes earlier
// results incomparable.
func Prompt(subject, body, testCmd string) string {
	text := subject
	if body != "" {
		text += "\n\n" + body
	}
	return `Please make the change described below in this repository.

Change request:
` + text + `

Your work is checked with this repository's own tests. Edits to test files are undone before that, so change the code, not the tests. This command runs the tests: ` + testCmd + `
Leave your changes uncommitted. Nobody can answer questions: where something is open, choose what makes sense, and finish the change.
`
}
