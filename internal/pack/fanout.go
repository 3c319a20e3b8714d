package pack

import (
	"encoding/binary"
	"math/bits"
	"sync"
	"sync/atomic"
)

// fineFanout is a second table of counts as an index has one, by more than the first
// byte of the ids. Few ids are left to look at then, where a search in the index jumps
// through memory a dozen times.
type fineFanout struct {
	once  sync.Once
	table atomic.Pointer[fanout] // nil until it is made
}

// fanout holds, for the leading bits of ids, where in the index the first id is that
// has them or greater ones.
type fanout struct {
	firsts []uint32
	shift  int
}

// worthAFanout is how many objects are looked up before the table is made, as a part
// of those that the index has: making it reads the whole index once.
const worthAFanout = 64

// mostBits bounds a table: 4 MB.
const mostBits = 20

// refine makes the table, unless it is there.
func (x *index) refine() {
	x.fine.once.Do(func() { x.fine.table.Store(x.makeFanout()) })
}

func (x *index) makeFanout() *fanout {
	leading := min(max(bits.Len(uint(x.count))-1, 1), mostBits)
	f := &fanout{make([]uint32, 1<<leading+1), 32 - leading}
	next := 0
	for i := range x.count {
		for at := f.place(x.id(i)); next <= at; next++ {
			f.firsts[next] = uint32(i)
		}
	}
	for ; next < len(f.firsts); next++ {
		f.firsts[next] = uint32(x.count)
	}
	return f
}

func (f *fanout) place(id []byte) int { return int(binary.BigEndian.Uint32(id) >> f.shift) }

func (f *fanout) near(id *ID) (low, high int) {
	at := f.place(id[:])
	return int(f.firsts[at]), int(f.firsts[at+1])
}
