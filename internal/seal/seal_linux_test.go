package seal

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"checkrein/internal/proc"
	"checkrein/internal/untested"
)

// TestMain makes this binary a supervisor, a driver that tests can kill, or what
// a test runs behind a wall.
func TestMain(m *testing.M) {
	switch {
	case len(os.Args) > 1 && os.Args[1] == proc.SuperviseArg:
		os.Exit(proc.SuperviseBehind(Enter))
	case os.Getenv("TEST_DIAL") != "":
		os.Exit(dial(os.Getenv("TEST_DIAL")))
	case os.Getenv("TEST_KEY") != "":
		os.Exit(readKey(os.Getenv("TEST_KEY")))
	case os.Getenv("TEST_DRIVER") != "":
		drive(os.Getenv("TEST_DRIVER"))
	}
	os.Exit(m.Run())
}

// dial says what a server says: "network address" in one string.
func dial(to string) int {
	network, address, _ := strings.Cut(to, " ")
	conn, err := net.DialTimeout(network, address, 5*time.Second)
	if err != nil {
		fmt.Println("refused:", err)
		return 1
	}
	text, _ := io.ReadAll(conn)
	fmt.Println(string(text))
	return 0
}

// drive runs a line behind a wall until someone kills this process.
func drive(dir string) {
	s := New(Options{Means: testMeans()})
	_, err := proc.Run(context.Background(), proc.Command{
		Shell: holdLock, Dir: dir, Env: []string{"PATH=/usr/bin:/bin"}, Kind: proc.Tests, Launch: s.Launch,
	})
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// world is a computer for a command: a home with secrets, a repository, a copy.
type world struct {
	t               *testing.T
	dir, home, copy string
	seal            *Seal // nil for no wall
	kind            proc.Kind
	command         proc.Command
	path            string // what comes before the system's folders on the PATH
}

// secret is what no command behind a wall may ever print.
const secret = "TOP-SECRET"

func newWorld(t *testing.T) *world {
	t.Helper()
	dir, err := os.MkdirTemp("", "seal-*")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = removeAll(dir) })
	w := &world{t: t, dir: dir, home: filepath.Join(dir, "home"), copy: filepath.Join(dir, "checkrein-copy-x"), kind: proc.Tests}
	for name, text := range map[string]string{
		"home/.ssh/id": secret, "home/.netrc": secret, "home/.git-credentials": secret, "home/.config/git/credentials": secret,
		"home/.config/gh/hosts.yml": secret, "home/.aws/credentials": secret, "home/.kube/config": secret, "home/.docker/config.json": secret,
		"home/.bash_history": secret, "home/app/src.txt": secret, "home/.npmrc": secret, "home/.codex/auth.json": "login",
		"home/.codex/sessions/1": secret, "home/.codex/config.toml": "config", "home/.codex/skills/s": "skill", "home/.cache/go-build/x": "cached", "home/.cache/pip/x": "cached",
		"home/.cargo/bin/tool": "tool", "home/.cargo/credentials.toml": secret, "state/tasks.json": secret, "checkrein-copy-y/src.txt": secret,
		"checkrein-copy-x/src.txt": "copy",
	} {
		w.write(name, text)
	}
	w.seal = New(Options{Hide: []string{filepath.Join(w.home, "app"), filepath.Join(dir, "state")}, Means: testMeans()})
	return w
}

// testMeans are how the walls of these tests are built: our own, unless
// TestOtherMeans says otherwise.
func testMeans() Means {
	program, flat := strings.CutSuffix(os.Getenv("TEST_MEANS"), " flat")
	return Means{Bubblewrap: program, Flat: flat}
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) write(name, text string) {
	w.t.Helper()
	path := filepath.Join(w.dir, name)
	w.must(os.MkdirAll(filepath.Dir(path), 0o755))
	w.must(os.WriteFile(path, []byte(text), 0o644))
}

func (w *world) read(name string) string {
	w.t.Helper()
	text, err := os.ReadFile(filepath.Join(w.dir, name))
	if err != nil && !os.IsNotExist(err) {
		w.t.Fatal(err)
	}
	return string(text)
}

