package pack

import "sync/atomic"

// place is where an object starts: the number of its pack, and the offset.
type place struct {
	pack int
	off  int64
}

// object is one that was read. Nobody may change it.
type object struct {
	at   place
	kind Kind
	data []byte
}

// cache keeps objects that were read lately: neighbouring commits share most of
// their trees, and most objects are differences from one that was just read. Each
// place has one slot, where the next object of that slot replaces it; beyond its
// bound the cache drops slots in turn. That forgets now and then what an order of
// use would keep, but readers never wait for each other.
type cache struct {
	slots [1 << slotBits]atomic.Pointer[object]
	size  atomic.Int64
	next  atomic.Uint32 // the slot to drop
	most  int64
}

const slotBits = 16

// cost is about what an object takes.
func (o *object) cost() int64 {
	if o == nil {
		return 0
	}
	return int64(len(o.data)) + 64
}

func (c *cache) slot(at place) *atomic.Pointer[object] {
	const golden = 0x9e3779b97f4a7c15 // Knuth's multiplicative hashing
	return &c.slots[(uint64(at.off)+uint64(at.pack))*golden>>(64-slotBits)]
}

func (c *cache) get(at place) *object {
	if o := c.slot(at).Load(); o != nil && o.at == at {
		return o
	}
	return nil
}

func (c *cache) put(o *object) {
	old := c.slot(o.at).Swap(o)
	size := c.size.Add(o.cost() - old.cost())
	for i := 0; size > c.most && i < len(c.slots); i++ {
		dropped := c.slots[c.next.Add(1)%uint32(len(c.slots))].Swap(nil)
		size = c.size.Add(-dropped.cost())
	}
}
