package repo

import (
	"encoding/hex"

	"checkrein/internal/pack"
)

// contentID is the id of a content, in bytes: histories have hundreds of thousands of
// them, which as text would take twice the room and a piece of memory each. The zero
// value stands for none.
type contentID struct {
	size  uint8 // 20, or 32 in a repository of SHA-256; 0 for none
	bytes [32]byte
}

// contentOf is the id that git prints as text; git prints zeros for none.
func contentOf(text string) (id contentID) {
	n, err := hex.Decode(id.bytes[:], []byte(text[:min(len(text), 2*len(id.bytes))]))
	if err != nil || id.bytes == [32]byte{} {
		return contentID{}
	}
	id.size = uint8(n)
	return id
}

// packed is the id as package pack has it.
func packed(p pack.ID) (id contentID) {
	if p != (pack.ID{}) {
		id.size = uint8(copy(id.bytes[:], p[:]))
	}
	return id
}

func (id contentID) none() bool { return id.size == 0 }

// pack is false for an id that package pack doesn't read.
func (id contentID) pack() (p pack.ID, ok bool) {
	copy(p[:], id.bytes[:])
	return p, int(id.size) == len(p)
}

// String is the id as git prints it, "" for none.
func (id contentID) String() string { return hex.EncodeToString(id.bytes[:id.size]) }