// run runs a line, behind the wall if there is one, and returns its output,
// errors included.
func (w *world) run(line string) (string, proc.Result) {
	w.t.Helper()
	c := w.command
	c.Shell, c.Dir, c.Kind, c.Stdout = line, w.copy, w.kind, filepath.Join(w.dir, "out")
	c.Env = append(c.Env, "KIND="+fmt.Sprint(w.kind), "PATH="+w.path+"/usr/bin:/bin", "HOME="+w.home, "W="+w.dir, "PID="+fmt.Sprint(os.Getpid()))
	if w.seal != nil {
		c.Launch = w.seal.Launch
	}
	r, err := proc.Run(w.t.Context(), c)
	if err != nil {
		w.t.Fatalf("%s: %v", line, err)
	}
	return w.read("out"), r
}

// The same lines find the secrets where there is no wall: so the wall it is that
// hides them.
func TestWallHidesTheUsersFiles(t *testing.T) {
	lines := map[string]string{
		"the repository":    `cat "$HOME/app/src.txt"`,
		"keys":              `cat "$HOME/.ssh/id"`,
		"logins":            `cat "$HOME/.netrc"`,
		"logins to git":     `cat "$HOME/.git-credentials" "$HOME/.config/git/credentials" "$HOME/.config/gh/hosts.yml"`,
		"logins to clouds":  `cat "$HOME/.aws/credentials" "$HOME/.kube/config" "$HOME/.docker/config.json"`,
		"the shell's past":  `cat "$HOME/.bash_history"`,
		"registry logins":   `cat "$HOME/.npmrc"`,
		"beside a cache":    `cat "$HOME/.cargo/credentials.toml"`,
		"sessions":          `cat "$HOME/.codex/sessions/1"`,
		"the state folder":  `cat "$W/state/tasks.json"`,
		"another copy":      `cat "$W/checkrein-copy-y/src.txt" ../checkrein-copy-y/src.txt`,
		"all of the folder": `grep -rs . "$W"`,
	}
	for name, line := range lines {
		w := newWorld(t)
		for _, kind := range []proc.Kind{proc.Tests, proc.Agent} {
			w.kind = kind
			if out, _ := w.run(line); strings.Contains(out, secret) {
				t.Errorf("%s, kind %d: %s", name, kind, out)
			}
		}
		w.seal = nil
		if out, _ := w.run(line); !strings.Contains(out, secret) {
			t.Errorf("%s: without a wall, it can't be read either: %s", name, out)
		}
	}
}

func scan(text string, to *int) error {
	_, err := fmt.Sscan(text, to)
	return err
}

// What is hidden is hidden, too, where it lies in a folder that is shown.
func TestWallHidesARepositoryInAToolchain(t *testing.T) {
	w := newWorld(t)
	w.write("tools/lib/x", "tool")
	w.write("tools/bin/app/src.txt", secret)
	w.command.Env = []string{"MY_TOOLS=" + filepath.Join(w.dir, "tools/bin")}
	line := `cat "$W/tools/lib/x"; cat "$W/tools/bin/app/src.txt"`
	if out, _ := w.run(line); !strings.Contains(out, "tool") || !strings.Contains(out, secret) {
		t.Errorf("a toolchain that a variable names: %s", out)
	}
	w.seal.Hide = append(w.seal.Hide, filepath.Join(w.dir, "tools/bin/app"))
	if out, _ := w.run(line); !strings.Contains(out, "tool") || strings.Contains(out, secret) {
		t.Errorf("hidden: %s", out)
	}
}

// Toolchains are often reached by links, and lead on by relative ones.
func TestWallFollowsLinks(t *testing.T) {
	w := newWorld(t)
	w.write("real/v1/lib/main", "tool")
	w.must(os.MkdirAll(filepath.Join(w.dir, "real/v1/bin"), 0o755))
	w.must(os.Symlink("../lib/main", filepath.Join(w.dir, "real/v1/bin/tool")))
	w.must(os.Symlink("v1", filepath.Join(w.dir, "real/current")))
	w.must(os.Symlink(filepath.Join(w.dir, "real"), filepath.Join(w.dir, "tools")))
	w.write("home/app/tools/src.txt", secret)
	w.must(os.Symlink(filepath.Join(w.home, "app/tools"), filepath.Join(w.home, ".pyenv")))
	w.command.Env = []string{"TOOLS=" + filepath.Join(w.dir, "tools/current/bin")}
	if out, r := w.run(`cat "$TOOLS/tool" && ls "$W"`); !r.OK() || !strings.HasPrefix(out, "tool") || strings.Contains(out, "state") {
		t.Errorf("%s", out)
	}
	if out, _ := w.run(`cat "$HOME/.pyenv/src.txt"`); strings.Contains(out, secret) {
		t.Errorf("a link into the repository: %s", out)
	}
}

