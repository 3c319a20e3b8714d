package registry

import (
	"path/filepath"
	"testing"
)

// TestNoneIsLeftOut: each folder of a harness is in both lists.
func TestNoneIsLeftOut(t *testing.T) {
	folders, err := filepath.Glob("../*/history.go")
	if err != nil || len(folders) < 5 {
		t.Fatalf("%v, %v", folders, err)
	}
	if listed := len(Traits()) - len(others()); listed != len(folders) || len(Archives()) != len(folders) {
		t.Errorf("the traits of %d harnesses are listed and the archives of %d, of %v", listed, len(Archives()), folders)
	}
}
