package transcript

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// TestStream: the same lines as a read of a file, whatever their length.
func TestStream(t *testing.T) {
	text := "one\n\n" + strings.Repeat("l", 3*chunk) + "\ntwo\n" + strings.Repeat("x", MaxLine+1) + "\nthree\nhalf"
	for _, to := range []int64{math.MaxInt64, 4, 5} {
		var got []string
		end, err := Stream(strings.NewReader(text), to, func(start int64, line []byte) {
			if text[start:start+int64(len(line))] != string(line) {
				t.Errorf("line at %d is not what stands there", start)
			}
			got = append(got, fmt.Sprintf("%d+%d", start, len(line)))
		})
		long := 5 + 3*chunk + 1
		want := fmt.Sprintf("[0+3 4+0 5+%d %d+3 %d+5]", 3*chunk, long, long+4+MaxLine+2)
		wantEnd := int64(len(text) - len("half"))
		if to < 10 {
			want, wantEnd = map[int64]string{4: "[0+3]", 5: "[0+3 4+0]"}[to], to
		}
		if fmt.Sprint(got) != want || end != wantEnd || err != nil {
			t.Errorf("to %d: %v, end %d, %v; want %s, end %d", to, got, end, err, want, wantEnd)
		}
	}
}
