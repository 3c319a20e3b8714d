package repo

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// grow adds commits of every kind of change to a repository: files, folders and
// links in each other's place, modes, submodules, merges, commits that change
// nothing. It returns how many touch a submodule.
func (h *history) grow(r *rand.Rand, commits int, submodules bool) (modules int) {
	h.t.Helper()
	names := []string{"a", "a.b", "a-b", "a/b", "a/b/c", "a0", "A", "ab", "d/e/f/g", "d/e", "d.e/x", "ä/ö", "\xff\xfe", "sp ace", "q\"uo\\te", "new\nline", "run.sh"}
	var in bytes.Buffer
	for i := range commits {
		h.seconds++
		fmt.Fprintf(&in, "commit refs/heads/main\nmark :%d\ncommitter D <d@localhost> %d +0000\ndata 1\nx\n", h.seconds, 1_760_000_000+h.seconds)
		if i == 0 && h.seconds > commits {
			in.WriteString("from refs/heads/main^0\n")
		}
		if i > 5 && r.IntN(8) == 0 {
			fmt.Fprintf(&in, "merge :%d\n", h.seconds-1-r.IntN(4))
		}
		module := false
		for range r.IntN(5) {
			name := quoted(names[r.IntN(len(names))])
			switch op := r.IntN(10); {
			case op == 0:
				fmt.Fprintf(&in, "D %s\n", name)
			case op == 1 && submodules:
				module = true
				fmt.Fprintf(&in, "M 160000 %040x %s\n", 1+r.IntN(3), name)
			default:
				text := strings.Repeat("a line\n", r.IntN(30)) + strings.Repeat(fmt.Sprintf("line %d\n", r.IntN(5)), r.IntN(20)) + strings.Repeat("the end\n", r.IntN(30))
				mode := []string{"100644", "100755", "120000"}[max(0, r.IntN(6)-3)]
				fmt.Fprintf(&in, "M %s inline %s\ndata %d\n%s\n", mode, name, len(text), text)
			}
		}
		if module {
			modules++
		}
	}
	cmd := exec.Command("git", "-C", h.dir, "fast-import", "--quiet", "--force")
	cmd.Stdin = &in
	if out, err := cmd.CombinedOutput(); err != nil {
		h.t.Fatalf("git fast-import: %v\n%s", err, out)
	}
	return modules
}

// quoted spells a path for fast-import.
func quoted(path string) string {
	var out strings.Builder
	for _, b := range []byte(path) {
		fmt.Fprintf(&out, "\\%03o", b)
	}
	return `"` + out.String() + `"`
}

// unpack makes every object of the packs a loose one.
func (h *history) unpack() {
	packs, _ := filepath.Glob(filepath.Join(h.dir, ".git", "objects", "pack", "*.pack"))
	for _, path := range packs {
		data, err := os.ReadFile(path)
		for _, old := range []string{path, strings.TrimSuffix(path, "pack") + "idx"} {
			if err == nil {
				err = os.Remove(old)
			}
		}
		cmd := exec.Command("git", "-C", h.dir, "unpack-objects", "-q")
		cmd.Stdin = bytes.NewReader(data)
		if err == nil {
			err = cmd.Run()
		}
		if err != nil {
			h.t.Fatal(err)
		}
	}
}

// judged is what a history says: changes, what is damaged, what is long.
type judged struct {
	Commits []Commit
	Long    map[int]map[string]bool
	Err     string
}

// ways are the ways to read a history.
type way int

const (
	byGit way = iota
	afterwards
	ahead // while git lists it
)

