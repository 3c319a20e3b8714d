package repo

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"checkrein/internal/untested"
)

// TestCopiesThatShareBlocks makes the copies on file systems that can share
// blocks, where root may mount one and the machine has the programs to make it.
func TestCopiesThatShareBlocks(t *testing.T) {
	for kind, options := range map[string][]string{"xfs": {"-q", "-m", "reflink=1"}, "btrfs": {"-q"}} {
		t.Run(kind, func(t *testing.T) {
			mounted(t, kind, options)
			t.Run("copies", func(t *testing.T) { // with a temporary folder of its own in there
				sharingCopies(t, func(t *testing.T, s *sharing) {
					if s.refused.Load() {
						t.Error("no block was shared")
					}
				})
			})
		})
	}
}

// mounted makes the temporary folder one of a new file system.
func mounted(t *testing.T, kind string, options []string) {
	t.Helper()
	mkfs, err := exec.LookPath("mkfs." + kind)
	if err != nil || os.Geteuid() != 0 {
		untested.Here(t, "it needs root and mkfs."+kind)
	}
	image, at := filepath.Join(t.TempDir(), "image"), t.TempDir()
	if err := os.Truncate(touch(t, image), 512<<20); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(mkfs, append(options, image)...).CombinedOutput(); err != nil {
		untested.Here(t, fmt.Sprintf("making the file system: %v: %s", err, out))
	}
	if out, err := exec.Command("mount", "-o", "loop", image, at).CombinedOutput(); err != nil {
		untested.Here(t, fmt.Sprintf("mounting it: %v: %s", err, out))
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", "-l", at).CombinedOutput(); err != nil {
			t.Errorf("unmounting: %v: %s", err, out)
		}
	})
	t.Setenv("TMPDIR", at)
}
