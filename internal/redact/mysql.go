package redact

// mysqlPassword finds the value of -pX behind a program of the MySQL family, in
// the same command. A command is searched once, however many of the names it
// holds: what the first of them does not find, none behind it does.
func mysqlPassword(t *scan, at int) (span, bool) {
	for at < len(t.s) {
		from := t.wordFold(at, 'm')
		at = from + 1
		end := t.program(from)
		if end < 0 {
			continue
		}
		v, stop := t.attachedPassword(end)
		if v.to > 0 {
			return v, true
		}
		at = stop
	}
	return span{}, false
}

// wordFold is where the next word that starts with the letter b (lower case) in
// any case stands, at or after i, or the end of the text.
func (t *scan) wordFold(i int, b byte) int {
	from := i
	for i < len(t.s) && (lower(t.s[i]) != b || wordFoldBefore(t.s, i)) {
		i++
	}
	t.looked += i - from + 1
	return i
}

// program is the end of the program name at i, as one whole word, or -1. The name
// mariadb-dump needs no entry: its first word is one.
func (t *scan) program(i int) int {
	for _, name := range [...]string{"mysql", "mysqldump", "mysqladmin", "mysqlsh", "mariadb"} {
		t.looked += len(name)
		if end := matchFold(t.s, i, name); end >= 0 && !wordFoldAt(t.s, end) {
			return end
		}
	}
	return -1
}

// attachedPassword is the value of the first -pX from i on, or where the command
// and with it the search ends.
func (t *scan) attachedPassword(i int) (span, int) {
	from := i
	for ; i < len(t.s); i++ {
		if v, ok := t.attachedFlag(i); ok {
			return v, v.to
		}
		if endsCommand(t.s[i]) {
			break
		}
	}
	t.looked += i - from + 1
	return span{}, i
}

// attachedFlag is the value of -pX where a white space character and the flag
// stand at i. A lone -p asks for the password, and --p… is another flag.
func (t *scan) attachedFlag(i int) (span, bool) {
	width := spaceAt(t.s, i)
	if width == 0 || matchFold(t.s, i+width, "-p") < 0 {
		return span{}, false
	}
	v := i + width + len("-p")
	if v == len(t.s) || t.s[v] == '-' || spaceAt(t.s, v) > 0 {
		return span{}, false
	}
	return t.value(v, isSpaceOrQuote)
}

func endsCommand(b byte) bool { return b == '\n' || b == '|' || b == ';' || b == '&' }
