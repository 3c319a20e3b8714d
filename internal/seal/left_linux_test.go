package seal

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"checkrein/internal/proc"
)

// What a setup left is there for the commands in another copy, which can't change
// it, until that copy has a setup of its own.
func TestLayersAndALeftSetup(t *testing.T) {
	w := newWorld(t)
	w.kind = proc.Setup
	if _, r := w.run(`echo s >"$HOME/y" && echo s >"$HOME/.cache/pip/s" && echo s >"$HOME/.cache/go-build/s" && echo s >/tmp/z`); !r.OK() {
		t.Fatal(r)
	}
	dir, parts := w.seal.Left(w.copy)
	kept := filepath.Join(w.dir, "kept")
	for _, part := range parts {
		w.must(os.CopyFS(filepath.Join(kept, part), os.DirFS(filepath.Join(dir, part))))
	}
	w.copy = filepath.Join(w.dir, "checkrein-copy-z")
	w.must(os.Mkdir(w.copy, 0o700))
	const look = `cat "$HOME/y" "$HOME/.cache/pip/s" "$HOME/.cache/pip/x" /tmp/z "$HOME/.cache/go-build/s"; `
	for _, w.kind = range []proc.Kind{proc.Tests, proc.Agent} {
		w.seal.Adopt(w.copy, kept)
		out, _ := w.run(look + `echo a >"$HOME/y"; echo a >"$HOME/.cache/pip/s"; rm /tmp/z; ls "$W"`)
		if !strings.HasPrefix(out, "s\ns\ncacheds\ncat: ") || strings.Contains(out, "kept") {
			t.Errorf("kind %d: %q", w.kind, out)
		}
	}
	if out, _ := w.run(look); !strings.HasPrefix(out, "s\ns\ncacheds\ncat: ") {
		t.Errorf("after an agent: %q", out)
	}
	w.kind = proc.Setup
	if out, _ := w.run(look); !strings.HasPrefix(out, "cat: ") || strings.Contains(out, "s\ns") {
		t.Errorf("a setup: %q", out)
	}
	if w.kind = proc.Tests; strings.HasPrefix(first(w.run(look)), "s\n") {
		t.Error("what was left elsewhere stays in sight after a setup")
	}
}

func first(out string, _ proc.Result) string { return out }
