package checkrein_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"checkrein/internal/caller"
	"checkrein/internal/caller/ps"
	"checkrein/internal/harness/registry"
	"checkrein/internal/untested"
)

// TestManual runs every command of the manual. A block marked "console" holds
// commands after "$ " and what they print; "..." stands for any text in a line
// and, alone on a line, for any lines. The blocks of one page run in their
// order, in one home folder of their own.
func TestManual(t *testing.T) {
	pages, err := filepath.Glob("docs/*.md")
	if err != nil || len(pages) < 4 {
		t.Fatalf("pages: %v %v", pages, err)
	}
	program := buildForManual(t)
	t.Cleanup(func() {
		if !t.Failed() { // else the homes tell what went wrong
			_ = os.RemoveAll(manualRoot(t))
		}
	})
	found := 0
	for _, page := range append(pages, "README.md") {
		t.Run(filepath.Base(page), func(t *testing.T) {
			home := newManualHome(t, page, program)
			commands := manualCommands(t, page)
			found += len(commands)
			for _, c := range commands {
				home.check(t, c)
			}
		})
	}
	if found < 10 {
		t.Errorf("only %d commands found", found)
	}
}

// TestReadmeShellBlocks: a block marked "sh" holds commands that would start
// this test anew, so they are no part of it; .ci/run, which is "make check", has
// a line for each.
func TestReadmeShellBlocks(t *testing.T) {
	ci, err := os.ReadFile(".ci/run")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, page := range []string{"README.md", "CONTRIBUTING.md"} {
		for _, b := range fences(t, page) {
			if b.language != "sh" {
				continue
			}
			for line := range strings.Lines(b.text) {
				command, _, _ := strings.Cut(line, " #")
				found++
				command = strings.TrimSpace(command)
				if command != "" && command != "make check" && !strings.Contains(string(ci), command+"\n") {
					t.Errorf("%s:%d: .ci/run does not run %q", page, b.line, command)
				}
			}
		}
	}
	if found == 0 {
		t.Error("no commands found")
	}
}

// TestManualLinks: a link to a file of ours names one that is there.
func TestManualLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#]+)(#[^)]*)?\)`)
	pages, _ := filepath.Glob("docs/*.md")
	tops, _ := filepath.Glob("*.md")
	for _, page := range append(pages, tops...) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), m[1])); err != nil {
				t.Errorf("%s links to %s: %v", page, m[1], err)
			}
		}
	}
}

// TestManualFiles: a Go file that the manual names is there, by its whole path or
// the end of it.
func TestManualFiles(t *testing.T) {
	all, err := source()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range all {
		for name := range p.files {
			names = append(names, "/"+filepath.ToSlash(name))
		}
		for name := range p.tests {
			names = append(names, "/"+filepath.ToSlash(name))
		}
	}
	file := regexp.MustCompile("`([\\w/]+\\.go)`")
	pages, _ := filepath.Glob("docs/*.md")
	found := 0
	for _, page := range append(pages, "README.md", "CONTRIBUTING.md", "AGENTS.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range file.FindAllStringSubmatch(string(text), -1) {
			found++
			if !slices.ContainsFunc(names, func(name string) bool { return strings.HasSuffix(name, "/"+m[1]) }) {
				t.Errorf("%s names %s, which is not there", page, m[1])
			}
		}
	}
	if found < 20 {
		t.Errorf("only %d files found", found)
	}
}

// fence is one code block of a page.
type fence struct {
	language, text string
	line           int // of its first line
}

func fences(t *testing.T, page string) (all []fence) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var open *fence
	n, end := 0, ""
	for line := range strings.Lines(string(text)) {
		n++
		line := strings.TrimRight(line, "\n")
		language := strings.TrimLeft(line, "`")
		mark := line[:len(line)-len(language)]
		unseen, isUnseen := strings.CutPrefix(line, "<!-- $ ")
		switch {
		case open == nil && isUnseen: // what readers must not copy: it makes the files that the page is about
			all = append(all, fence{"console", "$ " + strings.TrimSuffix(unseen, " -->") + "\n", n})
		case open == nil && len(mark) >= 3: // one of four marks may hold one of three
			all = append(all, fence{language: language, line: n + 1})
			open, end = &all[len(all)-1], mark
		case open != nil && line == end:
			open = nil
		case open != nil:
			open.text += line + "\n"
		}
	}
	if open != nil {
		t.Fatalf("%s:%d: this block has no end", page, open.line)
	}
	return all
}

// manualCommand is a command and what it should print.
type manualCommand struct {
	where, command string
	want           []string
}

