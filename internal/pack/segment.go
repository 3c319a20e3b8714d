package pack

// segment is a piece of memory with objects in it, filled by one reader.
type segment struct {
	objects []object
	room    []byte // for the data of objects; what is not used yet
	whole   []byte // all of the room
	apart   int64  // bytes of data too large for the room
	since   uint64 // which of those that left the cache it was
}

// What a segment holds. An object above tooLarge has memory of its own.
const (
	segmentObjects = 1 << 10
	segmentRoom    = 512 << 10
	tooLarge       = segmentRoom / 8
)

// add makes an object of size bytes, which are not zero. It is nil where the segment is full.
func (s *segment) add(at place, kind Kind, size int) *object {
	if s.whole == nil {
		s.objects, s.whole = make([]object, 0, segmentObjects), make([]byte, segmentRoom)
		s.room = s.whole
	}
	if len(s.objects) == cap(s.objects) || s.apart > segmentRoom {
		return nil
	}
	var data []byte
	switch {
	case size > tooLarge:
		data, s.apart = make([]byte, size), s.apart+int64(size)
	case size > len(s.room):
		return nil
	default:
		data, s.room = s.room[:size:size], s.room[size:]
	}
	s.objects = append(s.objects, object{at, kind, data})
	return &s.objects[len(s.objects)-1]
}

func (s *segment) size() int64 { return int64(len(s.whole)) + s.apart }

func (s *segment) clear() {
	clear(s.objects) // lets go of what has memory of its own
	s.objects, s.room, s.apart = s.objects[:0], s.whole, 0
}