// judgeAll reads a history in one of the ways, and returns how many commits can't
// be read without git.
func judgeAll(t *testing.T, dir string, how way) (j judged, left int) {
	t.Helper()
	r, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if how == byGit {
		r.direct.once.Do(func() {})
	}
	list := r.History
	if how == ahead {
		list = func(ctx context.Context, since string) ([]Commit, error) {
			return r.ReadHistory(ctx, since, Ahead{Known: func(id string) bool { return id[0] == '7' }, Files: 3, Lines: 3})
		}
	}
	if j.Commits, err = list(t.Context(), "2000-01-01"); err != nil {
		return judged{Err: "history"}, 0
	}
	if err := r.Changes(t.Context(), j.Commits); err != nil {
		return judged{Err: "changes"}, 0
	}
	j.Long = map[int]map[string]bool{}
	for _, limit := range []int{3, 40} {
		if j.Long[limit], err = r.LongerThan(t.Context(), j.Commits, limit); err != nil {
			return judged{Err: "lines"}, 0
		}
	}
	again, err := r.History(t.Context(), "2000-01-01")
	if err != nil {
		t.Fatal(err)
	}
	undone, err := r.changesDirectly(t.Context(), again)
	if err != nil {
		t.Fatal(err)
	}
	for i := range j.Commits {
		if len(j.Commits[i].Changes) == 0 {
			j.Commits[i].Changes = nil
		}
	}
	return j, len(undone)
}

// sameAsGit compares both ways to read a history; it returns how many commits were
// left to git.
func sameAsGit(t *testing.T, dir string) (left, commits int) {
	t.Helper()
	want, _ := judgeAll(t, dir, byGit)
	for _, how := range []way{afterwards, ahead} {
		var got judged
		got, left = judgeAll(t, dir, how)
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(Commit{}, Change{}, contentID{}), cmpopts.IgnoreFields(Commit{}, "read", "bounds")); diff != "" {
			t.Errorf("the history read in way %d differs from git's (-git +ours):\n%s", how, diff)
		}
	}
	return left, len(want.Commits)
}

func TestHistoryWithoutGitIsGits(t *testing.T) {
	for seed, tt := range []struct {
		name string
		lay  func(h *history, r *rand.Rand)
	}{
		{"one pack", func(*history, *rand.Rand) {}},
		{"loose", func(h *history, _ *rand.Rand) { h.unpack() }},
		{"deep deltas", func(h *history, _ *rand.Rand) { h.git("repack", "-adfq", "--depth=250", "--window=50") }},
		{"bases by name", func(h *history, _ *rand.Rand) { h.git("-c", "repack.useDeltaBaseOffset=false", "repack", "-adfq") }},
		{"several packs and loose ones", func(h *history, r *rand.Rand) {
			h.grow(r, 20, true)
			h.git("repack", "-dq")
			h.grow(r, 20, true)
			h.git("checkout", "-q", "-f", "main")
			h.commit("loose", map[string]string{"loose.py": "1\n"})
		}},
		{"many packs in one index", func(h *history, r *rand.Rand) {
			h.grow(r, 20, false)
			h.git("multi-pack-index", "write")
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := newHistory(t)
			r := rand.New(rand.NewPCG(uint64(seed), 1))
			h.git("config", "fastimport.unpackLimit", "1")
			h.grow(r, 40, true)
			tt.lay(h, r)
			left, commits := sameAsGit(t, h.dir)
			if left > commits/2 || left == 0 { // some touch submodules
				t.Errorf("%d of %d commits were left to git", left, commits)
			}
		})
	}
}

