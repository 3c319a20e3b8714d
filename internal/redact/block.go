package redact

import "strings"

const (
	pemBegin = "-----BEGIN "
	pemEnd   = "-----END "
	pemKey   = "PRIVATE KEY"
	pemDash  = "-----"
)

// privateKey finds a PEM private key block, up to the end of the text where its
// END line is cut off.
func privateKey(t *scan, at int) (span, bool) {
	from, body := t.pemLine(pemBegin, at)
	if from < 0 {
		return span{}, false
	}
	_, to := t.pemLine(pemEnd, body)
	return span{from, to}, true
}

// pemLine is the next private key line that starts with head: its first byte and
// the byte behind it, or -1 and the end of the text. A label holds no dash, so
// labels are walked over once.
func (t *scan) pemLine(head string, at int) (int, int) {
	for {
		from := t.index(head, at)
		if from < 0 {
			return -1, len(t.s)
		}
		label := from + len(head)
		end := t.run(label, isLabel)
		if strings.HasSuffix(t.s[label:end], pemKey) && strings.HasPrefix(t.s[end:], pemDash) {
			return from, end + len(pemDash)
		}
		at = from + 1
	}
}

func isLabel(b byte) bool { return isUpperAlnum(b) || b == ' ' }

const longLeast = 40

// longRun finds a long run of key characters that mixes digits and letters: a
// hash or a key without a name. Prose, paths and ruled lines have no such runs.
func longRun(t *scan, at int) (span, bool) {
	for at+longLeast <= len(t.s) {
		end := t.run(at, isLongRun)
		if end-at >= longLeast && t.mixed(at, end) {
			return span{at, end}, true
		}
		at = end + 1
	}
	return span{}, false
}

func isLongRun(b byte) bool { return isWordDash(b) || b == '+' || b == '=' }

// mixed tells whether the bytes from i to before end hold a digit and a letter.
func (t *scan) mixed(i, end int) bool {
	digit, letter := false, false
	for _, b := range []byte(t.s[i:end]) {
		digit = digit || isDigit(b)
		letter = letter || isLetter(b)
	}
	t.looked += end - i
	return digit && letter
}
