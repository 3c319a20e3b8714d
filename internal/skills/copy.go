package skills

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

	"checkrein/internal/settings"
	files "checkrein/skills"
)

// installed is one skill in one place, as the program has it and as the disk
// has it.
type installed struct {
	place    Place
	name     string
	dir      string
	recorded map[string]string // hashes of what this program wrote; nil without a record
	record   settings.File
	files    []file // in the order of their names
}

// file is one file of a skill.
type file struct {
	name string // below the skill's folder, with slashes
	want []byte // the program's text; nil when it has none
	disk settings.File
	hash string // what the record says; "" for nothing
}

// state is how a file on disk relates to the program's.
type state int

const (
	missing   state = iota
	current         // the program's text
	older           // what an earlier version of the program wrote, unchanged
	foreign         // somebody else's, or changed by somebody
	forgotten       // recorded, but not there and no longer the program's
)

func (f file) state() state {
	switch {
	case !f.disk.Exists && f.want == nil:
		return forgotten
	case !f.disk.Exists:
		return missing
	case f.want != nil && bytes.Equal(f.disk.Text, f.want):
		return current
	case f.hash != "" && f.hash == hash(f.disk.Text):
		return older
	}
	return foreign
}

// ours tells a file that this program wrote and nobody has changed.
func (f file) ours() bool { return f.disk.Exists && f.hash != "" && f.hash == hash(f.disk.Text) }

// Skills names the skills that the program has.
func Skills() []string {
	entries, _ := fs.ReadDir(files.Files, ".") // it is in the binary
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// texts are the files of one skill.
func texts(skill string) map[string][]byte {
	all := map[string][]byte{}
	_ = fs.WalkDir(files.Files, skill, func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			all[name[len(skill)+1:]], err = files.Files.ReadFile(name)
		}
		return err
	})
	return all
}

// inspect reads one skill in one place. The error names what can't be used.
func inspect(p Place, skill string, m Machine) (*installed, error) {
	base, err := p.real(m)
	if err != nil {
		return nil, err
	}
	in := &installed{place: p, name: skill, dir: filepath.Join(p.Dir, skill)}
	if in.record, err = in.read(base, recordName); err != nil {
		return nil, err
	}
	in.recorded = parseRecord(in.record)
	want := texts(skill)
	names := slices.Collect(maps.Keys(want))
	for name := range in.recorded {
		if _, ok := want[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		disk, err := in.read(base, name)
		if err != nil {
			return nil, err
		}
		in.files = append(in.files, file{name: name, want: want[name], disk: disk, hash: in.recorded[name]})
	}
	return in, nil
}

// real is the place's folder without links. A link in a project may have come with a
// clone and lead anywhere, so there it is refused.
func (p Place) real(m Machine) (string, error) {
	base, err := settings.RealPath(p.Dir)
	if err != nil || p.Scope != Project {
		return base, err
	}
	project, err := settings.RealPath(m.Project)
	if err != nil {
		return "", err
	}
	below, err := filepath.Rel(m.Project, p.Dir)
	if err == nil && base != filepath.Join(project, below) {
		err = fmt.Errorf("%s leads to %s by a link; nothing is written through a link in a project", p.Dir, base)
	}
	return base, err
}

// read reads a file of the skill, which must be no link and lie behind none.
func (in *installed) read(base, name string) (settings.File, error) {
	name = filepath.FromSlash(name)
	at := filepath.Join(in.dir, name)
	f, err := settings.Read(at)
	if err != nil {
		return f, err
	}
	if want := filepath.Join(base, in.name, name); f.Real != want {
		return f, &LinkError{Dir: in.dir, Path: at, To: f.Real}
	}
	return f, nil
}

// LinkError: a skill's folder, or a file in it, is a link.
type LinkError struct{ Dir, Path, To string }

func (e *LinkError) Error() string {
	return fmt.Sprintf("%s leads to %s by a link, so it is not this program's to change", e.Path, e.To)
}

// removeEmpty removes the skill's folders as far as nothing is in them.
func (in *installed) removeEmpty() {
	for _, f := range in.files {
		for dir := path.Dir(f.name); dir != "."; dir = path.Dir(dir) {
			_ = os.Remove(filepath.Join(in.dir, filepath.FromSlash(dir)))
		}
	}
	_ = os.Remove(in.dir)
}
