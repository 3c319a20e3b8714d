package pack

import (
	"sync"
	"sync/atomic"
)

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
// place has one slot, where the next object of that slot replaces it, so that readers
// never wait for each other.
//
// The objects lie in segments, which leave the cache in the order they were filled.
// The memory of one is used again as soon as no reader can have anything of it: a
// history makes far more objects than it keeps, and new memory takes longer to come
// by than most objects take to read.
type cache struct {
	slots [1 << slotBits]atomic.Pointer[object]

	mu      sync.Mutex
	filled  []*segment // in the cache, oldest first
	left    []*segment // out of it, but readers may still use their objects; oldest first
	held    int64      // bytes that filled takes
	enough  int64      // what held may come to for now
	most    int64      // bound of enough
	now     uint64     // how many segments have left
	reading map[*Reader]uint64
}

const slotBits = 17

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

func (c *cache) put(o *object) { c.slot(o.at).Store(o) }

// begin notes that a reader may have objects from now on, end that it has none.
func (c *cache) begin(r *Reader) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.reading == nil {
		c.reading = map[*Reader]uint64{}
	}
	c.reading[r] = c.now
}

func (c *cache) end(r *Reader) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.reading, r)
}

// turnIn takes a segment that is full, nil for none, for an empty one. It was filled
// for so many reads.
func (c *cache) turnIn(full *segment, reads int) *segment {
	c.mu.Lock()
	defer c.mu.Unlock()
	if full != nil {
		c.filled, c.held = append(c.filled, full), c.held+full.size()
		c.grow(len(full.objects), reads)
	}
	for c.held > c.enough && len(c.filled) > 0 {
		c.drop(c.filled[0])
		c.filled = c.filled[1:]
	}
	return c.empty()
}

// grow makes a full cache larger when more than a fifth of the objects made were not
// asked for but lay on the way to one: they, or later ones, had been dropped too
// early. A cache no larger than it must be is the faster one, as more of it is near
// the processor.
func (c *cache) grow(made, reads int) {
	if c.enough == 0 {
		c.enough = c.most / 4
	}
	if c.held > c.enough && made > reads+reads/4 {
		c.enough = min(2*c.enough, c.most)
	}
}

// drop takes a segment's objects out of the cache: no reader can find them any more.
func (c *cache) drop(s *segment) {
	for i := range s.objects {
		c.slot(s.objects[i].at).CompareAndSwap(&s.objects[i], nil)
	}
	c.now++
	c.held -= s.size()
	s.since = c.now
	c.left = append(c.left, s)
}

// mostLeft bounds the segments that wait for readers; beyond, they are the garbage
// collector's.
const mostLeft = 16

// empty is the oldest segment that every reader has begun after it was dropped, or a
// new one.
func (c *cache) empty() *segment {
	if len(c.left) > mostLeft {
		c.left = c.left[1:]
	}
	if len(c.left) == 0 {
		return &segment{}
	}
	s := c.left[0]
	for _, since := range c.reading {
		if since < s.since {
			return &segment{}
		}
	}
	c.left = c.left[1:]
	s.clear()
	return s
}
