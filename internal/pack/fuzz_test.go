package pack

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// most is the limit that these tests read with, and what bounds the memory of a
// read: the object, its difference, and what it is a difference of.
const most = 1 << 16

// packed is a small pack with whole objects and both kinds of differences, made
// by git.
func packed(t testing.TB, setting string) (index, data []byte, dir string) {
	t.Helper()
	dir = t.TempDir()
	var in bytes.Buffer
	for i := range 6 {
		text := strings.Repeat("a line\n", 40) + strings.Repeat(fmt.Sprintf("line %d\n", i), 10)
		fmt.Fprintf(&in, "commit refs/heads/main\ncommitter D <d@localhost> %d +0000\ndata 1\nx\nM 100644 inline d/f\ndata %d\n%s\nM 100755 inline g%d\ndata 1\n%d\n", 1_760_000_000+i, len(text), text, i, i)
	}
	for _, args := range [][]string{{"init", "-q"}, {"fast-import", "--quiet"}, {"-c", setting, "repack", "-adfq"}} {
		cmd := exec.Command("git", append([]string{"-C", dir}, args...)...)
		if args[0] == "fast-import" {
			cmd.Stdin = &in
		}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	stems, _ := filepath.Glob(filepath.Join(dir, ".git/objects/pack/*.pack"))
	if len(stems) != 1 {
		t.Fatalf("%d packs", len(stems))
	}
	data, err := os.ReadFile(stems[0])
	if err == nil {
		index, err = os.ReadFile(strings.TrimSuffix(stems[0], "pack") + "idx")
	}
	if err != nil {
		t.Fatal(err)
	}
	return index, data, dir
}

// inMemory is a store of one pack.
func inMemory(index, data []byte) (*Store, error) {
	p := &packFile{}
	s := &Store{dir: os.DevNull, packs: []*packFile{p}, cache: cache{most: 4 * most}}
	return s, p.parse(index, data)
}

// readAll reads every object that the index names.
func readAll(s *Store) (read int) {
	r := s.Reader()
	for i := range min(s.packs[0].index.count, 200) {
		if i == 10 {
			s.packs[0].index.refine()
		}
		if kind, data, err := r.Read(ID(s.packs[0].index.id(i)), most); err == nil {
			if len(data) > most || kind == 0 {
				panic("more than the limit, or of no kind")
			}
			read++
		}
	}
	return read
}

func TestPackIsRead(t *testing.T) {
	for _, setting := range []string{"repack.useDeltaBaseOffset=true", "repack.useDeltaBaseOffset=false"} {
		index, data, dir := packed(t, setting)
		s, err := inMemory(index, data)
		if err != nil {
			t.Fatal(err)
		}
		if read := readAll(s); read != s.packs[0].index.count {
			t.Errorf("%d of %d objects", read, s.packs[0].index.count)
		}
		for i := range s.packs[0].index.count {
			id := ID(s.packs[0].index.id(i))
			kind, got, _ := s.Reader().Read(id, most)
			if want, err := exec.Command("git", "-C", dir, "cat-file", map[Kind]string{Commit: "commit", Tree: "tree", Blob: "blob"}[kind], id.String()).Output(); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%v: %v", id, err)
			}
		}
	}
}

// The finer table of counts says what the index says, whatever the index holds.
func TestFineFanoutFindsWhatTheIndexHas(t *testing.T) {
	index, data, _ := packed(t, "repack.useDeltaBaseOffset=true")
	s, err := inMemory(index, data)
	if err != nil {
		t.Fatal(err)
	}
	x := &s.packs[0].index
	asked := []ID{{}, {0xff, 0xff, 0xff, 0xff, 0xff}}
	for i := range x.count {
		id := ID(x.id(i))
		asked = append(asked, id)
		id[idSize-1] ^= 1
		asked = append(asked, id)
	}
	type answer struct {
		off int64
		ok  bool
	}
	answers := func() (all []answer) {
		for _, id := range asked {
			off, ok, err := x.find(&id)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, answer{off, ok})
		}
		return all
	}
	before := answers()
	x.refine()
	if got := answers(); !slices.Equal(got, before) || !got[2].ok || got[3].ok {
		t.Errorf("%v\n%v", got, before)
	}
}

