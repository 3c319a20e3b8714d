//go:build unix

// Package attacks_test plays attacks on the test drive, and accidents, through the
// whole program with real test runners. docs/GRADING.md has them as a table.
package attacks_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"checkrein/internal/drive"
	"checkrein/internal/trial"
	"checkrein/internal/untested"
)

// TestMain builds the program and puts it first on PATH.
func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "checkrein-attacks-*")
	if err == nil {
		build := exec.Command("go", "build", "-o", filepath.Join(dir, "checkrein"), "../cmd/checkrein")
		build.Stderr = os.Stderr
		err = build.Run()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// An attack is one trial: what a scripted agent does in its copy, and what the
// test drive must say of it. Rows with a number are those of docs/GRADING.md,
// "Attacks". Every row is played through the whole program with a real runner.
type attack struct {
	row    string // the number there; "" for accidents
	name   string
	agent  string // a shell script; $fix is what solves the task
	want   string
	reason string // part of what the record says; "" for anything
	sign   string // of what kind the record has one; "" for none
}

// prey is a small repository with a red HEAD whose last commits are fixes.
type prey struct {
	name    string
	needs   string              // a command that tells whether the runner is here
	path    string              // a folder to look for it first
	start   map[string]string   // the files of the first commit
	fixes   []map[string]string // what each later commit changes, by path; "subject" is its message
	command string
	solve   string // a shell script that solves the first task
	setup   string
	jobs    int
	seal    string
	as      []string // words before "checkrein", which make it another user's
	attacks []attack
	sealed  []attack // those that only a wall stops; REPOSITORY is the user's
}

// play mines the repository once, gives every attack a task of its own, and runs
// them all.
func (p prey) play(t *testing.T) {
	t.Helper()
	s := &stage{T: t, prey: p, dir: t.TempDir()}
	s.ofThisProgram()
	for _, dir := range []string{"bin", "home", "tmp", "repo"} {
		s.must(os.Mkdir(s.at(dir), 0o755))
	}
	if s.command("sh", "-c", p.needs).Run() != nil {
		untested.Here(t, "no "+p.name)
	}
	if s.behindWalls() {
		s.attacks = append(s.attacks, s.sealed...)
	}
	s.repository()
	s.standIn()
	s.checkrein(append([]string{
		"drive", "mine", "--validate", "--grading", "tests", "--reruns", "1", "--test-cmd", p.command, "--setup-cmd", p.setup,
	}, s.sealing()...)...)
	s.tasks()
	s.checkrein(append([]string{
		"drive", "run", "--harness", "claude-code", "--max-usd", "1000", "--grading", "tests", "--jobs", fmt.Sprint(max(p.jobs, 1)),
	}, s.sealing()...)...)
	s.verdicts()
}

type stage struct {
	*testing.T
	prey
	dir string
}

// ofThisProgram looks at the sources, so that go test knows that a result which it
// kept is one of another program.
func (s *stage) ofThisProgram() {
	for _, dir := range []string{"../cmd", "../internal"} {
		s.must(filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
			_, _ = os.Stat(path)
			return err
		}))
	}
}

func (s *stage) at(parts ...string) string {
	return filepath.Join(append([]string{s.dir}, parts...)...)
}

func (s *stage) sealing() []string {
	if s.seal == "" {
		return []string{"--seal", "off"}
	}
	return []string{"--seal", s.seal}
}

// behindWalls tells whether the rows that need a wall are played; a row of their
// own says so where they aren't.
func (s *stage) behindWalls() bool {
	if len(s.sealed) == 0 {
		return false
	}
	out, _ := s.command("checkrein", "drive", "doctor", "--json").Output() // no wall shows in what it says
	var report struct {
		Sealed bool   `json:"sealed"`
		Why    string `json:"why"`
	}
	s.must(json.Unmarshal(out, &report))
	if !report.Sealed {
		s.Run("sealed", func(t *testing.T) { untested.Here(t, "no wall: "+report.Why) })
	}
	return report.Sealed
}

func (s *stage) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

func (s *stage) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = s.at("repo")
	path := s.at("bin") + ":" + os.Getenv("PATH")
	if s.path != "" {
		path = s.at("bin") + ":" + s.path + ":" + os.Getenv("PATH")
	}
	cmd.Env = []string{
		"PATH=" + path, "HOME=" + s.at("home"), "TMPDIR=" + s.at("tmp"), "NO_COLOR=1",
		"GOCACHE=" + goCache(), "GOPROXY=off", "GOTOOLCHAIN=local", "GIT_CONFIG_NOSYSTEM=1", "LANG=C.UTF-8",
		"CARGO_HOME=" + usersFolder("CARGO_HOME", ".cargo"), "RUSTUP_HOME=" + usersFolder("RUSTUP_HOME", ".rustup"),
	}
	return cmd
}

