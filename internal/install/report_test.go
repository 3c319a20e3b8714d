package install

import (
	"flag"
	"path/filepath"
	"strings"
	"testing"

	"checkrein/internal/golden"
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
	same(t, "install-claude-code.md", claude.Markdown(false, m))
	claude.Past = "Of your last 3 sessions one."
	if text := claude.Markdown(false, m); strings.Count(text, "\n\nOf your last 3 sessions one.\n") != 1 {
		t.Errorf("no line on past sessions in\n%s", text)
	}
	same(t, "install-codex.md", b.install(Request{Harness: harness.Codex}).Markdown(true, m))
	b.install(Request{Cap: usd(20)})
	same(t, "install-again.md", b.plan(Request{Cap: usd(20)}).Markdown(false, m))
	r, err := Remove(Places("", "", m), m)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "uninstall.md", r.Markdown(false, m))
	b.uninstall()
	r, err = Remove(Places("", "", m), m)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "uninstall-nothing.md", strings.ReplaceAll(r.Markdown(false, m), b.project, "/project"))
}

func same(t *testing.T, name, got string) {
	t.Helper()
	golden.Same(t, *update, filepath.Join("testdata", name), got)
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
