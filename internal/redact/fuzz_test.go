package redact

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// seeds holds one start per rule, for the fuzzer to grow from.
func seeds() []string {
	return []string{
		"", "a b", "sk-ant-", "xoxb-aaaaaaaaaa", "eyJaaaaaaaa.aaaaaaaa.aaaaaaaa", "-----BEGIN PRIVATE KEY-----",
		"sshpass -p x", "mysql -px", " -u a:b", "--password x", "Bearer aaaaaaaaaaaaaaaa", "a://b:c@d", "token=x",
		"token: \"x\\", "pwd==", "İı ſK é\u200d\u0301", "\xff\xc4", "a|`b`\r\n\x1b",
	}
}

// FuzzSecrets holds what is true of every text. Masking twice is not the same as
// once: a mask can take in a character that stopped a value (`-u a:b}` and then
// `a:[REDACTED]}`), so what holds is that a second pass never shows more, and
// finds no key by its start.
func FuzzSecrets(f *testing.F) {
	for _, s := range seeds() {
		f.Add(s, " ")
		f.Add("", s)
	}
	f.Fuzz(func(t *testing.T, before, after string) {
		key := "sk-ant-" + "Fake0Planted0Key0"
		once := Secrets(before + " " + key + " " + after)
		if strings.Contains(once, key) {
			t.Fatalf("the key is still there: %q", once)
		}
		if !utf8.ValidString(once) {
			t.Fatalf("no UTF-8: %q", once)
		}
		again := scan{s: once}
		again.maskTokens()
		if again.s != once {
			t.Fatalf("a key is left: %q", once)
		}
		again.maskCredentials()
		again.mask(longRun)
		if shown(again.s) > shown(once) {
			t.Fatalf("a second pass shows more: %q, %q", once, again.s)
		}
	})
}

// shown is how many bytes of text stand outside its masks.
func shown(text string) int {
	return len(text) - len(masked)*strings.Count(text, masked)
}

// FuzzCost holds the bound of TestCost for texts no one thought of.
func FuzzCost(f *testing.F) {
	for _, s := range seeds() {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, prefix, unit string) {
		const size, perByte = 1 << 14, 60
		if unit == "" || len(prefix)+len(unit) > size/64 {
			return
		}
		text := plain(prefix + strings.Repeat(unit, size/len(unit)))
		if got := looked(text); got > perByte*(len(text)+1) {
			t.Fatalf("%d bytes looked at for %d", got, len(text))
		}
	})
}

// FuzzLine holds that a line is one, inert, and as short as asked.
func FuzzLine(f *testing.F) {
	for i, s := range seeds() {
		f.Add(s, 10*i)
	}
	f.Fuzz(func(t *testing.T, text string, limit int) {
		line := Line(text, limit)
		if n := utf8.RuneCountInString(line); n > max(limit, len(ellipsis)) {
			t.Fatalf("%d characters, limit %d: %q", n, limit, line)
		}
		for _, r := range line {
			if !unicode.IsPrint(r) || r == '`' || r == '|' {
				t.Fatalf("%q holds %q", line, r)
			}
		}
		if strings.Contains(line, "  ") || strings.HasPrefix(line, " ") {
			t.Fatalf("loose blanks: %q", line)
		}
		if code := Code(text, limit); code != "`"+line+"`" && code != "`(empty)`" {
			t.Fatalf("Code is %q where Line is %q", code, line)
		}
	})
}
