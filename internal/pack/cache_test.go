package pack

import (
	"bytes"
	"crypto/sha1"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
)

// manyBlobs is the object folder of a repository with more objects than a few
// segments hold.
func manyBlobs(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	var in bytes.Buffer
	for i := range 6 * segmentObjects {
		text := fmt.Sprintf("%0200d\n", i)
		fmt.Fprintf(&in, "blob\ndata %d\n%s\n", len(text), text)
	}
	for _, args := range [][]string{{"init", "-q"}, {"fast-import", "--quiet"}} {
		cmd := exec.Command("git", append([]string{"-C", dir}, args...)...)
		if args[0] == "fast-import" {
			cmd.Stdin = &in
		}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	return filepath.Join(dir, ".git/objects")
}

// readThrough reads all objects of a store, a stretch at a time, and looks at those of
// a stretch only when it is read.
func readThrough(t *testing.T, s *Store, from int) {
	r, x := s.Reader(), &s.packs[0].index
	var ids []ID
	var held [][]byte
	var whole []byte
	for i := range x.count {
		id := ID(x.id((from + i) % x.count))
		_, data, err := r.Read(id, most)
		if err != nil {
			t.Error(err)
			return
		}
		if ids, held = append(ids, id), append(held, data); len(held) < 500 {
			continue
		}
		for j, data := range held {
			whole = fmt.Appendf(whole[:0], "blob %d\x00%s", len(data), data)
			if got := sha1.Sum(whole); got != ids[j] {
				t.Errorf("%v became %q while it was in use", ids[j], data)
				return
			}
		}
		ids, held = ids[:0], held[:0]
		r.Forget()
	}
	r.Forget()
}

func TestMemoryIsNotUsedAgainWhileSomebodyReadsIt(t *testing.T) {
	s, err := Open(manyBlobs(t), 2*segmentRoom)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var readers sync.WaitGroup
	for i := range 3 {
		readers.Go(func() {
			for round := range 2 {
				readThrough(t, s, (3*i+round)*segmentObjects/2)
			}
		})
	}
	readers.Wait()
}

func TestMemoryIsUsedAgain(t *testing.T) {
	s, err := Open(manyBlobs(t), 2*segmentRoom)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	readThrough(t, s, 0)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	const rounds = 5
	for range rounds {
		readThrough(t, s, 0)
	}
	runtime.ReadMemStats(&after)
	filled := int64(rounds * s.packs[0].index.count / segmentObjects * segmentRoom)
	if took := int64(after.TotalAlloc - before.TotalAlloc); took > filled/2 {
		t.Errorf("%d bytes, for segments of %d that nobody used", took, filled)
	}
}
