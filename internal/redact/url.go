package redact

import "unicode/utf8"

// authorization finds the credential of an HTTP header: Bearer X, Basic X.
func authorization(t *scan, at int) (span, bool) {
	for at < len(t.s) {
		from := t.wordFold(at, 'b')
		for _, scheme := range [...]string{"bearer", "basic"} {
			if v, ok := t.schemeValue(matchFold(t.s, from, scheme)); ok {
				return v, true
			}
		}
		at = from + 1
	}
	return span{}, false
}

// schemeValue is the credential behind the scheme that ends at i: shorter than 16
// characters it is a word of prose. The padding of base64 goes with it.
func (t *scan) schemeValue(i int) (span, bool) {
	const least = 16
	if i < 0 || spaceAt(t.s, i) == 0 { // without the space, runs of "basic-" overlap
		return span{}, false
	}
	from := t.spaces(i)
	end := t.runFold(from, isCredential)
	if utf8.RuneCountInString(t.s[from:end]) < least {
		return span{}, false
	}
	return span{from, t.run(end, isPadding)}, true
}

func isCredential(b byte) bool {
	switch b {
	case '.', '_', '~', '+', '/', '-':
		return true
	}
	return isAlnum(b)
}

func isPadding(b byte) bool { return b == '=' }

// urlPassword finds the password in scheme://user:X@host.
func urlPassword(t *scan, at int) (span, bool) {
	const mark = "://"
	for {
		from := t.index(mark, at)
		if from < 0 {
			return span{}, false
		}
		at = from + len(mark)
		if !t.schemeBefore(from) {
			continue
		}
		if v, ok := t.userInfo(at); ok {
			return v, true
		}
	}
}

// schemeBefore tells whether a URL scheme ends at i: a letter where no word goes
// on, and up to 31 more characters. The bound is the whole cost of a try.
func (t *scan) schemeBefore(i int) bool {
	const most = 32
	for range most {
		b, width := foldBefore(t.s, i)
		if !isScheme(b) {
			return false
		}
		t.looked++
		i -= width
		if isLetter(b) && !wordFoldBefore(t.s, i) {
			return true
		}
	}
	return false
}

func isScheme(b byte) bool { return isAlnum(b) || b == '+' || b == '.' || b == '-' }

// userInfo is the password of the user info at i. Neither part holds a slash, so
// a try ends before the next "://" does.
func (t *scan) userInfo(i int) (span, bool) {
	colon := t.until(i, endsUser)
	if colon == i || colon == len(t.s) || t.s[colon] != ':' {
		return span{}, false
	}
	end := t.until(colon+1, endsURLPassword)
	return span{colon + 1, end}, end > colon+1 && end < len(t.s) && t.s[end] == '@'
}

func endsUser(r rune) bool        { return r == ':' || endsURLPassword(r) }
func endsURLPassword(r rune) bool { return r == '/' || r == '@' || isSpace(r) }
