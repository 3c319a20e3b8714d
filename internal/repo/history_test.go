package repo

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestHistoryListsWhatCommitsChange(t *testing.T) {
	h := newHistory(t)
	first := h.commit("first", odd)
	second := h.commit("second", map[string]string{"src/a.py": "x\n", "link": "", "run.sh": "+#!/bin/sh\n# more\n", "odd \"name\"\n.py": "1\n"})
	h.git("checkout", "-q", "-b", "side")
	side := h.commit("side", map[string]string{"side.py": "1\n"})
	h.git("checkout", "-q", "main")
	h.git("merge", "-q", "--no-ff", "-m", "merge", "side")
	empty := h.commit("empty", nil)
	commits := changes(t, open(t, h))
	type brief struct {
		ID      string
		Parents int
		Paths   []string
	}
	var got []brief
	for _, c := range commits {
		b := brief{c.ID, len(c.Parents), nil}
		for _, ch := range c.Changes {
			b.Paths = append(b.Paths, ch.Path)
		}
		got = append(got, b)
	}
	want := []brief{{empty, 1, nil}, {side, 1, []string{"side.py"}}, {second, 1, []string{"link", "odd \"name\"\n.py", "run.sh", "src/a.py"}}, {first, 0, nil}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("history (-want +got):\n%s", diff)
	}
}

// changes reads a whole history.
func changes(t *testing.T, r *Repo) []Commit {
	t.Helper()
	commits, err := r.History(t.Context(), "2000-01-01")
	if err == nil {
		err = r.Changes(t.Context(), commits)
	}
	if err != nil {
		t.Fatal(err)
	}
	return commits
}

// TestLongerThanAgreesWithCounting changes lines at random; the bound must never
// decide otherwise than git's own count.
func TestLongerThanAgreesWithCounting(t *testing.T) {
	h := newHistory(t)
	r := rand.New(rand.NewPCG(1, 2))
	lines := strings.Fields(strings.Repeat("a b c d e ", 8))
	h.commit("first", map[string]string{"f": strings.Join(lines, "\n")})
	for range 40 {
		for range 1 + r.IntN(6) {
			at := r.IntN(len(lines))
			switch r.IntN(3) {
			case 0:
				lines = append(lines[:at], append([]string{fmt.Sprint(r.IntN(5))}, lines[at:]...)...)
			case 1:
				lines[at] = fmt.Sprint(r.IntN(5))
			default:
				lines = append(lines[:at], lines[at+1:]...)
			}
		}
		end := []string{"", "\n"}[r.IntN(2)]
		h.commit("next", map[string]string{"f": strings.Join(lines, "\n") + end, "bin": "\x00" + fmt.Sprint(r.IntN(99))})
	}
	rp := open(t, h)
	commits := changes(t, rp)
	counts, err := rp.Lines(t.Context(), commits)
	if err != nil {
		t.Fatal(err)
	}
	for limit := range 12 {
		longer, err := rp.LongerThan(t.Context(), commits, limit)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range commits {
			if longer[c.ID] != (total(counts[c.ID]) > limit) {
				t.Errorf("limit %d, %d lines: LongerThan says %v", limit, total(counts[c.ID]), longer[c.ID])
			}
		}
	}
}

func TestMissingObjectsMarkTheirCommits(t *testing.T) {
	h := newHistory(t)
	var ids []string
	for i := range 9 {
		ids = append(ids, h.commit("next", map[string]string{"d/f": strings.Repeat("long line\n", 300*(i%2)+i+1), "d/g": fmt.Sprint(i)}))
	}
	lose := func(spec string) {
		id := h.git("rev-parse", spec)
		if err := os.Remove(filepath.Join(h.dir, ".git", "objects", id[:2], id[2:])); err != nil {
			t.Fatal(err)
		}
	}
	lose(ids[3] + ":d/f")
	lose(ids[6] + ":d")
	r := open(t, h)
	commits := changes(t, r)
	if _, err := r.LongerThan(t.Context(), commits, 100); err != nil {
		t.Fatal(err)
	}
	var damaged []int
	for i, c := range commits {
		if c.Damaged {
			damaged = append(damaged, len(commits)-1-i)
		}
	}
	if diff := cmp.Diff([]int{7, 6, 4, 3}, damaged); diff != "" {
		t.Errorf("damaged commits (-want +got):\n%s", diff)
	}
	if _, err := r.Copy(t.Context(), ids[3], t.TempDir()); !errors.Is(err, ErrNoObject) {
		t.Errorf("copying a damaged commit: %v", err)
	}
	if _, err := r.Copy(t.Context(), ids[5], t.TempDir()); err != nil {
		t.Errorf("copying a whole one: %v", err)
	}
	h.git("config", "extensions.partialClone", "origin")
	fresh, err := r.History(t.Context(), "2000-01-01")
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Changes(t.Context(), fresh); !errors.Is(err, ErrNoObject) {
		t.Errorf("history of a partial clone: %v", err)
	}
}
