package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestOurPackagesDoNothingBeforeMain: the hook starts at every tool call, so a
// table or a regular expression that a package of ours makes at start-up costs
// every user of the guard. A few errors and closures are all that may be there.
func TestOurPackagesDoNothingBeforeMain(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "checkrein")
	if err := goBuild("..", binary, "./cmd/checkrein"); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary, "guard", "hook")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var trace bytes.Buffer
	cmd.Stderr = &trace
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	all, _ := parseInits(&trace)
	if len(all) < 10 {
		t.Fatalf("%d packages traced", len(all))
	}
	const limit = 300 // bytes
	for _, p := range all {
		if strings.HasPrefix(p.path, "checkrein/") && p.bytes > limit {
			t.Errorf("%s allocates %d bytes in %d pieces before main", p.path, p.bytes, p.allocs)
		}
	}
}

func TestParseInits(t *testing.T) {
	all, total := parseInits(bytes.NewBufferString("noise\n" +
		"init os @1.7 ms, 0.091 ms clock, 448 bytes, 10 allocs\n" +
		"init checkrein/internal/price @2.3 ms, 0.33 ms clock, 72 bytes, 2 allocs\n"))
	if len(all) != 2 || all[0].path != "checkrein/internal/price" || all[0].bytes != 72 || all[0].allocs != 2 || total < 0.42 || total > 0.43 {
		t.Errorf("%+v, %v ms in all", all, total)
	}
}
