package command

import (
	"path"
	"strings"
)

// word is one word of a command, without its quotes. Expansions stay as they
// are written, $HOME or ${X:-y}; a command substitution leaves $() behind.
type word struct {
	text  string
	quote bool // some of it was quoted, so it stays one word
	equal int  // where the = of an unquoted NAME= is; 0 without one
}

// call is one simple command.
type call struct {
	assigns []word // NAME=value before the program
	words   []word // the program and its arguments
	targets []word // the files it writes its output to
	input   string // heredocs and here-strings
	from    *call  // the command whose output it reads
}

func (c *call) empty() bool {
	return len(c.assigns)+len(c.words)+len(c.targets) == 0 && c.input == ""
}

// program is the base name of what is run, in lower case and without .exe.
func (c *call) program() string {
	if len(c.words) == 0 {
		return ""
	}
	return program(c.words[0].text)
}

func program(text string) string {
	base := path.Base(strings.ReplaceAll(text, `\`, "/"))
	return strings.TrimSuffix(strings.ToLower(base), ".exe")
}

// args are the texts of all words but the program.
func (c *call) args() []string {
	if len(c.words) == 0 {
		return nil
	}
	return texts(c.words[1:])
}

func texts(words []word) []string {
	all := make([]string, len(words))
	for i, w := range words {
		all[i] = w.text
	}
	return all
}

// script is the words as the shell would read them again.
func script(words []word) string { return strings.Join(texts(words), " ") }
