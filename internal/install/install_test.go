package install

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"checkrein/internal/harness"
)

func TestInstallAndUninstall(t *testing.T) {
	cases := []struct {
		name, before string
		absent       bool
	}{
		{name: "no file", absent: true},
		{name: "an empty file", before: ""},
		{name: "white space", before: " \n\n"},
		{name: "an empty object", before: "{}"},
		{name: "empty hooks", before: `{ "hooks": {"PreToolUse": [], "Stop" : [ ]} }`},
		{name: "tabs, comments and commas", before: "// mine\n{\n\t\"a\": 1, // one\n\t\"hooks\": {\n\t\t\"Stop\": [\n\t\t\t{\"hooks\": [],},\n\t\t],\n\t},\n}\n// end"},
		{name: "CRLF and a byte-order mark", before: "\xef\xbb\xbf{\r\n    \"a\": [1,  2],\r\n}\r\n"},
		{name: "one line", before: `{"model":"x"}`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			for _, file := range []string{claudeFile, codexFile} {
				b := newBox(t)
				name := harness.ClaudeCode
				if file == codexFile {
					name = harness.Codex
				}
				if !c.absent {
					b.save(file, c.before)
				}
				b.install(Request{Harness: name})
				first := b.text(file)
				if again := b.plan(Request{Harness: name}); again.Changed() {
					t.Errorf("a second install changes %s", file)
				}
				removed := b.uninstall()
				if !removed.Targets[0].Exactly && !removed.Targets[2].Exactly {
					t.Error("not restored exactly")
				}
				if c.absent {
					if !b.missing(file) {
						t.Errorf("%s is left: %s\nof %s", file, b.text(file), first)
					}
				} else if diff := cmp.Diff(c.before, b.text(file)); diff != "" {
					t.Errorf("%s (-want +got):\n%s", file, diff)
				}
				if left := b.records(); len(left) > 0 {
					t.Errorf("records left: %v", left)
				}
			}
		})
	}
}

func TestPrivacy(t *testing.T) {
	b := newBox(t)
	b.save(claudeFile, `{"env": {"KEY": "secret"}}`)
	b.install(Request{Cap: usd(5)})
	for name, want := range map[string]fs.FileMode{
		claudeFile:                                      0o644,
		".local/state/runaway-guard":                    0o700,
		".local/state/runaway-guard/installs":           0o700,
		".local/state/runaway-guard/runaway-guard.json": 0o600,
	} {
		info, err := os.Stat(filepath.Join(b.home, name))
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: got %v, %v; want %v", name, info.Mode().Perm(), err, want)
		}
	}
	for _, path := range b.records() {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("the record: %v, %v", info.Mode().Perm(), err)
		}
	}
}

// TestChangedSince: other keys changed after the install stay, and only our
// entries go.
func TestChangedSince(t *testing.T) {
	b := newBox(t)
	b.save(codexFile, "{\n  \"a\": 1\n}\n")
	b.install(Request{Harness: harness.Codex})
	b.save(codexFile, strings.Replace(b.text(codexFile), `"a": 1`, `"a": 2`, 1))
	r := b.uninstall()
	if r.Targets[2].Exactly || r.Entries() != 7 {
		t.Errorf("got %+v", r.Targets[2])
	}
	if diff := cmp.Diff("{\n  \"a\": 2\n}\n", b.text(codexFile)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if left := b.records(); len(left) > 0 {
		t.Errorf("records left: %v", left)
	}
}

func TestRefusals(t *testing.T) {
	cases := []struct{ name, file, text, want string }{
		{"not JSON", claudeFile, "{\n  \"a\" 1\n}", "settings.json: not valid JSON (line 2"},
		{"hooks", claudeFile, `{"hooks": []}`, `settings.json: "hooks" is not an object`},
		{"not UTF-8", claudeFile, "{\"a\": \"\xff\"}", "settings.json: not UTF-8 text"},
		{"the cap's file", ".local/state/runaway-guard/runaway-guard.json", "[]", "runaway-guard.json: not a JSON object"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			b := newBox(t)
			b.save(c.file, c.text)
			_, err := New(Request{Harness: harness.ClaudeCode, Scope: User, Program: "/x/checkrein", Cap: usd(1)}, b.machine())
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got error %v", err)
			}
			if c.file == claudeFile {
				if _, err := Remove(Places("", "", b.machine()), b.machine()); err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("uninstall: got error %v", err)
				}
			}
		})
	}
}

// TestWriteIsAllOrNothing: the settings file changed after the plan was made, so
// the cap and the record are not written either.
func TestWriteIsAllOrNothing(t *testing.T) {
	b := newBox(t)
	b.save(claudeFile, "{}")
	p := b.plan(Request{Cap: usd(1)})
	b.save(claudeFile, `{"theirs": 1}`)
	if err := p.Write(); err == nil || !strings.Contains(err.Error(), "changed meanwhile") {
		t.Errorf("got error %v", err)
	}
	if b.text(claudeFile) != `{"theirs": 1}` || !b.missing(".local") {
		t.Error("something was written")
	}
}
