package tree

import (
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"checkrein/internal/caller"
	"checkrein/internal/harness/registry"
)

func TestThisProcess(t *testing.T) {
	p, ok := Process(os.Getpid())
	if runtime.GOOS != "linux" {
		if ok {
			t.Errorf("%+v", p)
		}
		return
	}
	self, _ := os.Executable()
	if !ok || p.Parent != os.Getppid() || p.Exe != self || !reflect.DeepEqual(p.Args, os.Args) {
		t.Errorf("%+v, %v", p, ok)
	}
	if _, ok := Process(1 << 30); ok {
		t.Error("a process that isn't there")
	}
}

// TestNames: what stands in stat is up to the program.
func TestNames(t *testing.T) {
	root := t.TempDir()
	for pid, stat := range map[string]string{"1": "1 (a) b) (c) S 77 1 1", "2": "2 (x) S", "3": "", "4": "4 (x) S y", "5": "5 x S 1"} {
		if err := os.MkdirAll(filepath.Join(root, pid), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, pid, "stat"), []byte(stat), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	long := "claude\x00" + strings.Repeat("x", 1<<20)
	if err := os.WriteFile(filepath.Join(root, "1", "cmdline"), []byte(long), 0o644); err != nil {
		t.Fatal(err)
	}
	p, ok := in(root, 1)
	if !ok || p.Parent != 77 || p.Args[0] != "claude" || len(p.Args[1]) >= maxRead {
		t.Errorf("%v: parent %d, %d arguments", ok, p.Parent, len(p.Args))
	}
	for pid := 2; pid <= 5; pid++ {
		if got, ok := in(root, pid); ok {
			t.Errorf("%+v", got)
		}
	}
}

func BenchmarkCount(b *testing.B) {
	for b.Loop() {
		caller.Count(registry.Traits(), Process, os.Getpid())
	}
}
