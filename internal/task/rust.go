package task

import (
	"slices"
	"strings"
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
