package fair

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Needed are the functions, methods and types that the change defines and its
// tests call. A test stops at its first failure, so a run can't complain of
// names that only later lines use. This is stricter than [Change.Shared], which
// speaks where the run has complained already: variables don't count, nor what
// tests say in strings and comments.
func (c Change) Needed() []string {
	used := codeOf(c.Tests)
	var out []string
	for _, word := range wordsOf(c.Gold) {
		if declared(c.Gold, word) && defined(c.Tests, word) == "" && slices.ContainsFunc(used, func(code string) bool { return calls(code, word) }) {
			out = append(out, word)
		}
	}
	return out[:min(len(out), maxNames)]
}

// codeOf are added lines without comments and without what is in strings.
func codeOf(files []File) (out []string) {
	const longestLine = 4 << 10
	for _, f := range files {
		for _, line := range f.Added {
			line = strings.TrimSpace(line)
			if line == "" || len(line) > longestLine || slices.ContainsFunc([]string{"//", "#", "*", "/*", "--"}, func(mark string) bool { return strings.HasPrefix(line, mark) }) {
				continue
			}
			_, code := literals(line)
			out = append(out, code)
		}
	}
	return out
}

func declared(files []File, name string) bool {
	return slices.ContainsFunc(files, func(f File) bool {
		return slices.ContainsFunc(f.Added, func(line string) bool { return declares(line, name) })
	})
}

// declares tells whether a line gives others a name to call.
func declares(line, name string) bool {
	head, tail, found := strings.Cut(strings.TrimSpace(line), name)
	head = strings.TrimSpace(head)
	switch {
	case !found:
		return false
	case !defines(line, name):
		return method(head, tail) && HasWord(line, name)
	case head == "" || head == "self." || head == "this.":
		return false
	}
	words := strings.Fields(head)
	return !variable(words[len(words)-1]) || words[0] == "export" || strings.HasPrefix(words[0], "pub")
}

func variable(word string) bool {
	return slices.Contains([]string{"const", "let", "var", "val", "static", "mod", "module", "object", "define"}, word)
}

// method tells whether a name stands where JavaScript's classes define methods.
func method(head, tail string) bool {
	tail = strings.TrimSpace(tail)
	modifiers := []string{"", "async", "static", "get", "set", "static async", "*"}
	return slices.Contains(modifiers, head) && strings.HasPrefix(tail, "(") &&
		(strings.HasSuffix(tail, ") {") || strings.HasSuffix(tail, "}") && strings.Contains(tail, ") {")) &&
		!strings.Contains(tail, "function") && !strings.Contains(tail, "=>")
}

// calls tells whether code calls a name, or takes it from a value or a module.
func calls(code, name string) bool {
	for from := 0; ; {
		at := strings.Index(code[from:], name)
		if at < 0 {
			return false
		}
		at += from
		from = at + 1
		before, after := code[:at], code[at+len(name):]
		left, _ := utf8.DecodeLastRuneInString(before)
		right, _ := utf8.DecodeRuneInString(after)
		if before != "" && wordRune(left) || after != "" && wordRune(right) {
			continue
		}
		if right == '(' || left == '.' || strings.HasSuffix(before, "::") || strings.HasSuffix(before, "->") {
			return true
		}
	}
}
