package transcript

import "bytes"

// scanner cuts a stream of chunks into lines. A line that lies within one
// chunk is yielded in place; only one that spans chunks is copied.
type scanner struct {
	end   int64  // offset after the last complete line
	part  []byte // the beginning of a line that spans chunks
	long  int64  // when above 0: length so far of a line that is passed over
	yield func(start int64, line []byte)
}

// take cuts the next chunk.
func (s *scanner) take(b []byte) {
	for {
		i := bytes.IndexByte(b, '\n')
		if i < 0 {
			s.keep(b)
			return
		}
		s.line(b[:i])
		b = b[i+1:]
	}
}

// line ends a line whose last piece is b.
func (s *scanner) line(b []byte) {
	length := s.long + int64(len(s.part)) + int64(len(b))
	start := s.end
	s.end += length + 1
	if length <= MaxLine {
		if len(s.part) > 0 {
			b = append(s.part, b...)
			s.part = b
		}
		s.yield(start, b)
	}
	s.long, s.part = 0, s.part[:0]
}

// keep remembers a piece of a line that has not ended yet; once the line is
// too long only its length is kept.
func (s *scanner) keep(b []byte) {
	if s.long == 0 && len(s.part)+len(b) <= MaxLine {
		s.part = append(s.part, b...)
		return
	}
	s.long += int64(len(s.part)) + int64(len(b))
	s.part = nil
}