// poetry's installer puts a link into ~/.local/bin, npm one into node_modules/.bin:
// neither program was found behind the wall.
func TestWallShowsWhatProgramsAreLinksTo(t *testing.T) {
	w := newWorld(t)
	for place, link := range map[string]string{"home/.local/share/pypoetry/venv/bin/tool": "home/.local/bin/py", "home/x/node_modules/tool/cli": "home/x/node_modules/.bin/js", "home/y/bin/tool": "home/.local/bin/own"} {
		w.write(place, "#!/bin/sh\ncat \"$(dirname \"$(readlink -f \"$0\")\")/../"+map[bool]string{true: "tool/", false: ""}[strings.HasSuffix(place, "cli")]+"data\"\n")
		w.must(os.Chmod(filepath.Join(w.dir, place), 0o755))
		w.must(os.MkdirAll(filepath.Dir(filepath.Join(w.dir, link)), 0o755))
		w.must(os.Symlink(filepath.Join(w.dir, place), filepath.Join(w.dir, link)))
	}
	for name, text := range map[string]string{"home/.local/share/pypoetry/venv/pyvenv.cfg": "", "home/.local/share/pypoetry/venv/data": "of poetry", "home/x/node_modules/tool/data": "of npm", "home/y/data": secret} {
		w.write(name, text)
	}
	w.path = filepath.Join(w.home, ".local/bin") + ":" + filepath.Join(w.home, "x/node_modules/.bin") + ":"
	if out, _ := w.run("py; js; own"); !strings.Contains(out, "of poetry") || !strings.Contains(out, "of npm") || strings.Contains(out, secret) || strings.Contains(out, "not found") {
		t.Errorf("%s", out)
	}
}

func TestWallHidesProcesses(t *testing.T) {
	w := newWorld(t)
	const line = `kill -0 $PID && echo TOP-SECRET`
	if out, _ := w.run(line); strings.Contains(out, secret) {
		t.Errorf("it can signal the test: %s", out)
	}
	count := 0
	if out, _ := w.run(`ls /proc | grep -c '^[0-9]'`); scan(out, &count) != nil || count < 2 || count > 6 {
		t.Errorf("it sees %s processes", out)
	}
	for _, line := range []string{"cat /proc/1/environ", "readlink /proc/1/root", "ls /proc/1/cwd/", "readlink /proc/1/fd/4", "cat /proc/1/maps"} {
		if out, r := w.run(line); r.OK() {
			t.Errorf("%s: %s", line, out)
		}
	}
	w.seal = nil
	if out, _ := w.run(line); !strings.Contains(out, secret) {
		t.Errorf("without a wall: %s", out)
	}
}

func TestWallKeepsToolchainsAsTheyAre(t *testing.T) {
	w := newWorld(t)
	for _, line := range []string{
		`test "$KIND" != 3 && echo x >"$HOME/.cargo/bin/tool"`, `test "$KIND" != 3 && rm "$HOME/.cargo/bin/tool"`, `echo x >/usr/checkrein-test`, `echo x >/etc/checkrein-test`, `mkdir /new-folder`,
		`mount -o remount,rw / && mkdir /new-folder`, `mount -o remount,bind,rw "$HOME/.cargo/bin" && echo x >"$HOME/.cargo/bin/tool"`,
		`unshare -Urm sh -c 'mount -o remount,bind,rw "$HOME/.cargo/bin" && echo x >"$HOME/.cargo/bin/tool"'`,
		`unshare -Urm sh -c 'umount "$HOME/.cargo/bin" && test -e "$HOME/.cargo/bin/tool"'`,
		`echo 1 >/proc/sys/vm/drop_caches`,
	} {
		for _, w.kind = range []proc.Kind{proc.Tests, proc.Agent, proc.Setup} {
			if out, r := w.run(line); r.OK() {
				t.Errorf("kind %d: %s: %s", w.kind, line, out)
			}
		}
	}
	w.kind = proc.Setup
	w.run(`rm "$HOME/.cargo/bin/tool"`)
	if text := w.read("home/.cargo/bin/tool"); text != "tool" {
		t.Errorf("the tool is %q", text)
	}
}

