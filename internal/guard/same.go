package guard

import (
	"encoding/binary"

	"checkrein/internal/harness"
)

// sameResults tell how often calls gave the same result, one entry a call, the one used
// last at the end.
type sameResults []sameResult

const maxSame = 32

type sameResult struct {
	call   ID
	output uint64
	times  uint16
	waited bool // there was a wait: it is a poll, and may repeat longer
}

// before takes a call that is about to run: what may change something makes
// other calls' results stale, and a wait makes polls of them.
func (s *sameResults) before(call ID, t traits) {
	switch {
	case t.has(waiting):
		for i := range *s {
			(*s)[i].waited = true
		}
	case t.has(changes):
		own := s.find(call)
		if *s = nil; own != nil {
			*s = sameResults{*own}
		}
	}
}

func (s sameResults) find(call ID) *sameResult {
	for i := range s {
		if s[i].call == call {
			found := s[i]
			return &found
		}
	}
	return nil
}

// learn counts a result. One that is not as the last time is progress, so that
// no poll starts where the last one was.
func (s *sameResults) learn(c pastCall) {
	if c.output == 0 || c.result != harness.Succeeded && c.result != harness.Failed {
		return
	}
	entry := sameResult{c.call, c.output, 1, c.traits.has(waiting)}
	for i, old := range *s {
		if old.call != c.call {
			continue
		}
		*s = append((*s)[:i], (*s)[i+1:]...)
		if old.output == c.output {
			entry.times, entry.waited = min(old.times, 1<<15)+1, entry.waited || old.waited
		} else {
			s.restart()
		}
		break
	}
	*s = last(append(*s, entry), maxSame)
}

func (s sameResults) restart() {
	for i := range s {
		if s[i].waited {
			s[i].times = 1
		}
	}
}

const sameSize = 8 + 8 + 2 + 1

func packedSame(f *form, s *sameResults) {
	if f.d == nil {
		b := make([]byte, 0, len(*s)*sameSize)
		for _, c := range *s {
			b = binary.BigEndian.AppendUint64(append(b, c.call[:]...), c.output)
			b = binary.BigEndian.AppendUint16(b, c.times)
			b = append(b, map[bool]byte{true: 1}[c.waited])
		}
		f.hex(b)
		return
	}
	b := f.unhex()
	for *s = nil; len(b) >= sameSize; b = b[sameSize:] {
		*s = append(*s, sameResult{ID(b[:8]), binary.BigEndian.Uint64(b[8:16]), binary.BigEndian.Uint16(b[16:18]), b[18] == 1})
	}
}
