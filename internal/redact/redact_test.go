package redact_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"checkrein/internal/redact"
)

// body is n made-up key characters; the keys below are joined here so that no
// scanner of the repository takes one for a leak.
func body(n int) string { return strings.Repeat("aB3dE6gH9j", n/10+1)[:n] }

func TestSecrets(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"empty":               {"", ""},
		"nothing secret":      {"go test ./... # 3 passed", "go test ./... # 3 passed"},
		"token":               {"key sk-" + body(20) + ".", "key [REDACTED]."},
		"token, one short":    {"key sk-" + body(19) + ".", "key sk-" + body(19) + "."},
		"token inside a word": {"task-" + body(20), "task-" + body(20)},
		"token behind é":      {"é" + "ghp_" + body(20), "é[REDACTED]"},
		"longer head first":   {"sk-ant-" + body(16), "[REDACTED]"},
		"Slack":               {"xoxb-" + body(10), "[REDACTED]"},
		"Stripe":              {"rk_" + "live_" + body(16), "[REDACTED]"},
		"AWS":                 {"AKIA" + "ABCDEFGH12345678,", "[REDACTED],"},
		"AWS, one too many":   {"AKIA" + "ABCDEFGH123456789,", "AKIA" + "ABCDEFGH123456789,"},
		"web token":           {"eyJ" + body(8) + "." + body(8) + "." + body(8) + "!", "[REDACTED]!"},
		"private key":         {"a\n-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----\nb", "a\n[REDACTED]\nb"},
		"private key cut off": {"-----BEGIN PRIVATE KEY-----\nMII\nmore", "[REDACTED]"},
		"public key":          {"-----BEGIN PUBLIC KEY-----\nMII", "-----BEGIN PUBLIC KEY-----\nMII"},
		"sshpass":             {"sshpass -p hunter2 ssh host", "sshpass -p [REDACTED] ssh host"},
		"mysql":               {"mysql -u root -phunter2 db", "mysql -u root -p[REDACTED] db"},
		"mysql, next command": {"mysql -u root; ls -path", "mysql -u root; ls -path"},
		"mysql asks":          {"mysql -p db", "mysql -p db"},
		"curl -u":             {"curl -u me:hunter2 host", "curl -u me:[REDACTED] host"},
		"curl --user quoted":  {`curl --user "me:two words" host`, `curl --user "me:[REDACTED]" host`},
		"--password":          {"x --Password hunter2 y", "x --Password [REDACTED] y"},
		"--password, a flag":  {"x --password --stdin", "x --password --stdin"},
		"bearer":              {"Authorization: Bearer " + body(16) + "==", "Authorization: Bearer [REDACTED]"},
		"bearer in prose":     {"the bearer of this letter", "the bearer of this letter"},
		"URL":                 {"git clone https://me:hunter2@host/r", "git clone https://me:[REDACTED]@host/r"},
		"URL with a port":     {"http://host:8080/a@b", "http://host:8080/a@b"},
		"name":                {"DB_PASSWORD=hunter2 run", "DB_PASSWORD=[REDACTED] run"},
		"name in JSON":        {`{"api_key": "a \" b", "n": 1}`, `{"api_key": "[REDACTED]", "n": 1}`},
		"value is =":          {"pwd==", "pwd=[REDACTED]"},
		"a count of tokens":   {"max_tokens: 1000", "max_tokens: 1000"},
		"unclosed quote":      {"token=\"a b\nnext", "token=\"[REDACTED]\nnext"},
		"long run":            {"sum " + body(40), "sum [REDACTED]"},
		"long word":           {strings.Repeat("=", 60), strings.Repeat("=", 60)},
		"fullwidth name":      {"ｐａｓｓｗｏｒｄ＝ｘ", "password=[REDACTED]"},
		"split name":          {"pass\u200bword=x", "password=[REDACTED]"},
		"Turkish name":        {"PRİVATE_KEY=x", "PRİVATE_KEY=[REDACTED]"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := redact.Secrets(tt.text); got != tt.want {
				t.Errorf("Secrets(%q)\n got %q\nwant %q", tt.text, got, tt.want)
			}
		})
	}
}

func TestSecretsMakesValidText(t *testing.T) {
	for text, want := range map[string]string{
		"\xff":                 "\uFFFD",
		"\xffpassword=\xc4x":   "\uFFFDpassword=[REDACTED]",
		"a\xc4":                "a\uFFFD",
		"\xed\xa0\x80token: x": "\uFFFDtoken: [REDACTED]", // half of a surrogate pair
	} {
		got := redact.Secrets(text)
		if got != want || !utf8.ValidString(got) {
			t.Errorf("Secrets(%q) = %q, want %q", text, got, want)
		}
	}
}

// TestSecretsLeavesCleanTextAlone holds the price of the common case, a clean
// ASCII command: the scan itself, and no copy of the text.
func TestSecretsLeavesCleanTextAlone(t *testing.T) {
	const clean = "go test ./internal/... -run 'TestParse' 2>&1 | tail -20; basic: mysql --version"
	allocations := testing.AllocsPerRun(100, func() {
		if redact.Secrets(clean) != clean {
			t.Fatal("a clean text was changed")
		}
	})
	if allocations > 1 {
		t.Errorf("a clean text cost %v allocations, want 1", allocations)
	}
}
