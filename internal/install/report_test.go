package install

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"checkrein/internal/harness"
)

var update = flag.Bool("update", false, "write the golden reports anew")

func TestNotes(t *testing.T) {
	b := newBox(t)
	b.save(claudeFile, `{"disableAllHooks": true}`)
	b.env["RUNAWAY_GUARD_WARN_AT"] = "0.5"
	b.env["RUNAWAY_GUARD_CAP_USD"] = "0"
	notes := strings.Join(b.plan(Request{Notes: []string{"odd program"}}).Notes, "\n")
	for want, there := range map[string]bool{
		"disableAllHooks": true, "RUNAWAY_GUARD_WARN_AT is set": true, "RUNAWAY_GUARD_CAP_USD is set": true, "odd program": true,
		"Cursor": true, "list prices": false, "RUNAWAY_GUARD_LOOP_REPEATS": false,
	} {
		if strings.Contains(notes, want) != there {
			t.Errorf("%q: want %v in\n%s", want, there, notes)
		}
	}
	project := strings.Join(b.plan(Request{Harness: harness.Codex, Scope: Project}).Notes, "\n")
	if !strings.Contains(project, "marked as trusted") || strings.Contains(project, "Cursor") {
		t.Errorf("notes of a project's Codex: %s", project)
	}
}

func TestReports(t *testing.T) {
	b := newBox(t)
	b.save(claudeFile, "{\n  \"env\": {\"API_KEY\": \"sk-ant-REDACTED\"}, // `mine` \x1b[31m\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\n        \"hooks\": [\n          {\"type\": \"command\", \"command\": \"mine\"}\n        ]\n      }\n    ]\n  }\n}\n")
	b.save(codexFile, `{"hooks": {}}`)
	m := b.machine()
	claude := b.plan(Request{Cap: usd(20)})
	golden(t, "install-claude-code.md", claude.Markdown(false, m))
	claude.Past = "Of your last 3 sessions one."
	if text := claude.Markdown(false, m); strings.Count(text, "\n\nOf your last 3 sessions one.\n") != 1 {
		t.Errorf("no line on past sessions in\n%s", text)
	}
	golden(t, "install-codex.md", b.install(Request{Harness: harness.Codex}).Markdown(true, m))
	b.install(Request{Cap: usd(20)})
	golden(t, "install-again.md", b.plan(Request{Cap: usd(20)}).Markdown(false, m))
	r, err := Remove(Places("", "", m), m)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "uninstall.md", r.Markdown(false, m))
	b.uninstall()
	r, err = Remove(Places("", "", m), m)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "uninstall-nothing.md", strings.ReplaceAll(r.Markdown(false, m), b.project, "/project"))
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := errors.Join(os.MkdirAll("testdata", 0o755), os.WriteFile(path, []byte(got), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got; write it with -update):\n%s", name, diff)
	}
}

func TestHeadline(t *testing.T) {
	p := Plan{Request: Request{Harness: harness.Codex}}
	if got, want := p.Headline(), "checkrein will run in Codex with every wire off, so it will stop nothing."; got != want {
		t.Errorf("got %s", got)
	}
	p.Limits.FailureStreak = 5
	p.Limits.SpendCapUSD = 2.5
	if got, want := p.Headline(), "checkrein will stop Codex when 5 calls fail in a row or its spend passes $2.50."; got != want {
		t.Errorf("got %s", got)
	}
}
