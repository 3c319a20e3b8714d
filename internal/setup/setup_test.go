package setup

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"checkrein/internal/proc"
	"checkrein/internal/untested"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == proc.SuperviseArg {
		os.Exit(proc.Supervise())
	}
	os.Exit(m.Run())
}

// install is a setup that fetches; it reads the lock file only.
const install = `mkdir -p node_modules/dep && cat lock.lock >node_modules/dep/version && echo module >node_modules/dep/index.js && ln -s dep node_modules/link`

// world makes copies and sets them up.
type world struct {
	t     *testing.T
	dir   string
	cache *Cache
	n     int
	env   []string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, dir: t.TempDir()}
	w.open()
	if !w.cache.traces(filepath.Join(w.dir, "x")) {
		untested.Here(t, "the file system does not write down when a file is read")
	}
	return w
}

// open is another process's cache in the same folder.
func (w *world) open() {
	w.t.Helper()
	w.cache.Close()
	w.cache = Open(filepath.Join(w.dir, "kept"), nil)
	w.t.Cleanup(w.cache.Close)
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// copied is a new copy with files of its own beside those that all have.
func (w *world) copied(files map[string]string) *Copy {
	w.t.Helper()
	w.n++
	p := w.cache.Copy(filepath.Join(w.dir, fmt.Sprint("copy", w.n)))
	all := map[string]string{"lock.lock": "1\n", "src/a.js": "a\n", ".git/config": "plain\n", ".git/HEAD": "x\n"}
	for name, text := range files {
		all[name] = text
	}
	for name, text := range all {
		full := filepath.Join(p.dir, name)
		w.must(errors.Join(os.MkdirAll(filepath.Dir(full), 0o755), os.WriteFile(full, []byte(text), 0o644)))
	}
	return p
}

// setUp sets a copy up and returns whether the command ran.
func (w *world) setUp(p *Copy, line string, keep Keep) (ran bool) {
	w.t.Helper()
	done, err := p.Run(w.t.Context(), proc.Command{Shell: line, Dir: p.dir, Env: append(w.env, "PATH=/usr/bin:/bin"), Kind: proc.Setup, Stdout: p.dir + ".log"}, keep)
	if err != nil || !done.OK {
		w.t.Fatalf("%s: %+v, %v", line, done, err)
	}
	return !done.Reused
}

func (w *world) holds(p *Copy, want map[string]string) {
	w.t.Helper()
	for name, text := range want {
		got, err := os.ReadFile(filepath.Join(p.dir, name))
		if err != nil || string(got) != text {
			w.t.Errorf("%s holds %q (%v), want %q", name, got, err, text)
		}
	}
}

var modules = map[string]string{"node_modules/dep/version": "1\n", "node_modules/dep/index.js": "module\n", "node_modules/link/version": "1\n"}

func TestDependenciesAreForOtherCommits(t *testing.T) {
	w := newWorld(t)
	if !w.setUp(w.copied(nil), install, ForKey) {
		t.Error("the first did not run")
	}
	w.open()
	other := w.copied(map[string]string{"src/a.js": "other\n", "src/new.js": "b\n", "tests/x": "t\n"})
	if w.setUp(other, install, ForKey) {
		t.Error("the same dependencies were installed again")
	}
	w.holds(other, modules)
	log, err := os.ReadFile(other.dir + ".log")
	if err != nil || !strings.Contains(string(log), "did not run") {
		t.Errorf("the log: %s, %v", log, err)
	}
	if got := w.cache.Counts(); got != (Counts{0, 1}) {
		t.Errorf("counted %+v", got)
	}
}

// Each of these runs the command again: in another copy, or with another command.
func TestWhatRunsAgain(t *testing.T) {
	const reads = `cat src/a.js >/dev/null; ` + install
	for name, c := range map[string]struct {
		line  string
		files map[string]string // of the second copy
		then  string            // the second command, where it is another
	}{
		"another lock file":           {line: install, files: map[string]string{"lock.lock": "2\n"}},
		"a new manifest":              {line: install, files: map[string]string{"packages/a/package.json": "{}"}},
		"a setting nobody reads":      {line: install, files: map[string]string{".npmrc": "registry=x"}},
		"another command":             {line: install, then: install + " "},
		"another source that it read": {line: reads, files: map[string]string{"src/a.js": "b\n"}},
		"a folder that it listed":     {line: `ls src >/dev/null; ` + install, files: map[string]string{"src/new.js": ""}},
		"a script that it ran":        {line: `sh setup.sh; ` + install, files: map[string]string{"setup.sh": "exit 0"}},
		"a build":                     {line: `mkdir dist; cp src/a.js dist; ` + install, files: map[string]string{"src/a.js": "b\n"}},
		"a build of unread files":     {line: `mkdir dist; ` + install, files: map[string]string{"src/other.js": "b\n"}},
		"an edited source":            {line: `echo v >src/a.js; ` + install, files: map[string]string{"src/other.js": "b\n"}},
		"a removed file":              {line: `rm src/a.js; ` + install},
		"a commit":                    {line: `echo y >.git/HEAD; ` + install},
		"the copy's path":             {line: install + `; pwd >node_modules/path`},
		"the path in a link":          {line: install + `; ln -s "$PWD/src" node_modules/src`},
		"nothing in the copy":         {line: `true`},
		"a pipe":                      {line: install + `; mkfifo node_modules/pipe`},
		"a hard link to a source":     {line: install + `; ln src/a.js node_modules/a.js`},
		"a folder where it belongs":   {line: install, files: map[string]string{"node_modules/mine": ""}},
	} {
		w := newWorld(t)
		if c.then == "" {
			c.then = c.line
		}
		if !w.setUp(w.copied(map[string]string{"setup.sh": "true"}), c.line, ForKey) {
			t.Errorf("%s: the first did not run", name)
		}
		files := map[string]string{"setup.sh": "true"}
		for name, text := range c.files {
			files[name] = text
		}
		if second := w.copied(files); !w.setUp(second, c.then, ForKey) {
			t.Errorf("%s: the second did not run", name)
		}
	}
}

// What is built from sources is for the very same tree, and only where asked for.
func TestBuildsAreForTheSameTree(t *testing.T) {
	w := newWorld(t)
	const build = `mkdir dist; cp src/a.js dist/; echo edited >src/a.js; ` + install
	w.setUp(w.copied(nil), build, ForTree)
	same := w.copied(nil)
	if w.setUp(same, build, ForTree) {
		t.Error("the same tree was built again")
	}
	w.holds(same, map[string]string{"dist/a.js": "a\n", "src/a.js": "edited\n"})
	w.holds(same, modules)
	if !w.setUp(w.copied(map[string]string{"src/b.js": ""}), build, ForTree) {
		t.Error("another tree got what was built of the first")
	}
}

func TestGitSettingsComeAlong(t *testing.T) {
	w := newWorld(t)
	const hooks = `echo hooks >>.git/config; mkdir .git/hooks; echo hook >.git/hooks/pre-commit; ` + install
	w.setUp(w.copied(nil), hooks, ForKey)
	other := w.copied(map[string]string{"src/a.js": "other\n"})
	if w.setUp(other, hooks, ForKey) {
		t.Error("it ran again")
	}
	w.holds(other, map[string]string{".git/config": "plain\nhooks\n", ".git/hooks/pre-commit": "hook\n"})
	if !w.setUp(w.copied(map[string]string{".git/config": "other\n"}), hooks, ForKey) {
		t.Error("other git settings were overwritten")
	}
}

// A copy's own files are its own: nothing that is done to them reaches the next.
func TestTamperingStaysInItsCopy(t *testing.T) {
	w := newWorld(t)
	w.setUp(w.copied(nil), install, ForKey)
	agents := w.copied(nil)
	w.setUp(agents, install, ForKey)
	out, err := exec.Command("sh", "-c", `cd "$1" && echo forged >node_modules/dep/index.js && rm node_modules/dep/version && echo x >>node_modules/new`, "sh", agents.dir).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	next := w.copied(nil)
	if w.setUp(next, install, ForKey) {
		t.Error("it ran again")
	}
	w.holds(next, modules)
	// The same copy, as it is scored: made anew, with changes. Nothing of it is kept.
	w.must(os.RemoveAll(agents.dir))
	w.n = 1 // its folder again
	patched := w.copied(map[string]string{"lock.lock": "2\n"})
	patched.Emptied()
	if !w.setUp(patched, install, Nothing) || len(w.cache.names()) != 1 {
		t.Errorf("kept %q", w.cache.names())
	}
}

// In one copy, dependencies change from one state to the other and back.
func TestACopyChangesItsDependencies(t *testing.T) {
	w := newWorld(t)
	w.setUp(w.copied(map[string]string{"lock.lock": "2\n"}), install, ForKey)
	p := w.copied(nil)
	w.setUp(p, install, ForKey)
	lock := filepath.Join(p.dir, "lock.lock")
	for _, state := range []string{"2\n", "1\n", "2\n"} {
		w.must(os.WriteFile(filepath.Join(p.dir, "node_modules/dep/.cache"), nil, 0o644)) // of a test run
		w.must(os.WriteFile(lock, []byte(state), 0o644))
		if w.setUp(p, install, Nothing) {
			t.Errorf("lock file %q: it ran again", state)
		}
		w.holds(p, map[string]string{"node_modules/dep/version": state})
		if _, err := os.Lstat(filepath.Join(p.dir, "node_modules/dep/.cache")); err == nil {
			t.Errorf("lock file %q: something is left of the dependencies before", state)
		}
	}
	w.must(os.WriteFile(lock, []byte("3\n"), 0o644))
	w.must(os.RemoveAll(filepath.Join(p.dir, "node_modules")))
	if !w.setUp(p, install, Nothing) {
		t.Error("it did not run for a new lock file")
	}
	w.must(os.RemoveAll(filepath.Join(p.dir, "node_modules")))
	w.must(os.WriteFile(lock, []byte("1\n"), 0o644))
	if !w.setUp(p, install, Nothing) {
		t.Error("a copy whose state is not known got a result")
	}
}

func TestWhatIsDamagedIsDropped(t *testing.T) {
	for name, damage := range map[string]func(dir string) error{
		"another content": func(dir string) error {
			return os.WriteFile(dir+"/files/node_modules/dep/index.js", []byte("forged\n"), 0o644)
		},
		"a missing file": func(dir string) error { return os.Remove(dir + "/files/node_modules/dep/index.js") },
		"a short list":   func(dir string) error { return os.Truncate(dir+"/list.json", 100) },
		"no list":        func(dir string) error { return os.Remove(dir + "/list.json") },
		"a forged list":  func(dir string) error { return os.WriteFile(dir+"/list.json", []byte("{}"), 0o644) },
	} {
		w := newWorld(t)
		w.setUp(w.copied(nil), install, ForKey)
		before := w.cache.names()
		w.must(damage(filepath.Join(w.cache.dir, before[0])))
		w.open()
		p := w.copied(nil)
		if !w.setUp(p, install, ForKey) {
			t.Errorf("%s: it was used", name)
		}
		w.holds(p, modules)
		next := w.copied(nil)
		if w.setUp(next, install, ForKey) || len(w.cache.names()) != 1 {
			t.Errorf("%s: nothing new was kept: %q", name, w.cache.names())
		}
		w.holds(next, modules)
	}
}

// A process that is killed between making a result and giving it its name leaves a
// folder that nobody takes for a result, and that goes when it is old.
func TestHalfAResult(t *testing.T) {
	w := newWorld(t)
	half := filepath.Join(w.cache.dir, partPrefix+"dead")
	w.must(os.MkdirAll(filepath.Join(half, "files"), 0o700))
	if !w.setUp(w.copied(nil), install, ForKey) {
		t.Error("half a result was used")
	}
	if _, err := os.Lstat(half); err != nil {
		t.Error("a folder that may be at work was removed")
	}
	old := time.Now().Add(-time.Hour)
	w.must(os.Chtimes(half, old, old))
	w.setUp(w.copied(map[string]string{"lock.lock": "2\n"}), install, ForKey)
	if _, err := os.Lstat(half); err == nil {
		t.Error("half a result stays")
	}
	if left, _ := filepath.Glob(filepath.Join(w.cache.dir, partPrefix+"*")); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}

func TestTheLatestAreKept(t *testing.T) {
	w := newWorld(t)
	for i := range maxResults + 2 {
		w.setUp(w.copied(map[string]string{"lock.lock": fmt.Sprint(i)}), install, ForKey)
		w.open() // in use it would stay
		if w.setUp(w.copied(map[string]string{"lock.lock": "0"}), install, ForKey) {
			t.Error("the one in use is gone")
		}
		w.open()
	}
	if got := len(w.cache.names()); got != maxResults {
		t.Errorf("%d are kept", got)
	}
}

// What others add to the folder while a cache is open is not used.
func TestOnlyWhatIsKnown(t *testing.T) {
	w := newWorld(t)
	first := w.cache
	w.cache = Open(first.dir, nil)
	defer w.cache.Close()
	w.setUp(w.copied(nil), install, ForKey)
	w.cache = first
	if !w.setUp(w.copied(nil), install, ForKey) {
		t.Error("a result that came later was used")
	}
}

// A setup leaves alone what a package cache has; when that goes, it must run.
func TestPackagesThatAreGone(t *testing.T) {
	w := newWorld(t)
	w.env = []string{"GOMODCACHE=" + filepath.Join(w.dir, "mod")}
	pack := filepath.Join(w.dir, "mod/example.org/a@v1")
	w.must(os.MkdirAll(pack, 0o755))
	w.setUp(w.copied(nil), install, ForKey)
	w.must(os.MkdirAll(filepath.Join(w.dir, "mod/example.org/b@v1"), 0o755))
	if w.setUp(w.copied(nil), install, ForKey) {
		t.Error("another package was reason to run")
	}
	w.must(os.Remove(pack))
	if !w.setUp(w.copied(nil), install, ForKey) {
		t.Error("it did not run, though a package is gone")
	}
}

func TestNothingIsWrittenThroughALink(t *testing.T) {
	w := newWorld(t)
	const deep = `mkdir -p packages/a/node_modules && echo x >packages/a/node_modules/x`
	w.setUp(w.copied(map[string]string{"packages/a/index.js": ""}), deep, ForKey)
	outside := filepath.Join(w.dir, "outside")
	w.must(os.Mkdir(outside, 0o755))
	p := w.copied(map[string]string{"packages/b": ""})
	w.must(os.Symlink(outside, filepath.Join(p.dir, "packages/a")))
	if !w.setUp(p, deep, Nothing) {
		t.Error("a result went through a link")
	}
}

// make and its like build anew what is older than its sources.
func TestWhatIsPlacedIsNewerThanSources(t *testing.T) {
	w := newWorld(t)
	const line = install + `; touch -d 2001-02-03 node_modules/dep/index.js`
	w.setUp(w.copied(nil), line, ForKey)
	time.Sleep(20 * time.Millisecond)
	p := w.copied(nil)
	w.setUp(p, line, ForKey)
	newer, err := exec.Command("sh", "-c", `cd "$1" && find node_modules -newer lock.lock | sort | tr '\n' ' '`, "sh", p.dir).Output()
	if err != nil || string(newer) != "node_modules node_modules/dep node_modules/dep/version node_modules/link " {
		t.Errorf("newer than the lock file: %s, %v", newer, err)
	}
	if info, err := os.Stat(filepath.Join(p.dir, "node_modules/dep/index.js")); err != nil || info.ModTime().Year() != 2001 {
		t.Errorf("a file from an archive: %v, %v", info.ModTime(), err)
	}
}

func TestAFailureIsNotKept(t *testing.T) {
	w := newWorld(t)
	p := w.copied(nil)
	done, err := p.Run(t.Context(), proc.Command{Shell: install + `; exit 1`, Dir: p.dir, Env: []string{"PATH=/usr/bin:/bin"}, Kind: proc.Setup}, ForTree)
	if err != nil || done.OK || len(w.cache.names()) != 0 {
		t.Errorf("%+v, %v, kept %q", done, err, w.cache.names())
	}
}
