package fair

import (
	"path"
	"slices"
	"strings"
	"unicode"
)

// How much a prompt says.
const (
	Detailed = "detailed"
	Brief    = "brief"
	Terse    = "terse"
)

// Prompt is how much a task's prompt says. Whether it says the right thing, no
// count can tell.
type Prompt struct {
	Tier  string `json:"tier"`
	Words int    `json:"words"`
	Body  bool   `json:"body"`  // more than a subject
	Names bool   `json:"names"` // a symbol or a file
	Issue bool   `json:"issue"` // it refers to an issue, which an agent can't read
}

// ReadPrompt looks at a subject and a body. Files are those of the change.
func ReadPrompt(subject, body string, files []string) Prompt {
	p := Prompt{Body: strings.TrimSpace(body) != ""}
	for _, word := range strings.Fields(subject + " " + body) {
		switch {
		case issue(word):
			p.Issue = true
			continue
		case !strings.ContainsFunc(word, unicode.IsLetter):
			continue
		case symbol(word) || slices.ContainsFunc(files, func(f string) bool { return mentions(word, f) }):
			p.Names = true
		}
		p.Words++
	}
	p.Tier = tier(p, len(strings.Fields(body)))
	return p
}

func tier(p Prompt, inBody int) string {
	const long, longBody, short, shortest = 30, 20, 8, 4
	switch {
	case p.Words >= long || inBody >= longBody:
		return Detailed
	case p.Words < shortest || p.Words < short && !p.Names:
		return Terse
	}
	return Brief
}

// issue is a word that refers to an issue: #12, GH-12, ABC-12, a link.
func issue(word string) bool {
	word = strings.Trim(word, "()[].,:;")
	if strings.Contains(word, "/issues/") || strings.Contains(word, "/pull/") {
		return true
	}
	at := strings.LastIndexAny(word, "#-")
	if at < 0 || at == len(word)-1 || strings.Trim(word[at+1:], "0123456789") != "" {
		return false
	}
	key := word[:at]
	return word[at] == '#' || len(key) >= 2 && !standard(key) && strings.IndexFunc(key, func(r rune) bool { return r < 'A' || r > 'Z' }) < 0
}

// standard is a word that numbers follow though it is no project's key.
func standard(key string) bool {
	switch key {
	case "UTF", "SHA", "ISO", "RFC", "HTTP", "CVE", "UTC", "AES":
		return true
	}
	return false
}

// symbol is a word that is spelled as code is: snake_case, camelCase, a call, a
// path, something in backticks.
func symbol(word string) bool {
	word = strings.TrimRight(word, ".,:;!?")
	if len(word) > 2 && (word[0] == '`' || strings.HasSuffix(word, "()") || strings.HasPrefix(word, "--")) {
		return true
	}
	word = strings.Trim(word, "'\"()[]`")
	if strings.Trim(word, "_") != word || strings.Contains(word, "_") || strings.Contains(word, "::") {
		return strings.ContainsFunc(word, unicode.IsLetter)
	}
	lower := false
	for _, r := range word {
		if lower && unicode.IsUpper(r) {
			return true
		}
		lower = unicode.IsLower(r)
	}
	return false
}

// mentions tells whether a word is the name of a file, or of what is in it.
func mentions(word, file string) bool {
	const shortest = 4 // fix, add, doc are words, too
	word = strings.Trim(word, "'\"()[]`.,:;")
	base := path.Base(file)
	stem, _, _ := strings.Cut(base, ".")
	return word == file || word == base || len(stem) >= shortest && strings.EqualFold(word, stem)
}
