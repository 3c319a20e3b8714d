package seal

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"checkrein/internal/proc"
)

// The profile of macOS is held as text only: it was not tried there.
func TestProfile(t *testing.T) {
	s := New(Options{Hide: []string{"/Users/me/app", "/Users/me/app/.harness-test-drive"}})
	start := proc.Start{
		Argv: []string{"/bin/sh"}, Dir: "/private/tmp/run/checkrein-copy-x", Env: []string{"HOME=/Users/me"}, Needs: []string{"/private/tmp/run/settings"},
	}
	for name, kind := range map[string]proc.Kind{"tests": proc.Tests, "agent": proc.Agent} {
		start.Kind, start.Own = kind, nil
		if kind == proc.Agent {
			start.Own = []proc.Own{{Path: "/Users/me/.codex/auth.json", Write: true}, {Path: "/Users/me/.codex/config.toml"}}
		}
		file := "testdata/macos-untried-" + name + ".sb"
		got := s.Profile(start)
		if os.Getenv("CHECKREIN_UPDATE") != "" {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file, diff)
		}
	}
}
