package task

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"checkrein/internal/grade"
	"checkrein/internal/proc"
)

// Behind a wall a copy lies elsewhere. Mocha and Jest name tests by whole paths, so a
// task that was mined behind it held names that no run without it reports.
func TestNamesAreTheSameBehindAWall(t *testing.T) {
	place := filepath.Join(t.TempDir(), "repo")
	wall := func(s proc.Start) (proc.Start, error) {
		if err := os.Symlink(s.Dir, place); err != nil {
			return s, err
		}
		s.Dir, s.Env = place, append(s.Env, "SEEN="+place)
		return s, nil
	}
	env := []string{"PATH=" + os.Getenv("PATH")}
	command := `echo TAP version 13; echo "ok 1 - $SEEN/a.js"; echo "ok 2 - x$SEEN/b.js"; echo 1..2`
	plan := grade.Plan{Line: command, Format: grade.TAP, Stdout: true}
	behind, _, err := RunGraded(t.Context(), plan, t.TempDir(), proc.Command{Env: env, Launch: wall})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"a.js", "x" + place + "/b.js"}
	if diff := cmp.Diff(want, behind.Names(grade.Passed)); diff != "" {
		t.Error(diff)
	}
}
