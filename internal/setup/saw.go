package setup

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// saw compares a copy with how it was, and decides where the result may be used.
func (p *Copy) saw(b *before) (share, error) {
	after, err := look(p.dir)
	if err != nil {
		return share{}, err
	}
	s := judge(difference(b.paths, after), func(file string) bool { _, there := b.paths[file]; return there })
	if s.scope == never {
		return s, nil
	}
	if s.places = installed(); s.places != b.outside {
		return share{scope: never, why: "something was installed outside the copy"}, nil
	}
	if p.cache.outside == nil && len(s.roots) == 0 { // what it is for lies outside, where nobody keeps it as it is
		return share{scope: never, why: "it left nothing in the copy"}, nil
	}
	if s.beneath, err = packages(p.env); err != nil {
		return share{}, err
	}
	if edits(s.edited, b.paths) {
		return share{scope: never, why: "it put something else in the place of a file"}, nil
	}
	s.narrow(!b.traced, "what it read can't be seen here")
	if s.scope == sameTree {
		s.inputs = []input{{everything, treeOf(b.paths)}}
		return s, nil
	}
	s.inputs = inputs(b.paths, after, s.edited)
	return s, nil
}

// edits tells whether an edited path was no plain file.
func edits(paths []string, before map[string]seen) bool {
	return slices.ContainsFunc(paths, func(file string) bool { return !before[file].mode.IsRegular() })
}

// inputs are the files and folders that were there before and were read or edited.
func inputs(before, after map[string]seen, edited []string) (out []input) {
	for file, was := range before {
		changed := slices.Contains(edited, file)
		if changed || !inGit(file) && after[file].read.Sec != longAgo.Sec {
			out = append(out, input{file, was.sum})
		}
	}
	sortInputs(out)
	return out
}

func sortInputs(list []input) {
	slices.SortFunc(list, func(a, b input) int { return strings.Compare(a.Path, b.Path) })
}

// everything is the path of the input that stands for all files of a copy.
const everything = "*"

// treeOf is the hash of all that a copy holds.
func treeOf(paths map[string]seen) string {
	var list []input
	for file, s := range paths {
		if !inGit(file) && !s.isDir() {
			list = append(list, input{file, s.sum})
		}
	}
	sortInputs(list)
	var text strings.Builder
	for _, in := range list {
		text.WriteString(in.Path + "\x00" + in.Hash + "\x00")
	}
	return digest([]byte(text.String()))
}

// fits tells whether a result may be put into the copy: the copy holds what the
// setup has read, and nothing where the result belongs.
func (p *Copy) fits(r *result) bool {
	if r.Places != installed() || !stand(r.Beneath) {
		return false
	}
	for _, in := range r.Inputs {
		if sum, err := p.now(in.Path); err != nil || sum != in.Hash {
			return false
		}
	}
	for _, root := range r.Roots {
		if slices.Contains(p.placed, root) {
			continue
		}
		if _, err := os.Lstat(filepath.Join(p.dir, root)); err == nil {
			return false
		}
	}
	return true
}

// now is what the copy holds at a path, without what a result put there.
func (p *Copy) now(file string) (string, error) {
	full := filepath.Join(p.dir, file)
	if file == everything {
		return p.treeNow()
	}
	if info, err := os.Lstat(full); err != nil || !info.IsDir() {
		if err != nil {
			return "", err
		}
		return content(full)
	}
	entries, err := os.ReadDir(full)
	return listing(entries, func(name string) bool {
		return isGit(name) || slices.Contains(p.placed, strings.TrimPrefix(file+"/"+name, "/"))
	}), err
}

func (p *Copy) treeNow() (string, error) {
	paths, err := look(p.dir)
	if err != nil {
		return "", err
	}
	for file, s := range paths {
		if slices.ContainsFunc(p.placed, func(root string) bool { return file == root || strings.HasPrefix(file, root+"/") }) {
			delete(paths, file)
			continue
		}
		if s.isDir() || inGit(file) {
			continue
		}
		if s.sum, err = content(filepath.Join(p.dir, file)); err != nil {
			return "", err
		}
		paths[file] = s
	}
	return treeOf(paths), nil
}
