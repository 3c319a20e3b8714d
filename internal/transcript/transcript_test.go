//go:build unix

package transcript

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func write(t *testing.T, data string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.jsonl")
	if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func readTail(t *testing.T, path string, from int64) (got []string, end int64) {
	t.Helper()
	end, err := Tail(path, from, func(start int64, line []byte) {
		if len(line) > 40 {
			line = fmt.Appendf(nil, "%d bytes of %q", len(line), line[0])
		}
		got = append(got, fmt.Sprintf("%d %s", start, line))
	})
	if err != nil {
		t.Fatal(err)
	}
	return got, end
}

func TestTail(t *testing.T) {
	long := strings.Repeat("x", chunk+10)
	for _, c := range []struct {
		name, data string
		from       int64
		want       []string
		end        int64
	}{
		{"empty", "", 0, nil, 0},
		{"half a line", "abc", 0, nil, 0},
		{"a line and a half", "abc\nde", 0, []string{"0 abc"}, 4},
		{"blank lines", "\n\na\n", 0, []string{"0 ", "1 ", "2 a"}, 4},
		{"from an offset", "abc\nde\nf", 4, []string{"4 de"}, 7},
		{"from the end", "abc\n", 4, nil, 4},
		{"beyond the end", "abc\n", 9, nil, 9},
		{"carriage returns stay", "a\r\n", 0, []string{"0 a\r"}, 3},
		{"a line over two chunks", long + "\nb\n", 0, []string{fmt.Sprintf("0 %d bytes of 'x'", len(long)), fmt.Sprintf("%d b", len(long)+1)}, int64(len(long) + 3)},
		{"newline at the chunk's end", strings.Repeat("y", chunk-1) + "\nb\n", 0, []string{fmt.Sprintf("0 %d bytes of 'y'", chunk-1), fmt.Sprintf("%d b", chunk)}, chunk + 2},
		{"longest line", strings.Repeat("z", MaxLine) + "\n", 0, []string{fmt.Sprintf("0 %d bytes of 'z'", MaxLine)}, MaxLine + 1},
		{"too long", "a\n" + strings.Repeat("z", MaxLine+1) + "\nb\n", 0, []string{"0 a", fmt.Sprintf("%d b", MaxLine+4)}, MaxLine + 6},
		{"too long and unfinished", "a\n" + strings.Repeat("z", MaxLine+chunk), 0, []string{"0 a"}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, end := readTail(t, write(t, c.data), c.from)
			if diff := cmp.Diff(c.want, got); diff != "" || end != c.end {
				t.Errorf("end %d, want %d; lines -want +got\n%s", end, c.end, diff)
			}
		})
	}
}

func TestBetweenEndsBeforeTheOffset(t *testing.T) {
	path := write(t, "abc\nde\nfg\n")
	for to, want := range map[int64]string{0: "", 3: "", 4: "abc", 6: "abc", 7: "abc de", 99: "abc de fg"} {
		var got []string
		if _, err := Between(path, 0, to, func(_ int64, line []byte) { got = append(got, string(line)) }); err != nil {
			t.Fatal(err)
		}
		if g := strings.Join(got, " "); g != want {
			t.Errorf("up to %d: %q, want %q", to, g, want)
		}
	}
}

// TestHugeLineIsNotHeld: 200 MB without a newline are read in bounded memory.
func TestHugeLineIsNotHeld(t *testing.T) {
	path := write(t, "a\n")
	if err := os.Truncate(path, 200<<20); err != nil { // a hole: zero bytes that take no disk
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if got, end := readTail(t, path, 0); len(got) != 1 || end != 2 {
		t.Errorf("%q, end %d; want one line, end 2", got, end)
	}
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 4<<20 {
		t.Errorf("allocated %d MB", grown>>20)
	}
}

// TestOnlyPlainFiles: everything else is refused, and nothing blocks.
func TestOnlyPlainFiles(t *testing.T) {
	dir := t.TempDir()
	fifo, socket, secret := filepath.Join(dir, "fifo"), filepath.Join(dir, "socket"), filepath.Join(dir, "link")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if err := os.Symlink(filepath.Join(dir, "nothing"), secret); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, fifo, socket, "/dev/zero", "/dev/tty", filepath.Join(dir, "missing"), secret, "", "a\x00b"} {
		end, err := Tail(path, 7, func(int64, []byte) { t.Errorf("%q: a line", path) })
		if err == nil || end != 7 {
			t.Errorf("Tail(%q) = %d, %v; want 7 and an error", path, end, err)
		}
		if _, err := Matches(path, 0, 1, func([]byte) bool { return true }); err == nil {
			t.Errorf("Matches(%q): no error", path)
		}
		if _, err := First(path); err == nil {
			t.Errorf("First(%q): no error", path)
		}
	}
}

func TestSymlinkToAPlainFile(t *testing.T) {
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(write(t, "a\n"), link); err != nil {
		t.Fatal(err)
	}
	if got, _ := readTail(t, link, 0); len(got) != 1 {
		t.Errorf("lines %q, want one", got)
	}
}

func TestMatches(t *testing.T) {
	for _, at := range []int{0, 5, chunk - 3, chunk, chunk + 3, 2*chunk - 1, 3*chunk + 7} {
		path := write(t, strings.Repeat(".", at)+"needle"+strings.Repeat(".", chunk))
		for from, want := range map[int64]bool{0: true, int64(at): true, int64(at) + 1: false} {
			got, err := Matches(path, from, 6, func(b []byte) bool { return bytes.Contains(b, []byte("needle")) })
			if err != nil || got != want {
				t.Errorf("needle at %d, from %d: %v, %v; want %v", at, from, got, err, want)
			}
		}
	}
}

func TestFirst(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	for data, want := range map[string]string{
		"": "", "abc": "", "abc\n": "abc", "\nabc\n": "", long + "\ny": long, long: "",
	} {
		got, err := First(write(t, data))
		if err != nil || !bytes.Equal(got, []byte(want)) {
			t.Errorf("First of %d bytes: %d bytes, %v; want %d", len(data), len(got), err, len(want))
		}
	}
}

// FuzzTail: however a file grows, its lines come once, whole and in order.
func FuzzTail(f *testing.F) {
	f.Add([]byte("abc\n\nde\nf"), []byte{1, 2, 3})
	f.Add([]byte("\n"), []byte{0})
	f.Fuzz(func(t *testing.T, data, cuts []byte) {
		path := filepath.Join(t.TempDir(), "t")
		var got []byte
		offset, size := int64(0), 0
		for i := 0; size < len(data); i++ {
			step := 1
			if len(cuts) > 0 {
				step += int(cuts[i%len(cuts)])
			}
			size = min(len(data), size+step)
			if err := os.WriteFile(path, data[:size], 0o600); err != nil {
				t.Fatal(err)
			}
			end, err := Tail(path, offset, func(start int64, line []byte) {
				if start != int64(len(got)) {
					t.Fatalf("line at %d, want %d", start, len(got))
				}
				got = append(append(got, line...), '\n')
			})
			if err != nil {
				t.Fatal(err)
			}
			offset = end
		}
		if want := data[:bytes.LastIndexByte(data, '\n')+1]; !bytes.Equal(got, want) {
			t.Fatalf("read %q, want %q", got, want)
		}
	})
}
