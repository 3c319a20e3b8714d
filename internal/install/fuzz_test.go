package install

import (
	"bytes"
	"testing"

	"checkrein/internal/harness"
	"checkrein/internal/settings"
)

// FuzzInstall: whatever valid settings file there is, install and then uninstall
// give its bytes back, as long as it held no entry of ours.
func FuzzInstall(f *testing.F) {
	for _, s := range []string{
		"", " \n", "{}", "{ \"hooks\": { } }", "\xef\xbb\xbf{\r\n\t\"a\": 1, // x\r\n}", `{"hooks":{"Stop":[],"PreToolUse":[{"hooks":[]}]}}`,
		`{"hooks": {"PreToolUse": [` + pythonEntry + `]}}`, "{\"a\":1}//",
	} {
		f.Add([]byte(s), true)
		f.Add([]byte(s), false)
	}
	f.Fuzz(func(t *testing.T, in []byte, codexToo bool) {
		doc, err := settings.Parse(in)
		if err != nil {
			return
		}
		if hooks, err := doc.Hooks(); err != nil || len(ours(hooks)) > 0 {
			return
		}
		b, name, file := newBox(t), harness.ClaudeCode, claudeFile
		if codexToo {
			name, file = harness.Codex, codexFile
		}
		b.save(file, string(in))
		b.install(Request{Harness: name, Cap: usd(3)})
		if bytes.Equal(in, []byte(b.text(file))) || b.plan(Request{Harness: name}).Changed() {
			t.Fatalf("installed wrongly:\n%s", b.text(file))
		}
		b.uninstall()
		if got := b.text(file); got != string(in) {
			t.Fatalf("got %q", got)
		}
	})
}
