package checkrein_test

import (
	"os/exec"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
)

// dependencies are the modules we import ourselves and what each is for. A new
// one needs a line here, and with it a reason.
func dependencies() map[string]string {
	return map[string]string{
		"github.com/creack/pty":              "tests: a terminal for programs that behave differently on one",
		"github.com/go-json-experiment/json": "JSON at three times the standard library's speed, with the API that the library is to get",
		"github.com/google/go-cmp":           "tests: differences one can read",
		"github.com/klauspost/compress":      "zstd, in which Codex compresses old rollouts",
		"github.com/ncruces/go-sqlite3":      "SQLite in Go, to read OpenCode's database",
		"github.com/rogpeppe/go-internal":    "text diffs of settings files; tests: scripts that drive the real binary",
		"github.com/spf13/cobra":             "the command line: help pages, flags, suggestions",
		"github.com/tailscale/hujson":        "a JSON syntax tree that keeps comments and white space, to edit settings files",
		"golang.org/x/crypto":                "BLAKE2b, which the state files of the Python guard hash ids with",
		"golang.org/x/sys":                   "file locks on Windows, subreapers on Linux",
		"golang.org/x/term":                  "is this a terminal, and how wide",
		"golang.org/x/text":                  "Unicode normal forms, so that look-alike letters hide no secret from redaction; how wide letters are on a terminal",
	}
}

// TestDependencies: go.mod requires these modules and no others directly.
func TestDependencies(t *testing.T) {
	out, err := exec.Command("go", "mod", "edit", "-json").Output()
	if err != nil {
		t.Fatalf("reading go.mod: %v", err)
	}
	var mod struct {
		Require []struct {
			Path     string
			Indirect bool
		}
	}
	if err := json.Unmarshal(out, &mod); err != nil {
		t.Fatalf("reading go.mod: %v", err)
	}
	want, got := map[string]bool{}, map[string]bool{}
	for path := range dependencies() {
		want[path] = true
	}
	for _, r := range mod.Require {
		if !r.Indirect {
			got[r.Path] = true
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("direct dependencies (-listed +required):\n%s", diff)
	}
}