func TestWallLetsACommandWork(t *testing.T) {
	w := newWorld(t)
	for _, line := range []string{
		`test "$(pwd)" = /repo && test "$PWD" = /repo && test "$(cat src.txt)" = copy && echo new >new.txt`,
		`echo x >"$HOME/x" && echo x >/tmp/x && echo x >/var/tmp/x && echo x >/dev/shm/x && echo x >/dev/null && test "$TMPDIR" = /tmp && test -k /tmp`,
		`head -c 1 /dev/urandom >/dev/null && echo x >/dev/stdout && echo x >/dev/stderr && test ! -s /dev/stdin`,
		`test "$("$HOME/.cargo/bin/tool" 2>/dev/null || cat "$HOME/.cargo/bin/tool")" = tool && mkdir d && mv src.txt d/ && ln d/src.txt src.txt`,
		`sh -c 'kill $$'; test $? = 143 && sleep 600 & kill $! && true`,
	} {
		for _, w.kind = range []proc.Kind{proc.Tests, proc.Agent, proc.Setup} {
			w.must(removeAll(filepath.Join(w.copy, "d")))
			w.write("checkrein-copy-x/src.txt", "copy")
			if out, r := w.run(line); !r.OK() {
				t.Errorf("kind %d: %s: %s", w.kind, line, out)
			}
		}
	}
	if text := w.read("checkrein-copy-x/new.txt"); text != "new\n" {
		t.Errorf("new.txt is %q", text)
	}
}

// A shim of pyenv starts what lies beside the folder of shims, which need not be
// in the home of this command.
func TestWallShowsWhatShimsStart(t *testing.T) {
	w := newWorld(t)
	for _, place := range []string{"manager/shims", "manager/versions/1/bin", "project/shims", "project/src"} {
		w.must(os.MkdirAll(filepath.Join(w.dir, place), 0o755))
	}
	for name, text := range map[string]string{
		"manager/shims/tool": "exec \"$W/manager/versions/1/bin/tool\"\n", "manager/versions/1/bin/tool": "echo started\n", "project/src/x": secret,
	} {
		w.write(name, "#!/bin/sh\n"+text)
		w.must(os.Chmod(filepath.Join(w.dir, name), 0o755))
	}
	w.command.Env = []string{"TOOLS=" + filepath.Join(w.dir, "manager/shims") + ":" + filepath.Join(w.dir, "project/shims")}
	if out, r := w.run(`"$W/manager/shims/tool"; cat "$W/project/src/x"`); !strings.Contains(out, "started") || strings.Contains(out, secret) || r.OK() {
		t.Errorf("%+v: %s", r, out)
	}
}

// serve answers everyone who connects, until the test ends.
func (w *world) serve(network, address string) net.Addr {
	w.t.Helper()
	l, err := net.Listen(network, address)
	w.must(err)
	w.t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = conn.Write([]byte(secret))
			conn.Close()
		}
	}()
	return l.Addr()
}

// dial lets a command of a kind connect to a server of the host.
func (w *world) dial(kind proc.Kind, network, address string, env ...string) bool {
	w.t.Helper()
	exe, err := os.Executable()
	w.must(err)
	w.kind = kind
	w.command = proc.Command{Env: append(env, "TEST_DIAL="+network+" "+address), Needs: []string{exe}}
	out, r := w.run(exe)
	w.command = proc.Command{}
	if r.OK() != strings.Contains(out, secret) {
		w.t.Fatalf("%s: %v, %s", address, r, out)
	}
	return r.OK()
}

func TestWallAndTheNetwork(t *testing.T) {
	w := newWorld(t)
	address := w.serve("tcp", "127.0.0.1:0").String()
	for kind, want := range map[proc.Kind]bool{proc.Tests: false, proc.Setup: true, proc.Agent: true} {
		if got := w.dial(kind, "tcp", address); got != want {
			t.Errorf("kind %d connects: %v, want %v", kind, got, want)
		}
	}
	w.seal.Network = true
	if !w.dial(proc.Tests, "tcp", address) {
		t.Error("tests with network have none")
	}
}

