package redact

// namedSecret finds the value of a key whose name tells it is a secret, in any
// of `KEY=X`, `key: X`, `"key": "X"`. A name is walked over once: a try starts
// only where a name starts, and looks for its keyword inside that name. It never
// resumes inside a name, as no value ends before a name character.
func namedSecret(t *scan, at int) (span, bool) {
	for at < len(t.s) {
		end := t.runFold(at, isName)
		if end == at {
			at++
			continue
		}
		if v, ok := t.namedValue(at, end); ok {
			return v, true
		}
		at = end
	}
	return span{}, false
}

func isName(b byte) bool      { return isWordDash(b) || b == '.' }
func isSeparator(b byte) bool { return b == ':' || b == '=' }

// namedValue is the value behind the name from i to before end. The cheap
// question, whether a separator follows, comes first.
func (t *scan) namedValue(i, end int) (span, bool) {
	separator := end
	if t.quoteAt(end) != 0 {
		separator++
	}
	separator = t.spaces(separator)
	after := t.run(separator, isSeparator)
	if after == separator || !t.telling(i, end) {
		return span{}, false
	}
	if v, ok := t.value(t.spaces(after), endsNamedValue); ok {
		return v, true
	}
	// With nothing behind them, the last of several separators is the value:
	// a password can be "=".
	return span{after - 1, after}, after-separator > 1
}

func endsNamedValue(r rune) bool {
	return isSpace(r) || r == '"' || r == '\'' || r == ',' || r == ';' || r == '}'
}

// telling tells whether the name from i to before end holds a word for a secret.
func (t *scan) telling(i, end int) bool {
	t.looked += end - i
	name := t.s[i:end]
	for i := range len(name) {
		if tellingAt(name, i) {
			return true
		}
	}
	return false
}

func tellingAt(name string, i int) bool {
	switch lower(name[i]) {
	case 'a':
		return keyAt(name, matchFold(name, i, "api")) || keyAt(name, matchFold(name, i, "access"))
	case 'c':
		return matchFold(name, i, "credential") >= 0
	case 'p':
		return matchFold(name, i, "pwd") >= 0 || matchFold(name, i, "passwd") >= 0 ||
			matchFold(name, i, "password") >= 0 || keyAt(name, matchFold(name, i, "private"))
	case 's':
		return matchFold(name, i, "secret") >= 0
	case 't':
		return tokenAt(name, i)
	}
	return false
}

// keyAt tells whether "key" stands at i, or behind one joint there.
func keyAt(name string, i int) bool {
	if i < 0 {
		return false
	}
	if i < len(name) && (name[i] == '_' || name[i] == '-') {
		i++
	}
	return matchFold(name, i, "key") >= 0
}

// tokenAt leaves out the word "tokens": it names a count (max_tokens: 1000).
func tokenAt(name string, i int) bool {
	end := matchFold(name, i, "token")
	if end < 0 {
		return false
	}
	plural := matchFold(name, end, "s")
	if plural < 0 {
		return true
	}
	if plural == len(name) {
		return false
	}
	b, _ := foldAt(name, plural)
	return isAlnum(b)
}
