package history

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"

	"github.com/go-json-experiment/json"

	"checkrein/internal/harness"
	"checkrein/internal/usage"
)

var errDamaged = errors.New("the cache is damaged, or another program's")

// parser reads a cache. After a damage it reads zeros, and says so at the end.
type parser struct {
	data  []byte
	names []string
	bad   bool
}

func decode(data []byte, build string) (map[string]*entry, error) {
	const sum = 4
	if len(data) < len(format)+sum || string(data[:len(format)]) != format {
		return nil, errDamaged
	}
	body := data[:len(data)-sum]
	if crc32.ChecksumIEEE(body) != binary.LittleEndian.Uint32(data[len(body):]) {
		return nil, errDamaged
	}
	p := &parser{data: body[len(format):]}
	if p.name() != build {
		return nil, errDamaged
	}
	n := p.count(10)
	entries := make(map[string]*entry, n)
	for range n {
		e := p.entry()
		entries[e.path] = e
	}
	if p.bad || len(p.data) > 0 {
		return nil, errDamaged
	}
	return entries, nil
}

func (p *parser) fail() {
	p.bad, p.data = true, nil
}

func (p *parser) uint() uint64 {
	n, size := binary.Uvarint(p.data)
	if size <= 0 {
		p.fail()
		return 0
	}
	p.data = p.data[size:]
	return n
}

func (p *parser) int() int64 {
	n, size := binary.Varint(p.data)
	if size <= 0 {
		p.fail()
		return 0
	}
	p.data = p.data[size:]
	return n
}

func (p *parser) bytes(n uint64) []byte {
	if n > uint64(len(p.data)) {
		p.fail()
		return nil
	}
	b := p.data[:n]
	p.data = p.data[n:]
	return b
}

// count is a number of things that take at least size bytes each.
func (p *parser) count(size int) int {
	n := p.uint()
	if n > uint64(len(p.data)/size) {
		p.fail()
		return 0
	}
	return int(n)
}

func (p *parser) name() string {
	n := p.uint()
	switch {
	case n < uint64(len(p.names)):
		return p.names[n]
	case n > uint64(len(p.names)) || p.bad:
		p.fail()
		return ""
	}
	p.names = append(p.names, string(p.bytes(p.uint())))
	return p.names[n]
}

func (p *parser) entry() *entry {
	e := &entry{harness: p.name(), path: p.name()}
	e.stamp = stamp{size: p.int(), at: p.int(), inode: p.uint()}
	e.offset, e.tail = p.int(), uint32(p.uint())
	if err := json.Unmarshal([]byte(p.name()), &e.resume); err != nil {
		p.fail()
	}
	e.mark = p.int()
	for range p.count(6) {
		l := &usage.Log{Harness: e.harness}
		l.Path, l.Session, l.Project, l.Agent = p.name(), p.name(), p.name(), p.name()
		l.Responses = p.responses()
		l.Open = p.responses()
		e.logs = append(e.logs, l)
	}
	return e
}

func (p *parser) responses() []usage.Response {
	const least = 20 // bytes
	n := p.count(least)
	if n == 0 {
		return nil
	}
	list := make([]usage.Response, n)
	var before int64
	for i := range list {
		r := &list[i]
		copy(r.ID[:], p.bytes(uint64(len(r.ID))))
		before += p.int()
		r.At, r.Model = before, p.name()
		u := &r.Usage
		for _, to := range [...]*int64{
			&u.Input, &u.CacheRead, &u.CacheWrite, &u.CacheWrite1h, &u.Output, &u.Reasoning, &u.WebSearches, &r.Guessed,
		} {
			*to = p.int()
		}
		if b := p.bytes(1); len(b) == 1 {
			u.Terms = readTerms(b[0])
		}
		r.Told = math.Float64frombits(p.uint())
	}
	return list
}

// terms packs the terms of a request into a byte.
func terms(t harness.Terms) byte {
	b := byte(t.Tier) << 2
	if t.Fast {
		b |= 1
	}
	if t.Regional {
		b |= 2
	}
	return b
}

func readTerms(b byte) harness.Terms {
	return harness.Terms{Fast: b&1 != 0, Regional: b&2 != 0, Tier: harness.Tier(b >> 2)}
}
