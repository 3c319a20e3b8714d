package pack

import (
	"bytes"
	"fmt"
)

// Difference is a file that two trees don't have in common. The zero ID stands
// for none.
type Difference struct {
	Path          string
	Before, After ID
}

// Bounds of one comparison; what is beyond is git's to read. A few small objects
// can make a tree of more folders and files than a disk could hold.
const (
	largestTree = 16 << 20
	deepest     = 1000
	mostSteps   = 1 << 20 // folders read and files found
)

// emptyTree is the id of a tree without entries, which git knows without an
// object.
const emptyTree = "\x4b\x82\x5d\xc6\x42\xcb\x6e\xb9\xa0\x60\xe5\x4b\xf8\xd6\x92\x88\xfb\xee\x49\x04"

// Differ compares trees. It is for one goroutine.
type Differ struct {
	*Reader
	path  []byte // of the folder being compared, with a slash at its end
	depth int
	steps int
	found []Difference
}

// Differ returns a new one.
func (s *Store) Differ() *Differ { return &Differ{Reader: s.Reader()} }

// Compare lists the files that differ between two trees, those below their
// folders included, in git's order. The error is ErrUnsupported where a submodule
// differs: settings say whether git tells of it.
func (d *Differ) Compare(before, after ID) ([]Difference, error) {
	d.path, d.depth, d.steps, d.found = d.path[:0], 0, 0, nil
	err := d.folders(before[:], after[:])
	return d.found, err
}

// folders compares two trees by their ids; nil stands for an empty one.
func (d *Differ) folders(before, after []byte) (err error) {
	if bytes.Equal(before, after) {
		return nil
	}
	if d.steps += 2; d.depth == deepest || d.steps > mostSteps {
		return fmt.Errorf("%w: too many folders", ErrUnsupported)
	}
	d.depth++
	defer func() { d.depth-- }()
	var a, b walk
	if a.rest, err = d.tree(before); err != nil {
		return err
	}
	if b.rest, err = d.tree(after); err != nil {
		return err
	}
	return d.entries(&a, &b)
}

func (d *Differ) tree(id []byte) ([]byte, error) {
	if id == nil || string(id) == emptyTree {
		return nil, nil
	}
	kind, data, err := d.Read(ID(id), largestTree)
	if err == nil && kind != Tree {
		err = fmt.Errorf("%w: no tree where one should be", ErrDamaged)
	}
	return data, err
}

// entries walks two trees side by side, as git does: what is out of order in a
// forged tree is found missing on either side.
// What both have at their start and at their end is not looked at.
func (d *Differ) entries(a, b *walk) error {
	a.skip(b)
	err := a.next()
	if err == nil {
		err = b.next()
	}
	for err == nil && !(a.done && b.done) {
		switch c := a.order(b); {
		case c < 0:
			if err = d.one(&a.leaf, true); err == nil {
				err = a.next()
			}
		case c > 0:
			if err = d.one(&b.leaf, false); err == nil {
				err = b.next()
			}
		default:
			if err = d.both(&a.leaf, &b.leaf); err == nil && bytes.Equal(a.rest, b.rest) {
				return nil
			}
			if err == nil {
				err = a.next()
			}
			if err == nil {
				err = b.next()
			}
		}
	}
	return err
}

// one tells of an entry that only one side has.
func (d *Differ) one(l *leaf, before bool) error {
	switch {
	case l.mode == Folder && before:
		return d.below(l, l.id, nil)
	case l.mode == Folder:
		return d.below(l, nil, l.id)
	case before:
		return d.add(l, ID(l.id), ID{}, l.mode)
	}
	return d.add(l, ID{}, ID(l.id), l.mode)
}

// both tells of entries of the same name; folders meet folders only.
func (d *Differ) both(a, b *leaf) error {
	switch {
	case a.mode == b.mode && bytes.Equal(a.id, b.id):
		return nil
	case a.mode == Folder:
		return d.below(a, a.id, b.id)
	case a.mode == Submodule:
		return d.add(a, ID{}, ID{}, a.mode)
	}
	return d.add(b, ID(a.id), ID(b.id), b.mode)
}

func (d *Differ) below(l *leaf, before, after []byte) error {
	n := len(d.path)
	d.path = append(append(d.path, l.name...), '/')
	err := d.folders(before, after)
	d.path = d.path[:n]
	return err
}

func (d *Differ) add(l *leaf, before, after ID, mode Mode) error {
	if mode == Submodule {
		return fmt.Errorf("%w: a submodule", ErrUnsupported)
	}
	if d.steps++; d.steps > mostSteps {
		return fmt.Errorf("%w: too many files", ErrUnsupported)
	}
	n := len(d.path)
	d.path = append(d.path, l.name...)
	d.found = append(d.found, Difference{string(d.path), before, after})
	d.path = d.path[:n]
	return nil
}
