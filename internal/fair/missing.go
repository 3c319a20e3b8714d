package fair

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of what is read of a run and kept of it.
const (
	// MaxOutput is how much of a run's output is searched.
	MaxOutput = 4 << 20
	maxNames  = 200
	maxName   = 100
)

// Missing are the names that a run of tests complains of as not there, sorted:
// what a compiler or an interpreter could not find, a module that can't be
// loaded. It is generous, because what it finds counts only where the change
// adds it.
func Missing(output string) []string {
	text := readable(output[:min(len(output), MaxOutput)])
	var names []string
	for _, say := range [][]string{complaints(), said()} {
		for _, literal := range say {
			find := after
			if strings.HasPrefix(literal, before) {
				find, literal = leading, literal[len(before):]
			}
			names = occurrences(names, text, literal, find)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// before marks a complaint that the name comes before.
const before = "^"

// complaints are the words that a missing name follows, in Python, Go,
// JavaScript, TypeScript, Rust, Ruby, Java, Kotlin, C#, C, C++, Swift, PHP and
// Elixir.
func complaints() []string {
	return []string{
		"cannot import name ", "has no attribute ", "does not have the attribute ", "unexpected keyword argument ", "No module named ",
		"undefined: ", "unknown field ", "no required module provides package ",
		"does not provide an export named ", "(reading ", "Cannot find module ", " for import ", "Failed to resolve import ",
		"Failed to load url ", "Cannot destructure property ",
		"Cannot find name ", "has no exported member named ", "has no exported member ",
		"no method named ", "no function or associated item named ", "no associated item named ", "no variant or associated item named ",
		"no field `", "has no field named ", "unresolved import ", "cannot find ",
		"undefined method ", "undefined local variable or method ", "uninitialized constant ", "unknown keyword: ", "unknown keywords: ",
		"cannot load such file -- ",
		"symbol:", "nresolved reference: ", "nresolved reference ", "a definition for ", "The type or namespace name ",
		"implicit declaration of function ", "undefined reference to ", "has no member named ", "undeclared identifier ",
		"unknown type name ", "no member named ",
		"undefined function ", "Undefined constant ",
	}
}

// said are the words that a missing name comes before.
func said() []string {
	return []string{
		before + " is not defined", before + " undefined (type ", before + " is not a function", before + " is not a constructor",
		before + " does not exist on type", before + " does not exist in type", before + " does not exist in the current context",
		before + " was not declared in this scope", before + " undeclared", before + `" not found`, before + " is undefined",
	}
}

func occurrences(names []string, text, literal string, find func(text string, at, end int) string) []string {
	for from := 0; len(names) < maxNames; {
		at := strings.Index(text[from:], literal)
		if at < 0 {
			break
		}
		at += from
		from = at + len(literal)
		if name := lastPart(find(text, at, from)); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// after reads the name that follows: what stands there in quotes or as a word,
// past the word for its kind ("function `x`", "method x(int)").
func after(text string, _, end int) string {
	const near = 80
	rest, _, _ := strings.Cut(text[end:min(len(text), end+maxName+near)], "\n")
	rest = strings.TrimLeft(rest, " :")
	if first, more, ok := strings.Cut(rest, " "); ok && kind(first) {
		rest = strings.TrimLeft(more, " ")
		if at := strings.IndexAny(rest, "`'"); at > 0 && at < near {
			rest = rest[at:] // Rust's "struct, variant or union type `X`"
		}
	}
	if kind(rest) {
		return "" // javac's "cannot find symbol" comes before the name of it
	}
	rest = strings.TrimLeft(rest, quotes+":$")
	return rest[:run(rest, pathRune)]
}

const quotes = " '\"`‘“\\"

// kind is a word for what is missing.
func kind(word string) bool {
	switch strings.TrimRight(word, ",") {
	case "function", "method", "class", "variable", "interface", "enum", "struct", "type", "value", "macro", "trait", "attribute",
		"constructor", "static", "derive", "module", "associated", "crate", "record", "tuple", "unit", "constant", "symbol":
		return true
	}
	return false
}

// leading reads the name that comes before, past closing quotes, parentheses and
// Elixir's number of arguments.
func leading(text string, at, _ int) string {
	head := text[max(0, at-maxName):at]
	head = strings.TrimRight(head, "'\"`’”\\)")
	if slash := strings.LastIndexByte(head, '/'); slash > 0 && strings.Trim(head[slash+1:], "0123456789") == "" {
		head = head[:slash]
	}
	start := len(head)
	for start > 0 {
		r, size := utf8.DecodeLastRuneInString(head[:start])
		if !wordRune(r) && r != '?' && r != '!' {
			break
		}
		start -= size
	}
	return head[start:]
}

func run(text string, is func(rune) bool) int {
	for i, r := range text {
		if !is(r) {
			return i
		}
	}
	return len(text)
}

func wordRune(r rune) bool { return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r) }

func pathRune(r rune) bool { return wordRune(r) || strings.ContainsRune(`.:/\-?!@`, r) }

// lastPart is the last name of a path such as a.b.C, A::B or ./lib/util.js; ""
// for what is no name.
func lastPart(path string) string {
	path = strings.TrimRight(path, `.:/\-`)
	path = path[strings.LastIndexAny(path, `/\:`)+1:]
	if dot := strings.LastIndexByte(path, '.'); dot > 0 && sourceExt(path[dot+1:]) {
		path = path[:dot]
	}
	path = path[strings.LastIndexByte(path, '.')+1:]
	if len(path) < 2 || len(path) >= maxName || !identifier(path) {
		return ""
	}
	return path
}

func sourceExt(ext string) bool {
	switch ext {
	case "js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx", "py", "rb", "vue", "json", "php", "h", "hpp":
		return true
	}
	return false
}

// identifier tells whether a word is a name in some language: letters, digits,
// underscores, dashes of file names, and Ruby's last ? or !.
func identifier(word string) bool {
	word = strings.TrimRight(word, "?!")
	first, _ := utf8.DecodeRuneInString(word)
	if word == "" || unicode.IsDigit(first) || first == '-' {
		return false
	}
	return run(word, func(r rune) bool { return wordRune(r) || r == '-' }) == len(word)
}

// HasWord tells whether a text has a name as a word of its own.
func HasWord(text, name string) bool {
	for from := 0; name != ""; {
		at := strings.Index(text[from:], name)
		if at < 0 {
			return false
		}
		at += from
		left, _ := utf8.DecodeLastRuneInString(text[:at])
		right, _ := utf8.DecodeRuneInString(text[at+len(name):])
		if (at == 0 || !wordRune(left)) && (at+len(name) == len(text) || !wordRune(right)) {
			return true
		}
		from = at + 1
	}
	return false
}
