package skills

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"checkrein/internal/harness"
	"checkrein/internal/settings"
)

// machine is one with a home folder and a project of its own, without links in
// their paths.
func machine(t *testing.T) Machine {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	m := Machine{
		Getenv: func(string) string { return "" }, Home: filepath.Join(dir, "home"), Project: filepath.Join(dir, "project"),
		OnPath: func(string) bool { return true },
	}
	for _, d := range []string{m.Home, m.Project} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

func (m Machine) user() []Place { return Places([]string{harness.ClaudeCode}, []string{User}, m) }

// install writes the skills, which must succeed.
func install(t *testing.T, places []Place, m Machine) {
	t.Helper()
	p, err := Install(places, false, m)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Write(); err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, text string, path ...string) {
	t.Helper()
	at := filepath.Join(path...)
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func text(t *testing.T, path ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// tree is every file below a folder with its text.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			name, _ := filepath.Rel(dir, path)
			all[filepath.ToSlash(name)] = text(t, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestPlaces(t *testing.T) {
	m := Machine{Getenv: func(string) string { return "" }, Home: "/h", Project: "/p"}
	got := Places(Names(), []string{User, Project}, m)
	shared := []string{harness.Codex, harness.GeminiCLI, harness.OpenCode}
	want := []Place{
		{User, filepath.FromSlash("/h/.claude/skills"), []string{harness.ClaudeCode}},
		{User, filepath.FromSlash("/h/.agents/skills"), shared},
		{Project, filepath.FromSlash("/p/.claude/skills"), []string{harness.ClaudeCode}},
		{Project, filepath.FromSlash("/p/.agents/skills"), shared},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	m.Project = m.Home
	if diff := cmp.Diff(want[:2], Places(Names(), []string{User, Project}, m)); diff != "" {
		t.Errorf("a project in the home folder: %s", diff)
	}
}

func TestFound(t *testing.T) {
	m := machine(t)
	m.OnPath = func(name string) bool { return name == "gemini" }
	write(t, "", m.Home, ".codex/config.toml")
	write(t, "", m.Home, ".claude") // a file is no folder of an agent
	if diff := cmp.Diff([]string{harness.Codex, harness.GeminiCLI}, m.Found()); diff != "" {
		t.Error(diff)
	}
}

// TestInstallThenUninstall leaves what was there before, and nothing else.
func TestInstallThenUninstall(t *testing.T) {
	m := machine(t)
	places := Places(Names(), []string{User, Project}, m)
	write(t, "another skill", m.Home, ".claude/skills/other/SKILL.md")
	write(t, "a page of the user's", m.Home, ".claude/skills/runaway-guard/notes/mine.md")
	before := tree(t, filepath.Dir(m.Home))
	install(t, places, m)
	if n := len(tree(t, filepath.Dir(m.Home))); n != len(before)+4*(6+2) {
		t.Errorf("%d files", n)
	}
	p, err := Uninstall(places, m)
	if err != nil || len(p.Notes) > 0 {
		t.Fatal(err, p.Notes)
	}
	if err := p.Write(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, tree(t, filepath.Dir(m.Home))); diff != "" {
		t.Error(diff)
	}
	if _, err := os.Stat(filepath.Join(m.Project, ".agents/skills/runaway-guard")); !os.IsNotExist(err) {
		t.Errorf("an empty folder stays: %v", err)
	}
}

// TestUpgrade: what an earlier version wrote is brought up to date, also a page
// that this version does not have any more, unless somebody changed it.
func TestUpgrade(t *testing.T) {
	m := machine(t)
	dir := filepath.Join(m.Home, ".claude/skills/runaway-guard")
	recorded := map[string]string{}
	for _, name := range []string{"SKILL.md", "references/gone.md", "references/edited.md"} {
		write(t, "old "+name, dir, name)
		recorded[name] = hash([]byte("old " + name))
	}
	write(t, "edited", dir, "references/edited.md")
	write(t, string(formatRecord(recorded)), dir, recordName)
	if got := List(m.user(), m)[1].State; got != "changed" {
		t.Errorf("state: %s", got)
	}
	install(t, m.user(), m)
	if text(t, dir, "SKILL.md") != string(texts("runaway-guard")["SKILL.md"]) {
		t.Error("SKILL.md is not brought up to date")
	}
	if _, err := os.Stat(filepath.Join(dir, "references/gone.md")); !os.IsNotExist(err) {
		t.Errorf("the old page stays: %v", err)
	}
	if text(t, dir, "references/edited.md") != "edited" {
		t.Error("the edited page is lost")
	}
	if got := List(m.user(), m)[1].State; got != "installed" {
		t.Errorf("state: %s", got)
	}
}

// TestForeignFilesStay: somebody else's file stops the whole install, whatever a record
// claims of others.
func TestForeignFilesStay(t *testing.T) {
	m := machine(t)
	dir := filepath.Join(m.Home, ".claude/skills")
	write(t, "mine", dir, "runaway-guard/SKILL.md")
	before := tree(t, m.Home)
	_, err := Install(m.user(), false, m)
	changed := new(ChangedError)
	if !errors.As(err, &changed) {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{filepath.Join(dir, "runaway-guard/SKILL.md")}, changed.Paths); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(before, tree(t, m.Home)); diff != "" {
		t.Error(diff)
	}
	p, err := Install(m.user(), true, m)
	if err != nil {
		t.Fatal(err)
	}
	write(t, "changed again", dir, "runaway-guard/SKILL.md")
	if err := p.Write(); !errors.Is(err, settings.ErrChanged) {
		t.Errorf("changed between plan and write: %v", err)
	}
	if diff := cmp.Diff(map[string]string{".claude/skills/runaway-guard/SKILL.md": "changed again"}, tree(t, m.Home)); diff != "" {
		t.Errorf("half a change stays: %s", diff)
	}
}

// TestLinks: the user's own skills folder may be a link, as dot files are; a skill in
// it may not, nor may any folder of a project.
func TestLinks(t *testing.T) {
	link := func(t *testing.T, to string, at ...string) {
		t.Helper()
		path := filepath.Join(at...)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, path); err != nil {
			t.Fatal(err)
		}
	}
	t.Run("the user's folder", func(t *testing.T) {
		m := machine(t)
		write(t, "", m.Home, "dotfiles/skills/keep")
		link(t, filepath.Join(m.Home, "dotfiles/skills"), m.Home, ".claude/skills")
		install(t, m.user(), m)
		text(t, m.Home, "dotfiles/skills/runaway-guard/SKILL.md")
	})
	for name, at := range map[string]string{
		"a skill": ".claude/skills/runaway-guard", "a page": ".claude/skills/runaway-guard/SKILL.md",
		"a folder of pages": ".claude/skills/runaway-guard/references",
	} {
		t.Run(name, func(t *testing.T) {
			m := machine(t)
			write(t, "precious", m.Home, "clone/SKILL.md")
			target := filepath.Join(m.Home, "clone")
			if strings.HasSuffix(at, ".md") {
				target = filepath.Join(target, "SKILL.md")
			}
			link(t, target, m.Home, at)
			before := tree(t, m.Home)
			if _, err := Install(m.user(), true, m); err == nil || !strings.Contains(err.Error(), "by a link") {
				t.Errorf("install: %v", err)
			}
			p, err := Uninstall(m.user(), m)
			if err != nil || p.Changed() || len(p.Notes) == 0 {
				t.Errorf("uninstall: %v %v", err, p.Notes)
			}
			if got := List(m.user(), m)[1].State; got != "link" {
				t.Errorf("state: %s", got)
			}
			if diff := cmp.Diff(before, tree(t, m.Home)); diff != "" {
				t.Error(diff)
			}
		})
	}
	t.Run("out of a project", func(t *testing.T) {
		m := machine(t)
		link(t, m.Home, m.Project, ".claude")
		places := Places([]string{harness.ClaudeCode}, []string{Project}, m)
		if _, err := Install(places, true, m); err == nil || !strings.Contains(err.Error(), "link") {
			t.Errorf("install: %v", err)
		}
		if len(tree(t, m.Home)) > 0 {
			t.Error("something was written out of the project")
		}
	})
}

// TestRecord: a record says nothing of files outside its folder, whoever wrote it.
func TestRecord(t *testing.T) {
	sum := hash([]byte("x"))
	f := settings.File{Exists: true, Text: []byte(sum + "  SKILL.md\n" + sum + "  references/a b.md\r\n" +
		sum + "  ../../.bashrc\n" + sum + "  /etc/passwd\n" + sum + "  a/../../b\n" + sum + "  ..\\b\n" + sum + "  " + recordName + "\n" +
		"short  SKILL2.md\nnonsense\n\n")}
	want := map[string]string{"SKILL.md": sum, "references/a b.md": sum}
	if diff := cmp.Diff(want, parseRecord(f)); diff != "" {
		t.Error(diff)
	}
	f.Text = formatRecord(want)
	if diff := cmp.Diff(want, parseRecord(f)); diff != "" {
		t.Error(diff)
	}
}
