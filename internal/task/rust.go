package task

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// module is a test module at the top level of a Rust file: `#[cfg(test)] mod x`
// with its attributes and documentation, and its block or semicolon.
type module struct {
	name     string
	from, to int
}

// testModules finds them. Those inside of other modules are left to the source:
// where they belong in another version of the file is nothing to guess at.
func testModules(src string) []module {
	p := parser{src: src, tokens: rustTokens(src)}
	var found []module
	for p.at < len(p.tokens) {
		if m, ok := p.item(); ok {
			found = append(found, m)
		}
	}
	return found
}

// withTests is a file with the test modules of another version: each in the place
// of the one of its name, the others at the end. Modules that the other version
// lacks are gone.
func withTests(src, tests string) string {
	open := testModules(tests)
	var out strings.Builder
	at := 0
	for _, m := range testModules(src) {
		out.WriteString(src[at:m.from])
		at = m.to
		i := slices.IndexFunc(open, func(o module) bool { return o.name == m.name })
		if i < 0 {
			at += len(src[at:]) - len(strings.TrimLeft(src[at:], " \t\r\n"))
			continue
		}
		out.WriteString(tests[open[i].from:open[i].to])
		open = slices.Delete(open, i, i+1)
	}
	out.WriteString(src[at:dangling(src, at)])
	for _, m := range open {
		out.WriteString("\n" + tests[m.from:m.to] + "\n")
	}
	return out.String()
}

// withoutTests is a file without its test modules.
func withoutTests(src string) string { return withTests(src, "") }

// dangling is where attributes begin that no item follows: they would belong to
// whatever is appended. Without any it is the end.
func dangling(src string, from int) int {
	p := parser{src: src, tokens: rustTokens(src)}
	for p.at < len(p.tokens) {
		start := p.at
		p.attributes()
		if p.at == len(p.tokens) && p.at > start && p.tokens[start].from >= from {
			return p.tokens[start].from
		}
		p.rest()
	}
	return len(src)
}

// testsIn is the text of a file's test modules.
func testsIn(src string) string {
	var out strings.Builder
	for _, m := range testModules(src) {
		out.WriteString(src[m.from:m.to] + "\n")
	}
	return out.String()
}

// parser goes through the items of a file.
type parser struct {
	src    string
	tokens []token
	at     int
}

func (p *parser) text(i int) string {
	if i >= len(p.tokens) {
		return ""
	}
	return p.src[p.tokens[i].from:p.tokens[i].to]
}

// item goes past one item; ok when it is a test module.
func (p *parser) item() (m module, ok bool) {
	start := p.at
	tests := p.attributes()
	if p.text(p.at) == "pub" {
		p.at++
		if p.text(p.at) == "(" {
			p.block()
		}
	}
	isMod := p.text(p.at) == "mod" && p.at+2 < len(p.tokens)
	name := strings.TrimPrefix(p.text(p.at+1), "r#")
	end := p.text(p.at + 2)
	p.rest()
	if !tests || !isMod || (end != "{" && end != ";") {
		return m, false
	}
	return module{name, p.tokens[start].from, p.tokens[p.at-1].to}, true
}

// attributes goes past them, and tells whether one is for tests only.
func (p *parser) attributes() (tests bool) {
	for p.at < len(p.tokens) {
		switch {
		case p.tokens[p.at].doc:
			p.at++
		case p.text(p.at) == "#" && p.text(p.at+1) == "[":
			p.at++
			from := p.at
			p.block()
			tests = tests || testsOnly(p.join(from, p.at))
		default:
			return tests
		}
	}
	return tests
}

func (p *parser) join(from, to int) string {
	var out strings.Builder
	for i := from; i < to; i++ {
		out.WriteString(p.text(i))
	}
	return out.String()
}

// testsOnly knows cfg(test) and cfg(all(test, …)).
func testsOnly(attribute string) bool {
	condition, ok := strings.CutPrefix(attribute, "[cfg(")
	condition, closed := strings.CutSuffix(condition, ")]")
	condition = strings.TrimSuffix(condition, ",")
	all, several := strings.CutPrefix(condition, "all(")
	if !ok || !closed || !several {
		return ok && closed && condition == "test"
	}
	depth, word := 0, ""
	for _, c := range all {
		switch c {
		case '(':
			depth++
		case ')', ',':
			if depth == 0 && word == "test" {
				return true
			}
			word = ""
			if c == ')' {
				depth--
			}
			continue
		}
		if depth == 0 {
			word += string(c)
		}
	}
	return false
}

