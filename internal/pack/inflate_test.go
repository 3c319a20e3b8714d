package pack

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"hash/adler32"
	"io"
	"math/rand/v2"
	"testing"
)

// samples are contents that zlib packs in its several ways.
func samples() [][]byte {
	r := rand.New(rand.NewPCG(3, 4))
	noise := make([]byte, 70000)
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	var text []byte
	for i := range 4000 {
		text = fmt.Appendf(text, "line %d of %d says %d\n", i, r.IntN(9), r.Uint64())
	}
	return [][]byte{nil, []byte("a"), []byte("added by 7\n"), bytes.Repeat([]byte("ab"), 5000), make([]byte, 100000), noise[:100], noise, text[:300], text}
}

func deflated(t testing.TB, data []byte, level int) []byte {
	var out bytes.Buffer
	w, err := zlib.NewWriterLevel(&out, level)
	if err == nil {
		_, err = w.Write(data)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestInflate(t *testing.T) {
	var f inflater
	for i, data := range samples() {
		for level := zlib.HuffmanOnly; level <= zlib.BestCompression; level++ {
			packed := deflated(t, data, level)
			out := make([]byte, len(data))
			if err := f.inflate(out, append(packed[:len(packed):len(packed)], "next"...)); err != nil || !bytes.Equal(out, data) {
				t.Errorf("sample %d, level %d: %v", i, level, err)
			}
			if err := f.inflate(out, packed[:len(packed)-1]); err == nil {
				t.Errorf("sample %d, level %d: a cut stream passes", i, level)
			}
			if err := f.inflate(make([]byte, len(data)+1), packed); err == nil {
				t.Errorf("sample %d, level %d: too few bytes pass", i, level)
			}
			if len(data) > 0 && f.inflate(make([]byte, len(data)-1), packed) == nil {
				t.Errorf("sample %d, level %d: too many bytes pass", i, level)
			}
		}
	}
}

// FuzzInflate: the same streams pass as in the standard library, and are the
// same there, but for codes without an end of the block, which zlib refuses.
func FuzzInflate(f *testing.F) {
	for _, data := range samples() {
		if len(data) <= 10000 {
			for _, level := range []int{zlib.HuffmanOnly, zlib.NoCompression, zlib.BestSpeed, zlib.BestCompression} {
				f.Add(deflated(f, data, level)[2:])
			}
		}
	}
	var in inflater
	f.Fuzz(func(t *testing.T, blocks []byte) {
		rest := bytes.NewReader(blocks)
		want, wantErr := io.ReadAll(io.LimitReader(flate.NewReader(rest), 1<<20))
		stream := append([]byte{0x78, 0x9c}, blocks[:len(blocks)-rest.Len()]...)
		stream = binary.BigEndian.AppendUint32(stream, adler32.Checksum(want))
		got := make([]byte, len(want))
		err := in.inflate(got, stream)
		if err == nil && (wantErr != nil || !bytes.Equal(got, want)) {
			t.Errorf("passes; the standard library says %v", wantErr)
		}
		if err != nil && wantErr == nil && len(want) < 1<<20 {
			t.Errorf("does not pass: %v", err)
		}
	})
}
