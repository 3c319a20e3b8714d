package install

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"checkrein/internal/harness"
	"checkrein/internal/settings"
)

var update = flag.Bool("update", false, "write the golden reports anew")

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
		Status: "checkrein guard status", Claude: b.claude,
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

func TestRecordName(t *testing.T) {
	// printf %s /home/dev/.claude/settings.json | sha256sum
	b := newBox(t)
	p := b.plan(Request{Settings: "/home/dev/.claude/settings.json"})
	if got := filepath.Base(p.changes[0].File.Real); got != "707192a451a8e044.json" {
		t.Errorf("got %s", got)
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

func TestCap(t *testing.T) {
	const user = ".local/state/runaway-guard/runaway-guard.json"
	cases := []struct {
		name, before string
		request      Request
		env          string
		file, want   string // relative to home; "" = no file
		inForce      float64
		note         string
	}{
		{name: "new file", request: Request{Cap: usd(20)}, file: user, want: "{\n  \"spend_cap_usd\": 20\n}\n", inForce: 20},
		{
			name: "other bytes stay", before: "{\t\"warn_at\" : 0.5,\n \"spend_cap_usd\": 3}", request: Request{Cap: usd(2.5)},
			file: user, want: "{\t\"warn_at\" : 0.5,\n \"spend_cap_usd\": 2.5}", inForce: 2.5,
		},
		{name: "off", request: Request{Cap: usd(0)}, file: user, want: "{\n  \"spend_cap_usd\": 0\n}\n", inForce: 0},
		{
			name: "the environment wins", request: Request{Cap: usd(20)}, env: "7", file: user, want: "{\n  \"spend_cap_usd\": 20\n}\n",
			inForce: 7, note: "stays $7.00: RUNAWAY_GUARD_CAP_USD is set",
		},
		{
			name: "a project only tightens", request: Request{Cap: usd(50), Scope: Project}, file: "../project/.claude/runaway-guard.json",
			want: "{\n  \"spend_cap_usd\": 50\n}\n", inForce: 10, note: "stays $10.00: that is the default",
		},
		{
			name: "a project tightens", request: Request{Cap: usd(4), Scope: Project, Harness: harness.Codex},
			file: "../project/.codex/runaway-guard.json", want: "{\n  \"spend_cap_usd\": 4\n}\n", inForce: 4,
		},
		{
			name: "a project can't turn it off", request: Request{Cap: usd(0), Scope: Project}, before: `{"spend_cap_usd": 6}`,
			file: "../project/.claude/runaway-guard.json", want: "{\n  \"spend_cap_usd\": 0\n}\n", inForce: 6, note: "stays $6.00: your own file",
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			b := newBox(t)
			b.env["RUNAWAY_GUARD_CAP_USD"] = c.env
			if c.before != "" {
				b.save(user, c.before)
			}
			p := b.install(c.request)
			if diff := cmp.Diff(c.want, b.text(c.file)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.file, diff)
			}
			if p.Limits.SpendCapUSD != c.inForce {
				t.Errorf("in force: %v", p.Limits.SpendCapUSD)
			}
			if notes := strings.Join(p.Notes, "\n"); !strings.Contains(notes, c.note) || c.note == "" && strings.Contains(notes, "stays $") {
				t.Errorf("notes: %s", notes)
			}
			if again := b.plan(c.request); again.Changed() {
				t.Error("a second install changes something")
			}
		})
	}
}

// TestProjectWithOneLimitsFile: the guard reads one of two files; install
// changes that one.
func TestProjectWithOneLimitsFile(t *testing.T) {
	b := newBox(t)
	b.save("../project/.claude/runaway-guard.json", "{}")
	b.install(Request{Harness: harness.Codex, Scope: Project, Cap: usd(3)})
	if !b.missing("../project/.codex/runaway-guard.json") || !strings.Contains(b.text("../project/.claude/runaway-guard.json"), "3") {
		t.Error("the other file was written")
	}
}

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

func TestReports(t *testing.T) {
	b := newBox(t)
	b.save(claudeFile, "{\n  \"env\": {\"API_KEY\": \"sk-ant-REDACTED\"}, // `mine` \x1b[31m\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\n        \"hooks\": [\n          {\"type\": \"command\", \"command\": \"mine\"}\n        ]\n      }\n    ]\n  }\n}\n")
	b.save(codexFile, `{"hooks": {}}`)
	m := b.machine()
	claude := b.plan(Request{Cap: usd(20)})
	golden(t, "install-claude-code.md", claude.Markdown(false, m))
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
