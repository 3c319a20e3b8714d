package settings

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func save(t *testing.T, path, text string, mode fs.FileMode) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o600), os.Chmod(path, mode)); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) File {
	t.Helper()
	f, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// tree lists a folder: permission bits and text of each file, link targets.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		info, err := d.Info()
		if err != nil {
			return err
		}
		switch {
		case d.IsDir():
			out[name] = "folder"
		case d.Type()&fs.ModeSymlink != 0:
			target, _ := os.Readlink(path)
			out[name] = "link to " + target
		default:
			text, _ := os.ReadFile(path)
			out[name] = info.Mode().Perm().String() + " " + string(text)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestApply(t *testing.T) {
	cases := []struct {
		name   string
		before func(dir string)
		path   string
		text   []byte
		want   map[string]string
	}{
		{"a new file is private", func(string) {}, "f", []byte("new"), map[string]string{"f": "-rw------- new"}},
		{"new folders", func(string) {}, "a/b/f", []byte("new"), map[string]string{"a": "folder", "a/b": "folder", "a/b/f": "-rw------- new"}},
		{"the mode stays", func(d string) { save(t, d+"/f", "old", 0o664) }, "f", []byte("new"), map[string]string{"f": "-rw-rw-r-- new"}},
		{"a read-only file too", func(d string) { save(t, d+"/f", "old", 0o440) }, "f", []byte("new"), map[string]string{"f": "-r--r----- new"}},
		{"removed", func(d string) { save(t, d+"/f", "old", 0o644) }, "f", nil, map[string]string{}},
		{"a chain of relative links", func(d string) {
			save(t, d+"/dot/real", "old", 0o640)
			link(t, "real", d+"/dot/mid")
			link(t, "../dot/mid", d+"/home/f")
		}, "home/f", []byte("new"), map[string]string{
			"dot": "folder", "dot/real": "-rw-r----- new", "dot/mid": "link to real", "home": "folder", "home/f": "link to ../dot/mid",
		}},
		{"a link to nothing yet", func(d string) { link(t, "dot/real", d+"/f") }, "f", []byte("new"), map[string]string{
			"dot": "folder", "dot/real": "-rw------- new", "f": "link to dot/real",
		}},
		{"a linked folder", func(d string) {
			save(t, d+"/dot/f", "old", 0o600)
			link(t, d+"/dot", d+"/home")
		}, "home/f", []byte("new"), map[string]string{"dot": "folder", "dot/f": "-rw------- new", "home": "link to $/dot"}},
		{"empty text is a file", func(string) {}, "f", []byte{}, map[string]string{"f": "-rw------- "}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			c.before(dir)
			if err := Apply([]Change{{File: read(t, filepath.Join(dir, c.path)), Text: c.text}}); err != nil {
				t.Fatal(err)
			}
			for name, want := range c.want {
				c.want[name] = strings.ReplaceAll(want, "$", dir)
			}
			if diff := cmp.Diff(c.want, tree(t, dir)); diff != "" {
				t.Error("(-want +got):\n" + diff)
			}
		})
	}
}

func link(t *testing.T, target, path string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.Symlink(target, path)); err != nil {
		t.Fatal(err)
	}
}

func TestApplyIsAllOrNothing(t *testing.T) {
	dir := t.TempDir()
	save(t, dir+"/first", "old", 0o604)
	save(t, dir+"/gone", "old", 0o600)
	save(t, dir+"/last", "old", 0o600)
	before := tree(t, dir)
	changes := []Change{
		{File: read(t, dir+"/first"), Text: []byte("new")},
		{File: read(t, dir+"/made/deep/f"), Text: []byte("new"), Private: true},
		{File: read(t, dir+"/gone")},
		// The folder below can't be made: the change before it put a file there.
		{File: read(t, dir+"/made/deep/f/g"), Text: []byte("new")},
		{File: read(t, dir+"/last"), Text: []byte("new")},
	}
	err := Apply(changes)
	if err == nil || !strings.Contains(err.Error(), "made/deep/f/g") || strings.Contains(err.Error(), "putting") {
		t.Fatalf("got error %v", err)
	}
	if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
		t.Error("(-want +got):\n" + diff)
	}
}

func TestApplyRefusesWhatChanged(t *testing.T) {
	cases := []struct {
		name   string
		meddle func(path string) error
	}{
		{"other text", func(p string) error { return os.WriteFile(p, []byte("theirs"), 0o600) }},
		{"removed", os.Remove},
		{"now a link", func(p string) error { return errors.Join(os.Rename(p, p+".old"), os.Symlink(p+".old", p)) }},
		{"now a folder", func(p string) error { return errors.Join(os.Remove(p), os.Mkdir(p, 0o700)) }},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			save(t, dir+"/f", "old", 0o600)
			changes := []Change{{File: read(t, dir+"/new"), Text: []byte("new")}, {File: read(t, dir+"/f"), Text: []byte("new")}}
			if err := c.meddle(dir + "/f"); err != nil {
				t.Fatal(err)
			}
			before := tree(t, dir)
			if err := Apply(changes); err == nil || !strings.Contains(err.Error(), dir+"/f: ") {
				t.Fatalf("got error %v", err)
			}
			if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
				t.Error("(-want +got):\n" + diff)
			}
		})
	}
}

func TestReadRefuses(t *testing.T) {
	dir := t.TempDir()
	save(t, dir+"/file", "x", 0o600)
	link(t, "b", dir+"/a")
	link(t, "a", dir+"/b")
	for path, want := range map[string]string{
		dir:             "it is a folder",
		os.DevNull:      "not a regular file",
		dir + "/a":      "too many symbolic links",
		dir + "/file/x": "not a directory",
	} {
		if _, err := Read(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got error %v, want %q", path, err, want)
		}
	}
}

func TestRealPath(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	save(t, dir+"/real/f", "x", 0o600)
	link(t, "real", dir+"/link")
	link(t, dir+"/link/../missing", dir+"/abs")
	for path, want := range map[string]string{
		"/link/f":           "/real/f",
		"/link/none/x":      "/real/none/x",
		"/abs/y":            "/missing/y",
		"/real/../link/./f": "/real/f",
	} {
		if got, err := RealPath(dir + path); err != nil || got != dir+want {
			t.Errorf("%s: got %s, %v; want %s", path, got, err, want)
		}
	}
}