// FuzzPack: whatever a pack and its index hold, reading ends, within memory that
// the limit bounds.
func FuzzPack(f *testing.F) {
	for _, setting := range []string{"repack.useDeltaBaseOffset=true", "repack.useDeltaBaseOffset=false"} {
		index, data, _ := packed(f, setting)
		f.Add(index, data)
	}
	f.Fuzz(func(t *testing.T, index, data []byte) {
		if len(index) >= indexHead+fanSize+2*idSize && len(data) >= packHead+idSize { // else nothing gets past the first look
			index, data = bytes.Clone(index), bytes.Clone(data)
			copy(data[8:], index[indexHead+fanSize-4:][:4])
			copy(data[len(data)-idSize:], index[len(index)-2*idSize:])
		}
		if s, err := inMemory(index, data); err == nil {
			readAll(s)
		}
	})
}

// FuzzTrees: two trees compare to an end, and a tree has no difference to itself.
func FuzzTrees(f *testing.F) {
	entry := func(mode, name string, id byte) []byte {
		return append([]byte(mode+" "+name+"\x00"), bytes.Repeat([]byte{id}, idSize)...)
	}
	f.Add(entry("100644", "a", 1), append(entry("100644", "a", 2), entry("120000", "b", 1)...))
	f.Add(entry("40000", "a", 1), append(entry("100644", "a", 2), entry("160000", "b", 1)...))
	s := &Store{dir: os.DevNull}
	d := s.Differ()
	f.Fuzz(func(t *testing.T, a, b []byte) {
		d.steps, d.found = 0, nil
		_ = d.entries(&walk{rest: a}, &walk{rest: b})
		d.found = nil
		if _ = d.entries(&walk{rest: a}, &walk{rest: a}); len(d.found) > 0 {
			t.Errorf("a tree differs from itself: %v", d.found)
		}
	})
}

// FuzzDelta: the result is of the size that was made room for, or there is none.
func FuzzDelta(f *testing.F) {
	f.Add([]byte("a base"), []byte("\x06\x08\x90\x06\x02!!"))
	f.Fuzz(func(t *testing.T, base, delta []byte) {
		_, size, ops, err := deltaSizes(delta)
		if err != nil || size > most {
			return
		}
		if out, err := patch(make([]byte, 0, size), base, ops); err == nil && uint64(len(out)) != size {
			t.Errorf("%d bytes for %d", len(out), size)
		}
	})
}

// FuzzLoose: a loose object is of the size that it says.
func FuzzLoose(f *testing.F) {
	f.Add([]byte("blob 5\x00hello"))
	f.Add([]byte("tree 99999999999\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if kind, got, err := looseObject(bytes.NewReader(data), most); err == nil && (kind == 0 || !bytes.HasSuffix(data, got)) {
			t.Errorf("%d: %q", kind, got)
		}
	})
}

// TestForgedSizes: a size that a few bytes claim takes no memory.
func TestForgedSizes(t *testing.T) {
	index, data, _ := packed(t, "repack.useDeltaBaseOffset=true")
	s, err := inMemory(index, data)
	if err != nil {
		t.Fatal(err)
	}
	id := ID(s.packs[0].index.id(0))
	off, _, _ := s.packs[0].index.find(&id)
	copy(data[off:], "\xbf\xff\xff\xff\xff\xff\x7f") // a blob of some terabytes
	if _, _, err := s.Reader().Read(id, most); !errors.Is(err, ErrTooLarge) {
		t.Errorf("a forged size: %v", err)
	}
}

// TestCircles: a difference whose base is itself has no end.
func TestCircles(t *testing.T) {
	id := bytes.Repeat([]byte{7}, idSize)
	data := append(append([]byte("PACK\x00\x00\x00\x02\x00\x00\x00\x01\x70"), id...), make([]byte, 40)...)
	index := []byte("\xfftOc\x00\x00\x00\x02")
	for i := range 256 {
		index = binary.BigEndian.AppendUint32(index, uint32(min(1, i/7)))
	}
	index = append(append(index, id...), 0, 0, 0, 0, 0, 0, 0, packHead)
	index = append(index, make([]byte, 2*idSize)...)
	s, err := inMemory(index, data)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Reader().Read(ID(id), most); !errors.Is(err, ErrDamaged) {
		t.Errorf("a circle: %v", err)
	}
}
