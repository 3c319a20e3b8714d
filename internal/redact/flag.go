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