func manualCommands(t *testing.T, page string) (all []manualCommand) {
	t.Helper()
	for _, b := range fences(t, page) {
		if b.language != "console" {
			continue
		}
		n := b.line - 1
		more := false // the command goes on in this line
		for line := range strings.Lines(b.text) {
			n++
			line = strings.TrimRight(line, "\n")
			command, starts := strings.CutPrefix(line, "$ ")
			switch {
			case starts:
				all = append(all, manualCommand{where: fmt.Sprintf("%s:%d", page, n), command: command})
			case len(all) == 0:
				t.Fatalf("%s:%d: output before any command", page, n)
			case more:
				all[len(all)-1].command += "\n" + strings.TrimPrefix(line, "> ")
			default:
				last := &all[len(all)-1]
				last.want = append(last.want, line)
			}
			more = (starts || more) && strings.HasSuffix(line, `\`)
		}
	}
	return all
}

// manualHome is where the commands of one page run.
type manualHome struct{ home, project, path string }

// manualRoot lies inside the checkout, or, where that is in a temporary folder,
// in the user's cache: the guard refuses to be installed from where programs
// don't last.
func manualRoot(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs(".build/manual")
	if err != nil {
		t.Fatal(err)
	}
	for _, temporary := range []string{os.TempDir(), "/tmp", "/var/tmp", "/private/tmp", "/private/var", "/dev/shm"} {
		if strings.HasPrefix(root, temporary+string(filepath.Separator)) {
			cache, err := os.UserCacheDir()
			if err != nil {
				t.Fatal(err)
			}
			return filepath.Join(cache, "checkrein", "manual")
		}
	}
	return root
}

func buildForManual(t *testing.T) string {
	t.Helper()
	program := filepath.Join(manualRoot(t), "bin", "checkrein")
	if out, err := exec.Command("go", "build", "-o", program, "./cmd/checkrein").CombinedOutput(); err != nil {
		t.Fatalf("building checkrein: %v\n%s", err, out)
	}
	return program
}

func newManualHome(t *testing.T, page, program string) manualHome {
	t.Helper()
	home := filepath.Join(manualRoot(t), strings.TrimSuffix(filepath.Base(page), ".md"))
	if err := os.RemoveAll(home); err != nil {
		t.Fatal(err)
	}
	h := manualHome{home: home, project: filepath.Join(home, "project"), path: filepath.Join(home, "go", "bin")}
	for _, dir := range []string{h.project, h.path, filepath.Join(home, "tmp")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Link(program, filepath.Join(h.path, "checkrein")); err != nil {
		t.Fatal(err)
	}
	return h
}

func (h manualHome) environ() []string {
	return []string{
		"HOME=" + h.home, "PATH=" + h.path + ":/usr/local/bin:/usr/bin:/bin", "TERM=dumb", "LC_ALL=C",
		"TMPDIR=" + filepath.Join(h.home, "tmp"), "GIT_CONFIG_GLOBAL=/dev/null",
	}
}

func (h manualHome) check(t *testing.T, c manualCommand) {
	t.Helper()
	cmd := exec.Command("sh", "-c", c.command)
	cmd.Dir, cmd.Env = h.project, h.environ()
	out, err := cmd.CombinedOutput()
	got := strings.ReplaceAll(strings.TrimRight(string(out), "\n"), h.home, "/home/dev")
	if belowAgent() && strings.Contains(got, refusal) && !strings.Contains(strings.Join(c.want, "\n"), refusal) {
		untested.Here(t, fmt.Sprintf("%s: $ %s: only a user may run it, and an agent runs this test: what follows on this page is not checked", c.where, c.command))
	}
	if err != nil { // a command that fails on purpose says so: "…; echo $?"
		t.Errorf("%s: $ %s: %v\n%s", c.where, c.command, err, got)
		return
	}
	if lines := strings.Split(got, "\n"); !matches(c.want, lines) && (got != "" || len(c.want) > 0) {
		t.Errorf("%s: $ %s\nprints:\n%s\nthe manual says:\n%s", c.where, c.command, got, strings.Join(c.want, "\n"))
	}
}

// refusal is how commands begin to refuse that an agent must not run.
const refusal = "this runs inside a session of "

// belowAgent tells whether an agent runs this test, as far as its processes tell:
// the commands see no variables of it.
func belowAgent() bool {
	_, below := caller.Agent(registry.Traits(), func(string) string { return "" }, ps.Processes(), os.Getpid())
	return below
}

// matches compares lines with a pattern in which "..." stands for any.
func matches(pattern, lines []string) bool {
	if len(pattern) == 0 {
		return len(lines) == 0
	}
	if strings.TrimSpace(pattern[0]) == "..." {
		return slices.ContainsFunc(upTo(len(lines)), func(n int) bool { return matches(pattern[1:], lines[n:]) })
	}
	return len(lines) > 0 && matchesLine(pattern[0], lines[0]) && matches(pattern[1:], lines[1:])
}

func upTo(n int) []int {
	all := make([]int, n+1)
	for i := range all {
		all[i] = i
	}
	return all
}

func matchesLine(pattern, line string) bool {
	parts := strings.Split(pattern, "...")
	for i, part := range parts {
		parts[i] = regexp.QuoteMeta(strings.TrimRight(part, " "))
	}
	return regexp.MustCompile("^" + strings.Join(parts, ".*") + " *$").MatchString(line)
}

func TestMatches(t *testing.T) {
	for _, c := range []struct {
		pattern, lines []string
		want           bool
	}{
		{[]string{"a", "b"}, []string{"a", "b"}, true},
		{[]string{"a", "b"}, []string{"a", "c"}, false},
		{[]string{"a"}, []string{"a", "b"}, false},
		{[]string{"a", "...", "z"}, []string{"a", "b", "c", "z"}, true},
		{[]string{"a", "...", "z"}, []string{"a", "z"}, true},
		{[]string{"a", "..."}, []string{"b"}, false},
		{[]string{"spent $... of $10"}, []string{"spent $3.10 of $10"}, true},
		{[]string{"spent $... of $10"}, []string{"spent $3.10 of $20"}, false},
		{[]string{"a.c"}, []string{"abc"}, false},
	} {
		if got := matches(c.pattern, c.lines); got != c.want {
			t.Errorf("matches(%q, %q) = %v", c.pattern, c.lines, got)
		}
	}
}