// TestGitTakesOver breaks a repository, or makes it one of a kind that only git
// reads. What git then says counts.
func TestGitTakesOver(t *testing.T) {
	const all = 1 << 20
	objects := func(h *history, glob string) []string {
		found, err := filepath.Glob(strings.ReplaceAll(filepath.Join(h.dir, ".git", "objects", glob), "'", "?"))
		if err != nil || len(found) == 0 {
			h.t.Fatalf("%v: no %s", err, glob)
		}
		return found
	}
	change := func(h *history, glob string, do func([]byte) []byte) {
		path := objects(h, glob)[0]
		data, err := os.ReadFile(path)
		if err == nil {
			err = os.Chmod(path, 0o600)
		}
		if err == nil {
			err = os.WriteFile(path, do(data), 0o600)
		}
		if err != nil {
			h.t.Fatal(err)
		}
	}
	flip := func(share float64) func(*history) {
		return func(h *history) {
			change(h, "pack/*.pack", func(data []byte) []byte {
				data[int(share*float64(len(data)))] ^= 0x55
				return data
			})
		}
	}
	tests := []struct {
		name string
		left int // commits that git must read, at least; 0 where that depends
		do   func(h *history)
	}{
		{"damaged early", 0, flip(0.3)},
		{"damaged late", 0, flip(0.6)},
		{"damaged at the end", 0, flip(0.9)},
		{"pack cut short", all, func(h *history) { change(h, "pack/*.pack", func(data []byte) []byte { return data[:len(data)/2] }) }},
		{"index cut short", all, func(h *history) { change(h, "pack/*.idx", func(data []byte) []byte { return data[:len(data)-30] }) }},
		{"old index", all, func(h *history) {
			pack := objects(h, "pack/*.pack")[0]
			h.git("index-pack", "--index-version=1", "-o", strings.TrimSuffix(pack, "pack")+"new", pack)
			if err := os.Rename(strings.TrimSuffix(pack, "pack")+"new", strings.TrimSuffix(pack, "pack")+"idx"); err != nil {
				t.Fatal(err)
			}
		}},
		{"missing tree", 1, func(h *history) {
			h.unpack()
			id := h.git("rev-parse", "HEAD~5^{tree}")
			if err := os.Remove(filepath.Join(h.dir, ".git", "objects", id[:2], id[2:])); err != nil {
				t.Fatal(err)
			}
		}},
		{"replaced commit", all, func(h *history) {
			h.git("replace", h.git("rev-parse", "HEAD~3^{tree}"), h.git("rev-parse", "HEAD~9^{tree}"))
		}},
		{"borrowed objects", all, func(h *history) {
			dir := filepath.Join(h.dir, ".git", "objects")
			err := os.Rename(dir, dir+".lender")
			for _, sub := range []string{"pack", "info"} {
				if err == nil {
					err = os.MkdirAll(filepath.Join(dir, sub), 0o700)
				}
			}
			if err == nil {
				err = os.WriteFile(filepath.Join(dir, "info", "alternates"), []byte("../objects.lender\n"), 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}},
		{"partial clone", 1, func(h *history) {
			h.unpack()
			h.git("config", "extensions.partialClone", "origin")
			id := h.git("rev-parse", "HEAD~5^{tree}")
			if err := os.Remove(filepath.Join(h.dir, ".git", "objects", id[:2], id[2:])); err != nil {
				t.Fatal(err)
			}
		}},
		{"graft", 0, func(h *history) {
			graft := h.git("rev-parse", "HEAD~2") + " " + h.git("rev-parse", "HEAD~20") + "\n"
			if err := os.WriteFile(filepath.Join(h.dir, ".git", "info", "grafts"), []byte(graft), 0o600); err != nil {
				t.Fatal(err)
			}
		}},
	}
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := newHistory(t)
			h.git("config", "fastimport.unpackLimit", "1")
			h.grow(rand.New(rand.NewPCG(uint64(i), 2)), 40, false)
			tt.do(h)
			if err := exec.Command("git", "-C", h.dir, "log").Run(); err != nil && tt.left == all {
				if _, err := Open(t.Context(), h.dir); err == nil {
					r := open(t, h)
					if r.objectStore(t.Context()) != nil {
						t.Error("an unreadable object folder was opened")
					}
				}
				return // git reads no history at all
			}
			left, commits := sameAsGit(t, h.dir)
			if left < min(tt.left, commits) && tt.name != "partial clone" {
				t.Errorf("%d of %d commits were left to git", left, commits)
			}
		})
	}
}

func TestLongerIdsAreGits(t *testing.T) {
	h := newHistory(t, "--object-format=sha256")
	h.commit("first", small)
	h.commit("second", map[string]string{"src/a.py": "new\n"})
	if left, _ := sameAsGit(t, h.dir); left != 2 {
		t.Errorf("%d of 2 commits were left to git", left)
	}
}
