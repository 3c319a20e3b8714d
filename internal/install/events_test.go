package install

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"checkrein/internal/harness"
)

// TestInstallTellsOfMovedHooks: the Python guard shares a group, so it can't be
// replaced in place.
func TestInstallTellsOfMovedHooks(t *testing.T) {
	b := newBox(t)
	shared := strings.Replace(pythonEntry, `{"hooks"`, `{"matcher": "Bash", "hooks"`, 1)
	b.save(codexFile, `{"hooks": {"PreToolUse": [`+shared+`, {"hooks": [{"type": "command", "command": "mine"}]}]}}`)
	if p := b.plan(Request{Harness: harness.Codex}); p.Moved != 1 || !strings.Contains(strings.Join(p.Notes, "\n"), "move up") {
		t.Errorf("moved %d, notes %q", p.Moved, p.Notes)
	}
}

// TestEntriesKeepTheirPlace: Codex trusts an entry by its place and its text.
func TestEntriesKeepTheirPlace(t *testing.T) {
	b := newBox(t)
	b.install(Request{Harness: harness.Codex})
	added := strings.Replace(b.text(codexFile), `"PreToolUse": [`, `"PreToolUse": [{"hooks": [{"type": "command", "command": "mine"}]},`, 1)
	b.save(codexFile, added)
	if p := b.plan(Request{Harness: harness.Codex}); p.Changed() || p.Others != 1 {
		t.Errorf("changed %v, others %d", p.Changed(), p.Others)
	}
	// Another program: the texts change, the places don't.
	b.install(Request{Harness: harness.Codex, Program: "/opt/bin/checkrein"})
	if diff := cmp.Diff(strings.ReplaceAll(added, "/usr/local/bin", "/opt/bin"), b.text(codexFile)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestUninstallTellsOfMovedHooks(t *testing.T) {
	b := newBox(t)
	b.install(Request{Harness: harness.Codex})
	b.save(codexFile, strings.Replace(b.text(codexFile), "]\n  }", `, {"hooks": [{"type": "command", "command": "mine"}]}]}`, 1))
	r := b.uninstall()
	if r.Targets[2].Moved != 1 || !strings.Contains(strings.Join(r.Notes, "\n"), "move up in their lists: 1") {
		t.Errorf("moved %d, notes %q", r.Targets[2].Moved, r.Notes)
	}
}

func TestHomeIsTheProject(t *testing.T) {
	b := newBox(t)
	b.project = b.home
	b.install(Request{Harness: harness.Codex})
	if r := b.uninstall(); len(r.Targets) != 3 || r.Entries() != 7 || !b.missing(codexFile) {
		t.Errorf("%d targets, %d entries", len(r.Targets), r.Entries())
	}
}

func TestPostToolBatch(t *testing.T) {
	for version, want := range map[string]bool{
		"2.1.332": true, "2.1.101": true, "2.1.100": false, "2.0.75": false, "1.0.128": false, "2.2.0": true, "3.0.0": true, "": false, "x": false,
	} {
		b := newBox(t)
		b.claude = version
		p := b.install(Request{})
		if got := strings.Contains(b.text(claudeFile), "PostToolBatch"); got != want {
			t.Errorf("%q: registered %v", version, got)
		}
		if noted := strings.Contains(strings.Join(p.Notes, "\n"), "PostToolBatch"); noted == want {
			t.Errorf("%q: noted %v", version, noted)
		}
	}
}

func TestPostToolBatchStaysWhileTheVersionIsUnknown(t *testing.T) {
	b := newBox(t)
	b.install(Request{})
	b.claude = ""
	if p := b.plan(Request{}); p.Changed() {
		t.Error("changed for a version that is not known")
	}
	b.claude = "2.1.100"
	b.install(Request{})
	if strings.Contains(b.text(claudeFile), "PostToolBatch") {
		t.Error("left for a version that ignores the file")
	}
}
