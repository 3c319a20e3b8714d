package fair

import (
	"path"
	"slices"
	"strings"
)

// File is what a change adds to a file.
type File struct {
	Path  string
	New   bool
	Added []string // lines
}

// Name is a name that tests use.
type Name struct {
	Name string `json:"name"`
	File string `json:"file"` // of the change, where it is; untrusted
}

// Change is what is known of a task's change.
type Change struct {
	Prompt string
	Gold   []File // all but the hidden tests
	Tests  []File // the hidden tests
}

// Unsaid keeps the names that the change adds and the prompt does not say.
// Whether the repository has them already, it can't know.
func (c Change) Unsaid(names []string) []Name {
	var out []Name
	for _, name := range names {
		if file := c.adds(name); file != "" && !Says(c.Prompt, name) {
			out = append(out, Name{name, file})
		}
	}
	return out
}

// Says tells whether a prompt gives a name, in capitals or not, and a prompt that
// says dry-run gives dry_run and dryRun: which of them it is, the code around it
// tells.
func Says(prompt, name string) bool {
	prompt, name = strings.ToLower(prompt), strings.ToLower(name)
	if HasWord(prompt, name) {
		return true
	}
	for _, word := range strings.FieldsFunc(prompt, func(r rune) bool { return r != '-' && !wordRune(r) }) {
		if word = strings.Trim(word, "-_"); joined(word) == joined(name) && word != "" {
			return true
		}
	}
	return false
}

// joined is a word without what joins its parts.
func joined(word string) string { return strings.NewReplacer("-", "", "_", "").Replace(word) }

// Shared are the names that the change defines and its tests use. A compiler
// stops after some errors, an interpreter at the first, so where one name is
// missing there may be more than the run says.
func (c Change) Shared() []string {
	words := wordsOf(c.Tests)
	var out []string
	for _, word := range wordsOf(c.Gold) {
		if _, used := slices.BinarySearch(words, word); used && defined(c.Gold, word) != "" && defined(c.Tests, word) == "" {
			out = append(out, word)
		}
	}
	return out[:min(len(out), maxNames)]
}

// adds is the file in which the change adds a name: where it defines it, else
// where it first uses it, or a new file of that name.
func (c Change) adds(name string) string {
	if file := defined(c.Gold, name); file != "" {
		return file
	}
	for _, f := range c.Gold {
		if slices.ContainsFunc(f.Added, func(line string) bool { return HasWord(line, name) }) {
			return f.Path
		}
	}
	for _, f := range c.Gold {
		if f.New && named(f.Path, name) {
			return f.Path
		}
	}
	return ""
}

// named tells whether a module of that name would be in the file.
func named(file, name string) bool {
	base := path.Base(file)
	stem, _, _ := strings.Cut(base, ".")
	return stem == name || strings.Contains("/"+path.Dir(file)+"/", "/"+name+"/")
}

func defined(files []File, name string) string {
	for _, f := range files {
		if slices.ContainsFunc(f.Added, func(line string) bool { return defines(line, name) }) {
			return f.Path
		}
	}
	return ""
}

// wordsOf are the names in added lines, sorted.
func wordsOf(files []File) []string {
	const longestLine = 4 << 10
	var out []string
	for _, f := range files {
		for _, line := range f.Added {
			for _, word := range strings.FieldsFunc(line[:min(len(line), longestLine)], func(r rune) bool { return !wordRune(r) }) {
				if len(word) > 2 && identifier(word) {
					out = append(out, word)
				}
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// defines tells whether a line of code gives a name its meaning. It knows no
// language: a word such as "def" before the name, Go's methods, or an assignment
// at the line's start.
func defines(line, name string) bool {
	line = strings.TrimSpace(line)
	at := strings.Index(line, name)
	if at < 0 || !HasWord(line, name) {
		return false
	}
	head, tail := strings.TrimSpace(line[:at]), strings.TrimSpace(line[at+len(name):])
	if strings.HasPrefix(head, "func (") && strings.HasSuffix(head, ")") && strings.HasPrefix(tail, "(") {
		return true
	}
	words := strings.FieldsFunc(head, func(r rune) bool { return !wordRune(r) })
	if len(words) > 0 && strings.HasSuffix(head, words[len(words)-1]) && definer(words[len(words)-1]) {
		return true
	}
	assigned := strings.HasPrefix(tail, ":=") || strings.HasPrefix(tail, "=") && !strings.HasPrefix(tail, "==")
	return assigned && (head == "" || owner(head))
}

// owner is what stands before a member that a line assigns.
func owner(head string) bool {
	switch head {
	case "exports.", "module.exports.", "self.", "this.", "export":
		return true
	}
	return strings.HasSuffix(head, ".prototype.")
}

func definer(word string) bool {
	switch word {
	case "def", "class", "func", "function", "fn", "const", "let", "var", "val", "fun", "struct", "enum", "trait", "type", "interface",
		"module", "static", "mod", "macro_rules", "record", "defp", "defmodule", "define", "object":
		return true
	}
	return false
}
