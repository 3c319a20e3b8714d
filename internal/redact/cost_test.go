package redact

import (
	"strings"
	"testing"
)

// hostile is the worst text for each rule: a unit that, repeated, offers a start
// at every turn and never, or late, an end. The prefix stands before the run, and
// holds what a rule asks for before it looks at the text at all.
func hostile() map[string]struct{ prefix, unit string } {
	return map[string]struct{ prefix, unit string }{
		"plain prose":              {"", "the quick brown fox "},
		"one long word":            {"", "a"},
		"PEM without END":          {"", "-----BEGIN PRIVATE KEY-----"},
		"PEM labels":               {"", "-----BEGIN A "},
		"PEM one label":            {"-----BEGIN ", "PRIVATE KEY"},
		"PEM ENDs":                 {"-----BEGIN PRIVATE KEY-----", "-----END "},
		"dashes":                   {"", "-"},
		"sk-":                      {"", "sk-"},
		"short tokens":             {"", "sk-aaaa ghp_aaaa xoxb-aaaa "},
		"AWS":                      {"", "AKIA"},
		"AWS apart":                {"", "AKIAAAAAAAAAAAAAAAAAAA."},
		"eyJ-":                     {"", "eyJ-"},
		"-eyJ with parts":          {"", "-eyJaaaaaaaa"},
		"eyJ. parts":               {"", "eyJaaaaaaaa."},
		"eyJ second part":          {"eyJaaaaaaaa.", "a-eyJ"},
		"sshpass":                  {"", "sshpass "},
		"sshpass blanks":           {"sshpass", " "},
		"sshpass -p":               {"", "sshpass -p "},
		"mysql":                    {"-p ", "mysql "},
		"mysql, no flag":           {"mysql -p ", "a "},
		"mysql -p''":               {"mysql", " -p''"},
		"mysql words":              {"-p ", "mysql-mariadb."},
		"-p":                       {"", "-p "},
		"-u":                       {"", " -u "},
		"-u blanks":                {" -u", " "},
		"-u=":                      {" -u", "="},
		"-u quotes":                {"", " -u 'a"},
		"-u names":                 {"", " -u a:@"},
		"--user":                   {"", "--user"},
		"--pass":                   {"", "--pass "},
		"--pass blanks":            {"--password", " \t"},
		"--pass quotes":            {"", "--pass '"},
		"bearer":                   {"", "bearer "},
		"basic-":                   {"", "basic-"},
		"bearer blanks":            {"bearer", " "},
		"bearer short":             {"", "bearer aaaa"},
		"padding":                  {"bearer aaaaaaaaaaaaaaaa", "="},
		"://":                      {"", "://"},
		"a://":                     {"", "a://"},
		"a://a:":                   {"", "a://a:"},
		"URL colons":               {"a://", "a:"},
		"URL scheme":               {"", "a."},
		"URL dashes":               {"", "-://"},
		"names":                    {"=", "a_a_a_token "},
		"one name":                 {"=", "a_a_a_token"},
		"names, no value":          {"", "token="},
		"name blanks":              {"=token", " "},
		"name separators":          {"token", "="},
		"name separators, blanks":  {"token", "= "},
		"name quotes":              {"", "token='"},
		"name colons":              {"", "token:\""},
		"long name, separator":     {"a=", "apiapi_accesspriv-=,"},
		"near keywords":            {"=", "apiapi_accesspriv"},
		"backslashes":              {"token=\"", "\\"},
		"long run, letters only":   {"", "abcdefghijklmnopqrstuvwxyzabcdefghijklmnop."},
		"fullwidth":                {"", "ｓｋ－"},
		"Turkish i":                {"=", "İı"},
		"Turkish i before a colon": {"", "İ://"},
		"marks":                    {"a", "\u0301"},
		"blanks beyond ASCII":      {"--pass", "\u1680"},
	}
}

// looked is how many bytes the scanners walked over to clean the text.
func looked(text string) int {
	t := scan{s: plain(text)}
	t.redact()
	return t.looked
}

// TestCost holds the time a text may take, counted in bytes walked over and not
// in seconds. A rule that walks a run again for each start in it would look at
// each byte thousands of times here; the bound is a few times per rule.
func TestCost(t *testing.T) {
	const size, perByte = 32 << 10, 60
	for name, h := range hostile() {
		text := h.prefix + strings.Repeat(h.unit, size/len(h.unit))
		got := looked(text)
		if got < len(plain(text)) {
			t.Errorf("%s: only %d bytes looked at; the count misses a loop", name, got)
		}
		if got > perByte*len(text) {
			t.Errorf("%s: each byte looked at %d times, want at most %d", name, got/len(text), perByte)
		}
	}
}

// BenchmarkHostile shows what the count cannot: at four times the size, the time
// per byte (MB/s) must stay about the same.
func BenchmarkHostile(b *testing.B) {
	for name, h := range hostile() {
		for size, label := range map[int]string{256 << 10: "256KB", 1 << 20: "1MB"} {
			text := h.prefix + strings.Repeat(h.unit, size/len(h.unit))
			b.Run(name+"/"+label, func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					Secrets(text)
				}
			})
		}
	}
}

// BenchmarkCommand is the common case of a hook: one short command.
func BenchmarkCommand(b *testing.B) {
	for name, text := range map[string]string{
		"clean":     "go test ./internal/... -run 'TestParse' 2>&1 | tail -20",
		"secret":    "curl -u me:hunter2 https://host/api?x=1",
		"not ASCII": "git commit -m 'naïve → précis — fixé'",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Line(text, 160)
			}
		})
	}
}
