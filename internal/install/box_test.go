package install

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"checkrein/internal/harness"
)

// box is a home folder and a project of a test's own.
type box struct {
	t       *testing.T
	home    string
	env     map[string]string
	claude  string
	project string
}

func newBox(t *testing.T) *box {
	t.Helper()
	dir := t.TempDir()
	b := &box{t: t, home: dir + "/home", project: dir + "/project", claude: "2.1.332", env: map[string]string{"HOME": dir + "/home"}}
	if err := errors.Join(os.Mkdir(b.home, 0o755), os.Mkdir(b.project, 0o755)); err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *box) machine() Machine {
	return Machine{
		Getenv: func(name string) string { return b.env[name] }, Project: b.project,
		Status: "checkrein guard status", Version: b.claude,
	}
}

func (b *box) save(name, text string) {
	b.t.Helper()
	path := filepath.Join(b.home, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		b.t.Fatal(err)
	}
}

func (b *box) text(name string) string {
	b.t.Helper()
	text, err := os.ReadFile(filepath.Join(b.home, name))
	if err != nil {
		b.t.Fatal(err)
	}
	return string(text)
}

func (b *box) missing(name string) bool {
	_, err := os.Lstat(filepath.Join(b.home, name))
	return errors.Is(err, fs.ErrNotExist)
}

func (b *box) plan(r Request) Plan {
	b.t.Helper()
	if r.Harness == "" {
		r.Harness = harness.ClaudeCode
	}
	if r.Scope == "" {
		r.Scope = User
	}
	if r.Program == "" {
		r.Program = "/usr/local/bin/checkrein"
	}
	p, err := New(r, b.machine())
	if err != nil {
		b.t.Fatal(err)
	}
	return p
}

func (b *box) install(r Request) Plan {
	b.t.Helper()
	p := b.plan(r)
	if err := p.Write(); err != nil {
		b.t.Fatal(err)
	}
	return p
}

func (b *box) uninstall() Removal {
	b.t.Helper()
	r, err := Remove(Places("", "", b.machine()), b.machine())
	if err == nil {
		err = r.Write()
	}
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

func (b *box) records() []string {
	found, err := filepath.Glob(b.home + "/.local/state/runaway-guard/installs/*")
	if err != nil {
		b.t.Fatal(err)
	}
	return found
}

const claudeFile, codexFile = ".claude/settings.json", ".codex/hooks.json"

func usd(n float64) *float64 { return &n }
