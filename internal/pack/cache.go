package pack

import "sync"

// place is where an object starts: the number of its pack, and the offset.
type place struct {
	pack int
	off  int64
}

// object is one that was read. Nobody may change data.
type object struct {
	kind Kind
	data []byte
}

// cache keeps objects that were read lately: neighbouring commits share most of
// their trees, and most objects are differences from one that was just read.
type cache struct {
	parts [32]part // so that goroutines seldom wait for each other
}

// part has two generations. When the young one is full, the old one goes, and the
// young one becomes the old. What is found in the old one is young again, so what
// goes is what was not asked for lately; a list in order of use would cost more
// than reading many an object anew.
type part struct {
	mu         sync.Mutex
	young, old map[place]object
	size       int // of the young
	most       int
}

// entryCost is about what an entry takes beside its data.
const entryCost = 128

func newCache(hold int) *cache {
	c := &cache{}
	for i := range c.parts {
		c.parts[i] = part{most: hold / len(c.parts) / 2, young: map[place]object{}}
	}
	return c
}

func (c *cache) part(at place) *part {
	const golden = 0x9e3779b97f4a7c15
	return &c.parts[(uint64(at.off)+uint64(at.pack))*golden>>59]
}

func (c *cache) get(at place) (object, bool) {
	p := c.part(at)
	p.mu.Lock()
	defer p.mu.Unlock()
	if o, ok := p.young[at]; ok {
		return o, true
	}
	o, ok := p.old[at]
	if ok {
		p.put(at, o)
	}
	return o, ok
}

func (c *cache) put(at place, o object) {
	p := c.part(at)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.put(at, o)
}

func (p *part) put(at place, o object) {
	cost := len(o.data) + entryCost
	if p.size+cost > p.most && p.size > 0 {
		p.young, p.old, p.size = make(map[place]object, len(p.young)), p.young, 0
	}
	p.young[at] = o
	p.size += cost
}