// rest goes past the rest of an item: to a semicolon or the end of a block, or past
// an attribute of the whole file.
func (p *parser) rest() {
	if p.text(p.at) == "#" && p.text(p.at+1) == "!" && p.text(p.at+2) == "[" {
		p.at += 2
		p.block()
		return
	}
	for p.at < len(p.tokens) {
		switch p.text(p.at) {
		case ";":
			p.at++
			return
		case "{":
			p.block()
			return
		case "(", "[":
			p.block()
		default:
			p.at++
		}
	}
}

// block goes past brackets of any kind and what is between them.
func (p *parser) block() {
	for depth := 0; p.at < len(p.tokens); {
		switch p.text(p.at) {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		}
		p.at++
		if depth <= 0 {
			return
		}
	}
}

// token is a word, a number, a literal, a documentation comment, or one byte.
type token struct {
	from, to int
	doc      bool
}

// rustTokens cuts a file into tokens; comments are none. It knows what can hide a
// bracket: strings, raw strings, characters beside lifetimes, nested comments.
func rustTokens(src string) []token {
	var out []token
	for at := 0; at < len(src); {
		rest := src[at:]
		n, doc, comment := rustComment(rest)
		switch {
		case comment:
		case strings.IndexByte(" \t\r\n\f", src[at]) >= 0:
			at++
			continue
		default:
			n = rustToken(rest)
		}
		if !comment || doc {
			out = append(out, token{at, at + n, doc})
		}
		at += n
	}
	return out
}

// rustComment measures a comment. Those with three slashes or stars document the
// item that follows.
func rustComment(s string) (n int, doc, ok bool) {
	switch {
	case strings.HasPrefix(s, "//"):
		if n = strings.IndexByte(s, '\n'); n < 0 {
			n = len(s)
		}
		return n, strings.HasPrefix(s, "///") && !strings.HasPrefix(s, "////"), true
	case strings.HasPrefix(s, "/*"):
		depth := 0
		for n < len(s) {
			switch {
			case strings.HasPrefix(s[n:], "/*"):
				depth, n = depth+1, n+2
			case strings.HasPrefix(s[n:], "*/"):
				depth, n = depth-1, n+2
			default:
				n++
			}
			if depth == 0 {
				break
			}
		}
		return n, strings.HasPrefix(s, "/**") && !strings.HasPrefix(s, "/***") && !strings.HasPrefix(s, "/**/"), true
	}
	return 0, false, false
}

// rustToken measures the token at the start of s.
func rustToken(s string) int {
	switch c := s[0]; {
	case c == '"':
		return quoted(s, 1, '"')
	case c == '\'':
		return quote(s)
	case wordByte(c):
		n := 1
		for n < len(s) && wordByte(s[n]) {
			n++
		}
		return prefixed(s, n)
	}
	return 1
}

// prefixed is a word, or the literal or raw name that it starts.
func prefixed(s string, n int) int {
	if n == len(s) {
		return n
	}
	switch word, next := s[:n], s[n]; {
	case next == '"' && (word == "b" || word == "c"):
		return quoted(s, n+1, '"')
	case next == '\'' && word == "b":
		return quoted(s, n+1, '\'')
	case (next == '"' || next == '#') && (word == "r" || word == "br" || word == "cr"):
		hashes := len(s[n:]) - len(strings.TrimLeft(s[n:], "#"))
		if n+hashes < len(s) && s[n+hashes] == '"' {
			end := `"` + strings.Repeat("#", hashes)
			if at := strings.Index(s[n+hashes+1:], end); at >= 0 {
				return n + hashes + 1 + at + len(end)
			}
			return len(s)
		}
		if hashes == 1 && word == "r" && n+1 < len(s) && wordByte(s[n+1]) { // r#type
			return n + 1 + rustToken(s[n+1:])
		}
	}
	return n
}

// quoted measures a literal up to its closing mark.
func quoted(s string, from int, mark byte) int {
	for n := from; n < len(s); n++ {
		switch s[n] {
		case '\\':
			n++
		case mark:
			return n + 1
		}
	}
	return len(s)
}

// quote tells a character from a lifetime: 'a' and '\n' are closed, 'a is not.
func quote(s string) int {
	if strings.HasPrefix(s, `'\`) {
		return quoted(s, 1, '\'')
	}
	_, size := utf8.DecodeRuneInString(s[1:])
	if 1+size < len(s) && s[1+size] == '\'' && s[1] != '\'' {
		return size + 2
	}
	return 1 // the name of the lifetime is the next token
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= 0x80
}
