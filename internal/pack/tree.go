package pack

import (
	"bytes"
	"fmt"
)

// Mode is a file's mode as git prints it in octal, old spellings mapped to
// today's.
type Mode uint32

// Modes of entries in a tree.
const (
	Folder    Mode = 0o040000
	Submodule Mode = 0o160000
)

// leaf is one entry of a tree. Its name lies in the tree.
type leaf struct {
	mode Mode
	name []byte
	id   []byte
}

// nextLeaf cuts the first entry off a tree: "<mode> <name>", a NUL and an id.
func nextLeaf(tree []byte) (l leaf, rest []byte, err error) {
	mode, i := uint32(0), 0
	for ; i < len(tree) && i < 8 && '0' <= tree[i] && tree[i] <= '7'; i++ {
		mode = mode<<3 | uint32(tree[i]-'0')
	}
	if i == 0 || i == 8 || i == len(tree) || tree[i] != ' ' {
		return l, nil, fmt.Errorf("%w: the mode of a file in a tree", ErrDamaged)
	}
	name := tree[i+1:]
	end := bytes.IndexByte(name, 0)
	if end <= 0 || len(name)-end-1 < idSize {
		return l, nil, fmt.Errorf("%w: a tree that ends in an entry", ErrDamaged)
	}
	return leaf{plain(mode), name[:end], name[end+1 : end+1+idSize]}, name[end+1+idSize:], nil
}

// plain maps modes as git does: anything it doesn't know is a submodule.
func plain(mode uint32) Mode {
	const link, file, exec = 0o120000, 0o100644, 0o100755
	switch mode & 0o170000 {
	case 0o100000:
		if mode&0o100 != 0 {
			return exec
		}
		return file
	case link, uint32(Folder):
		return Mode(mode & 0o170000)
	}
	return Submodule
}

// walk goes through the entries of a tree.
type walk struct {
	leaf
	rest []byte
	done bool
}

func (w *walk) next() (err error) {
	if w.done = len(w.rest) == 0; w.done {
		return nil
	}
	w.leaf, w.rest, err = nextLeaf(w.rest)
	return err
}

// skip passes over the entries that two walks have in common at their start.
func (w *walk) skip(v *walk) {
	n := commonStart(w.rest, v.rest)
	for {
		name := bytes.IndexByte(w.rest[:n], 0)
		if name < 0 || name+1+idSize > n {
			return
		}
		w.rest, v.rest = w.rest[name+1+idSize:], v.rest[name+1+idSize:]
		n -= name + 1 + idSize
	}
}

// commonStart is how many bytes two texts have in common at their start.
func commonStart(a, b []byte) int {
	const step = 64
	n, i := min(len(a), len(b)), 0
	for i+step <= n && bytes.Equal(a[i:i+step], b[i:i+step]) {
		i += step
	}
	for i < n && a[i] == b[i] {
		i++
	}
	return i
}

// order compares the entries of two walks as git sorts them: a folder as if its
// name ended in a slash. The end of a tree comes last.
func (w *walk) order(v *walk) int {
	switch {
	case w.done:
		return 1
	case v.done:
		return -1
	}
	n := min(len(w.name), len(v.name))
	if c := bytes.Compare(w.name[:n], v.name[:n]); c != 0 {
		return c
	}
	return int(w.after(n)) - int(v.after(n))
}

// after is what follows n bytes of the name.
func (l *leaf) after(n int) byte {
	switch {
	case n < len(l.name):
		return l.name[n]
	case l.mode == Folder:
		return '/'
	}
	return 0
}