func TestWallAndSockets(t *testing.T) {
	w := newWorld(t)
	abstract := "@" + filepath.Base(w.dir)
	w.serve("unix", abstract)
	file := filepath.Join(w.dir, "docker.sock")
	if os.Geteuid() == 0 {
		file = "/run/" + filepath.Base(w.dir) + ".sock"
	}
	w.serve("unix", file)
	for _, kind := range []proc.Kind{proc.Tests, proc.Setup, proc.Agent} {
		if w.dial(kind, "unix", file) {
			t.Errorf("kind %d reaches %s", kind, file)
		}
		if landlock() >= scopesFrom && w.dial(kind, "unix", abstract) {
			t.Errorf("kind %d reaches an abstract socket", kind)
		}
	}
	w.seal = nil
	if !w.dial(proc.Tests, "unix", file) || !w.dial(proc.Tests, "unix", abstract) {
		t.Error("without a wall, they can't be reached either")
	}
}

func TestWallAndTheAgentsOwn(t *testing.T) {
	w := newWorld(t)
	w.command.Own = []proc.Own{
		{Path: filepath.Join(w.home, ".codex/auth.json"), Write: true},
		{Path: filepath.Join(w.home, ".codex/config.toml")},
		{Path: filepath.Join(w.home, ".codex/skills")},
		{Path: filepath.Join(w.home, ".codex/none")},
	}
	w.kind = proc.Agent
	out, _ := w.run(`cd "$HOME/.codex"; cat auth.json config.toml skills/s; ls; printf renewed >auth.json; echo mine >config.toml; cat config.toml; echo x >skills/s; echo x >x`)
	if !strings.HasPrefix(out, "loginconfigskillauth.json\nconfig.toml\nskills\nmine\n") {
		t.Errorf("%q", out)
	}
	if got := w.read("home/.codex/auth.json") + w.read("home/.codex/config.toml") + w.read("home/.codex/skills/s") + w.read("home/.codex/x"); got != "renewedconfigskill" {
		t.Errorf("the user's own files: %q", got)
	}
}

// Logins to package registries are for setup, which downloads.
func TestWallAndRegistryLogins(t *testing.T) {
	w := newWorld(t)
	w.command.Env = []string{"npm_config__authToken=" + secret, "PIP_INDEX_URL=https://me:" + secret + "@r", "BUNDLE_GEMS__R=" + secret}
	for kind, want := range map[proc.Kind]int{proc.Tests: 0, proc.Setup: 4, proc.Agent: 3} {
		w.kind = kind
		if out, _ := w.run(`env; cat "$HOME/.npmrc"`); strings.Count(out, secret) != want {
			t.Errorf("kind %d: %s", kind, out)
		}
	}
}

// Where there is no network, npm must not start the search for a newer npm that a
// fresh home brings each time.
func TestNpmLooksForUpdatesOnlyWithANetwork(t *testing.T) {
	w := newWorld(t)
	w.command.Env = []string{"npm_config_update_notifier=true"}
	for kind, want := range map[proc.Kind]string{proc.Tests: "false\n", proc.Setup: "true\n", proc.Agent: "true\n"} {
		w.kind = kind
		if out, _ := w.run(`env | sed -n s/npm_config_update_notifier=//p`); out != want {
			t.Errorf("kind %d: %q, want %q", kind, out, want)
		}
	}
}

// A command without a copy is one that is asked for its version.
func TestWallWithoutACopy(t *testing.T) {
	w := newWorld(t)
	w.copy = "/"
	if out, r := w.run(`pwd; echo x >"$HOME/x"; echo x >/tmp/x; cat "$HOME/x" "$W/home/app/src.txt"`); r.OK() || !strings.HasPrefix(out, "/\nx\ncat: ") {
		t.Errorf("%+v %q", r, out)
	}
}

// TestOrdinaryUser is all of the above as somebody who is not root.
func TestOrdinaryUser(t *testing.T) {
	if os.Geteuid() != 0 {
		untested.Here(t, "only root can become another user")
	}
	asOrdinary(t, everything, "")
}
