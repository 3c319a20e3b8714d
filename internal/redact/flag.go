package redact

import "strings"

// Credentials passed as command flags. Each rule keeps the flag, and the user
// name where there is one, and masks the value.

func isSpaceOrQuote(r rune) bool { return isSpace(r) || r == '\'' || r == '"' }

// sshpass finds the value of `sshpass -p X` and `sshpass -pX`.
func sshpass(t *scan, at int) (span, bool) {
	const program = "sshpass"
	for {
		from := t.index(program, at)
		if from < 0 {
			return span{}, false
		}
		at = from + len(program)
		flag := t.spaces(at)
		if wordBefore(t.s, from) || flag == at || !strings.HasPrefix(t.s[flag:], "-p") {
			continue
		}
		if v, ok := t.value(t.spaces(flag+len("-p")), isSpaceOrQuote); ok {
			return v, true
		}
	}
}

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

// userFlag finds the password of `-u user:X` and `--user user:X`.
func userFlag(t *scan, at int) (span, bool) {
	for i := at; ; {
		flag := t.index("-u", i)
		if flag < 0 {
			return span{}, false
		}
		i = flag + len("-u")
		if flag > at && t.s[flag-1] == '-' && strings.HasPrefix(t.s[i:], "ser") {
			flag--
			i += len("ser")
		}
		if flag > 0 && flag-spaceBefore(t.s, flag) == flag {
			continue
		}
		if v, ok := t.userPassword(i); ok {
			return v, true
		}
	}
}

// userPassword is the value behind the flag that ends at i: one "=" or white
// space, then a name and a colon. One "=" only, as a name can start with another.
func (t *scan) userPassword(i int) (span, bool) {
	name := t.spaces(i)
	if name == i {
		if !strings.HasPrefix(t.s[i:], "=") {
			return span{}, false
		}
		name++
	}
	quote := t.quoteAt(name)
	if quote != 0 {
		name++
	}
	end := t.until(name, endsUserName)
	if end == name || !strings.HasPrefix(t.s[end:], ":") {
		return span{}, false
	}
	return t.rest(end+1, quote, endsUserPassword)
}

func endsUserName(r rune) bool     { return r == ':' || endsUserPassword(r) }
func endsUserPassword(r rune) bool { return r == '@' || isSpaceOrQuote(r) }

// passFlag finds the value of --pass, --passwd and --password, behind white space;
// namedSecret knows the form with "=". A value that starts with a dash is the next flag.
func passFlag(t *scan, at int) (span, bool) {
	const flag = "--pass"
	for {
		from := t.index("--", at)
		if from < 0 {
			return span{}, false
		}
		at = from + 1
		end := t.passFlagEnd(matchFold(t.s, from, flag))
		if end < 0 || strings.HasPrefix(t.s[end:], "-") {
			continue
		}
		if v, ok := t.value(end, isSpaceOrQuote); ok {
			return v, true
		}
	}
}

// passFlagEnd is where the value begins whose flag's "--pass" ends at i, or -1.
func (t *scan) passFlagEnd(i int) int {
	if i < 0 {
		return -1
	}
	for _, more := range [...]string{"word", "wd"} {
		if end := matchFold(t.s, i, more); end >= 0 {
			i = end
			break
		}
	}
	if end := t.spaces(i); end > i {
		return end
	}
	return -1
}
