// Package command understands a shell command line as an agent's Bash tool
// gets it: which programs it would run, with which words, and where its output
// goes. Words in quotes, comments and the text of a heredoc are data; bash -c,
// eval, env, xargs and their like are followed to what they run.
//
// It reads text and nothing else. A program under another name, a script file,
// a variable set elsewhere and whatever a program computes can't be seen here,
// so what this package says no to may still happen; what the guard forbids is
// therefore refused by the commands themselves as well.
package command

import (
	"slices"
	"strings"

	"checkrein/internal/harness"
)

const (
	maxText   = 64 << 10  // longer text is not read
	maxParsed = 256 << 10 // with all scripts inside scripts
	maxDepth  = 12        // scripts inside scripts, parentheses inside parentheses
)

// Guarded is what an agent must not change. What is empty is not looked for.
type Guarded struct {
	Program string   // the base name of our program
	Folders []string // absolute paths of state folders
	Names   []string // base names of settings files, wherever they are
	Files   []string // absolute paths of other files, such as the program itself
	Dir     string   // the working folder of the call, absolute

	Harnesses []harness.Traits // the agents that could be used for it
}

// has reports whether a name or word is among those of any harness.
func (g Guarded) has(word string, names func(harness.Traits) []string) bool {
	return slices.ContainsFunc(g.Harnesses, func(t harness.Traits) bool { return slices.Contains(names(t), word) })
}

// Waits reports whether the command really waits: it runs sleep, wait, gh run
// watch or the like somewhere. Text that can't be read as a shell command waits
// if it has the word sleep or wait in it, because to take a poll for a loop is
// the worse mistake.
func Waits(text string) bool {
	if !hasAny(text, waitingWords()) {
		return false
	}
	found, ok := runs(text, waits)
	return found || !ok && WaitsByWord(text)
}

// WaitsByWord reports whether the text has the word sleep or wait in it, in
// quotes or not: the rule of the Python guard.
func WaitsByWord(text string) bool { return hasWord(text, "sleep") || hasWord(text, "wait") }

// Commits reports whether the command commits to a version control system. Of
// text that can't be read as a shell command, git commit in it is enough.
func Commits(text string) bool {
	if !strings.Contains(text, "commit") && !hasWord(text, "ci") {
		return false
	}
	found, ok := runs(text, commits)
	return found || !ok && strings.Contains(text, "git commit")
}

// Loosens reports whether the command would loosen the guard, and what in it
// would: the words of our program, the variable, or the path. Text that can't
// be read as a shell command doesn't, unless it begins with our program.
func Loosens(text string, g Guarded) (what string, loosens bool) {
	if !g.mentioned(text) {
		return "", false
	}
	l := loosening{guarded: g, text: text, dir: g.Dir}
	found, ok := runs(text, l.call)
	if !ok {
		return g.plainly(text)
	}
	return l.what, found
}

func hasAny(text string, words []string) bool {
	for _, word := range words {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}