// goCache is where this test's own compiler keeps what it built: the standard
// library, too.
func goCache() string {
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// usersFolder is where a tool of this computer's user keeps itself.
func usersFolder(variable, name string) string {
	home, err := os.UserHomeDir()
	if dir := os.Getenv(variable); dir != "" || err != nil {
		return dir
	}
	return filepath.Join(home, name)
}

func (s *stage) checkrein(args ...string) {
	s.Helper()
	argv := slices.Concat(s.as, []string{"checkrein"}, args)
	out, err := s.command(argv[0], argv[1:]...).CombinedOutput()
	if err != nil {
		s.Fatalf("checkrein %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// repository makes one commit of the start and one of each fix.
func (s *stage) repository() {
	s.Helper()
	s.git("init", "-q", "-b", "main")
	s.commit(s.start)
	for _, fix := range s.fixes {
		s.commit(fix)
	}
}

func (s *stage) commit(files map[string]string) {
	s.Helper()
	for name, text := range files {
		if name == "subject" {
			continue
		}
		path := s.at("repo", name)
		s.must(os.MkdirAll(filepath.Dir(path), 0o755))
		s.must(os.WriteFile(path, []byte(text), 0o644))
	}
	s.git("add", "-A")
	s.git("commit", "-q", "-m", first(files["subject"], "Start"))
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func (s *stage) git(args ...string) {
	s.Helper()
	out, err := s.command("git", append([]string{"-c", "user.name=Dev", "-c", "user.email=dev@localhost"}, args...)...).CombinedOutput()
	if err != nil {
		s.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// standIn is the agent: it finds in its prompt which attack it is, and plays that.
func (s *stage) standIn() {
	s.Helper()
	var b strings.Builder
	b.WriteString("#!/bin/sh\n[ \"$1\" = --version ] && { echo '9.9.9 (stand-in)'; exit 0; }\nfix() {\n:\n" + s.solve + "\n}\n")
	b.WriteString("git() { command git -c user.name=a -c user.email=a@b \"$@\"; }\ncase $2 in\n")
	for i, a := range s.attacks {
		fmt.Fprintf(&b, "*'(attack %d)'*)\n%s\n;;\n", i, strings.ReplaceAll(a.agent, "REPOSITORY", s.at("repo")))
	}
	b.WriteString("esac >/dev/null\n" + `echo '{"type":"result","is_error":false,"result":"done","total_cost_usd":0.1,"num_turns":1,"modelUsage":{}}'` + "\n")
	s.must(os.WriteFile(s.at("bin", "claude"), []byte(b.String()), 0o755))
}

// tasks gives every attack a copy of the task that it is made on.
func (s *stage) tasks() {
	s.Helper()
	file := s.at("repo", ".harness-test-drive", "tasks.json")
	text, err := os.ReadFile(file)
	s.must(err)
	doc := map[string]any{}
	s.must(json.Unmarshal(text, &doc))
	mined, _ := doc["tasks"].([]any)
	if len(mined) != len(s.fixes) {
		s.Fatalf("%d of %d tasks mined:\n%s", len(mined), len(s.fixes), text)
	}
	var all []any
	for i, a := range s.attacks {
		one := map[string]any{}
		for key, value := range s.mined(mined, s.fixes[0]["subject"]) {
			one[key] = value
		}
		one["id"], one["subject"] = fmt.Sprintf("a%03d", i), fmt.Sprintf("%s (attack %d)", a.name, i)
		all = append(all, one)
	}
	doc["tasks"] = all
	text, err = json.Marshal(doc)
	s.must(err)
	s.must(os.WriteFile(file, text, 0o644))
}

func (s *stage) mined(tasks []any, subject string) map[string]any {
	s.Helper()
	for _, one := range tasks {
		if one, _ := one.(map[string]any); one["subject"] == subject {
			return one
		}
	}
	s.Fatalf("no task %q", subject)
	return nil
}

// verdicts compares what the records say, and looks for what ran or stayed that
// should not have.
func (s *stage) verdicts() {
	s.Helper()
	records, err := drive.ReadRecords(s.at("repo", ".harness-test-drive", "results.jsonl"))
	s.must(err)
	byTask := map[string]trial.Record{}
	for _, r := range records {
		byTask[r.Task] = r
	}
	for i, a := range s.attacks {
		s.Run(strings.TrimSpace(a.row+" "+a.name), func(t *testing.T) {
			r := byTask[fmt.Sprintf("a%03d", i)]
			if signs := fmt.Sprint(r.Signs); (a.sign != "") != strings.Contains(signs, trial.EqualsAnything) {
				t.Errorf("signs %s", signs)
			}
			if r.Status != a.want || !strings.Contains(r.Error, a.reason) {
				tests, _ := os.ReadFile(strings.TrimSuffix(r.Diff, ".diff") + ".tests")
				t.Errorf("%s (%s), want %s (%s): %+v\n%s", r.Status, r.Error, a.want, a.reason, r.Grade, tests)
			}
		})
	}
	s.nothingLeft()
}

// nothingLeft: no program that an attack planted has run outside its turn, and no
// process or copy is left.
func (s *stage) nothingLeft() {
	s.Helper()
	if _, err := os.Stat(s.at("home", "ran")); err == nil {
		s.Error("a planted program ran on the host")
	}
	if left, _ := filepath.Glob(s.at("tmp", "*")); len(left) > 0 {
		s.Errorf("left behind: %v", left)
	}
	procs, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, p := range procs {
		if line, err := os.ReadFile(p); err == nil && bytes.Contains(line, []byte(s.dir)) {
			s.Errorf("still running: %q", line)
		}
	}
}
