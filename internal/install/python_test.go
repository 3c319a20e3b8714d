package install

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"checkrein/internal/harness"
	"checkrein/internal/settings"
)

const pythonEntry = `{"hooks": [{"type": "command", "command": "python3 /s/runaway-guard/scripts/guard.py || true", "timeout": 10}]}`

// TestPythonGuardReplaced, in place, with and without its record.
func TestPythonGuardReplaced(t *testing.T) {
	written := `{"hooks": {"PreToolUse": [` + pythonEntry + `, {"hooks": [{"type": "command", "command": "mine"}]}]}}`
	original := `{"hooks":{"PreToolUse":[ {"hooks":[{"type":"command","command":"mine"}]}]}}`
	empty := ""
	cases := []struct {
		name     string
		original *string
		record   bool
		want     string
		gone     bool
	}{
		{name: "with its record", original: &original, record: true, want: original},
		{name: "with its record of no file", record: true, gone: true},
		{name: "with its record of a file it made", original: &empty, record: true, gone: true},
		{name: "without a record", want: `{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "mine"}]}]}}`},
		{name: "with a record that holds the guard", original: &written, record: true, want: `{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "mine"}]}]}}`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			for _, direct := range []bool{true, false} {
				b := newBox(t)
				b.save(claudeFile, written)
				if c.record {
					b.pythonRecord(written, c.original)
				}
				if !direct {
					p := b.install(Request{})
					text := b.text(claudeFile)
					if strings.Contains(text, "guard.py") || !strings.HasPrefix(text, `{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "/usr/local/bin/checkrein`) || p.Others != 1 {
						t.Errorf("%d others, and\n%s", p.Others, text)
					}
				}
				b.uninstall()
				switch {
				case c.gone && !b.missing(claudeFile):
					t.Errorf("direct %v: the file is left", direct)
				case !c.gone:
					if diff := cmp.Diff(c.want, b.text(claudeFile)); diff != "" {
						t.Errorf("direct %v (-want +got):\n%s", direct, diff)
					}
				}
			}
		})
	}
}

// pythonRecord writes a record as the Python guard does, named by it.
func (b *box) pythonRecord(written string, original *string) {
	b.t.Helper()
	r := map[string]any{"path": b.home + "/" + claudeFile, "original": original, "written": written}
	text, err := json.Marshal(r)
	if err != nil {
		b.t.Fatal(err)
	}
	target, err := settings.Read(b.home + "/" + claudeFile)
	if err != nil {
		b.t.Fatal(err)
	}
	file, err := recordFile(b.machine().store(), target)
	if err != nil {
		b.t.Fatal(err)
	}
	b.save(strings.TrimPrefix(file.Real, b.home), string(text))
}

func TestPythonGuardNotes(t *testing.T) {
	b := newBox(t)
	b.save(codexFile, `{"hooks": {"PreToolUse": [`+pythonEntry+`, {"hooks": [{"type": "command", "command": "mine"}]}]}}`)
	b.save("../project/.claude/settings.local.json", `{"hooks": {"PreToolUse": [`+pythonEntry+`]}}`)
	notes := strings.Join(b.plan(Request{Harness: harness.Codex}).Notes, "\n")
	for _, want := range []string{"entry is replaced", "is also in " + b.project + "/.claude/settings.local.json"} {
		if !strings.Contains(notes, want) {
			t.Errorf("no %q in:\n%s", want, notes)
		}
	}
	if strings.Contains(notes, "move up") {
		t.Errorf("the other hook keeps its place: %s", notes)
	}
}

func TestRecordName(t *testing.T) {
	// printf %s /home/dev/.claude/settings.json | sha256sum
	b := newBox(t)
	p := b.plan(Request{Settings: "/home/dev/.claude/settings.json"})
	if got := filepath.Base(p.changes[0].File.Real); got != "707192a451a8e044.json" {
		t.Errorf("got %s", got)
	}
}
