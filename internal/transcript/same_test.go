package transcript

import (
	"fmt"
	"strings"
	"testing"
)

// TestSameText: what counts in a result, and what does not.
func TestSameText(t *testing.T) {
	long := strings.Repeat("x y ", 5000)
	cut := func(clock string) string { return strings.Repeat("x ", edge/2-2) + clock + " " } // only its first half is looked at
	tail := func(clock string) string { return clock + strings.Repeat(" x", edge/2-2) + "x" }
	for _, c := range []struct {
		a, b         string
		same, failed bool // whether they are the same, and whether they are where the call failed
	}{
		{"", " \\n", true, true},
		{"ok", "ok\\n", true, true},
		{"ok", "\\r\\n\\tok \n\\n\\n", true, true},
		{`C:\\n`, `C:\`, false, false},
		{"ok", "no", false, false},
		{"3 files", "4 files", false, true},
		{"at 12:34:56", "at 07:00:01", true, true},
		{"at 12:34:56", "at 7:00:01.123", true, true},
		{"12:34", "09:15", true, true},
		{"123:45:06", "124:45:06", false, true},
		{"12:34pm", "12:35pm", true, true},
		{"[2026-11-30T12:00:00Z] up", "[2026-12-01T08:30:59.5+01:00] up", true, true},
		{"2026-11-30 12:00:00,123 INFO", "2027-01-01 23:59:59,999 INFO", true, true},
		{"2026/11/30", "2026/12/01", true, true},
		{"30.11.2026", "1.12.2026", true, true},
		{"20261130T101619Z", "20261201T000000Z", true, true},
		{"Mon Nov 30 18:43:52 UTC 2026", "Mon Nov  9 08:01:02 UTC 2026", true, true},
		{"30 Nov 2026 18:43:52 GMT", "1 Dec 2026 00:00:00 GMT", true, true},
		{"Marc 30", "Marc 31", false, true},
		{`a\n0.53s`, `a\n12.1s`, true, true},
		{"(0.00s)", "(11.50s)", true, true},
		{"in 3 seconds", "in 14 seconds", true, true},
		{"12ms", "1.5s", true, true},
		{"1m20s", "59s", true, true},
		{`real\t0m0.532s`, `real\t12m1.001s`, true, true},
		{"Time: 1.2 s, estimated 2 s", "Time: 0.9 s, estimated 1 s", true, true},
		{"15µs", "9ns", true, true},
		{"2 hours ago", "3 hours ago", true, true},
		{"3 sheep", "4 sheep", false, true},
		{"5 m of rope", "6 m of rope", false, true},
		{"1.2.3", "1.2.4", false, true},
		{"v2s", "v3s", false, true},
		{"10.0.0.1:8080", "10.0.0.1:8081", false, true},
		{"main.go:12:34: oops", "main.go:13:34: oops", false, true},
		{"16:9", "4:3", false, true},
		{"34% in 12s", "35% in 12s", false, true},
		{"34% in 12s", "34% in 13s", true, true},
		{"commit a3f9c12", "commit b41d7e0", false, true},
		{"commit a3f9c12", "commit a3f9c1", false, false},
		{"id 4f9d6c1e-0698-4ed8-b10b-da140d276d39", "id 23dbff23-aaaa-bbbb-cccc-000000000000", false, true},
		{"at 0x7fff1234", "at 0xc00012ab", false, true},
		{"exit 1", "exit 22", false, true},
		{"5 failed, 7 passed in 0.41s", "4 failed, 8 passed in 0.39s", false, false},
		{"5 failed, 7 passed in 0.41s", "5 failed, 7 passed in 0.39s", true, true},
		{"Tests:       5 failed, 12 total", "Tests:       4 failed, 12 total", false, false},
		{"FAILED. 3 passed; 2 failed; 0 ignored", "FAILED. 4 passed; 1 failed; 0 ignored", false, false},
		{`x\n  3 failing`, `x\n  2 failing`, false, false},
		{"Found 24 errors in 3 files.", "Found 12 errors in 3 files.", false, false},
		{"could not compile due to 5 previous errors", "could not compile due to 4 previous errors", false, false},
		{"Tests run: 10, Failures: 2, Errors: 1", "Tests run: 10, Failures: 1, Errors: 1", false, false},
		{"3 tests failed out of 12", "2 tests failed out of 12", false, false},
		{"job 81 failed", "job 82 failed", false, true},
		{"build #81 failed", "build #82 failed", false, true},
		{"line 81: failed", "line 82: failed", false, true},
		{"port: 81", "port: 82", false, true},
		{"81 failedly", "82 failedly", false, true},
		{"main.go", "mine.go", false, false},
		{`\u001b[32mok`, `\u001b[31mno`, false, false},
		{`\u001bx`, `\u002bx`, false, false},
		{long + "1", long + "2", false, true},
		{long + "a", long + "b", false, false},
		{long + long, long, false, true},
		{cut("12:34:56") + long, cut("07:08:09") + long, true, true},
		{long + tail("12:34:56"), long + tail("07:08:09"), true, true},
		{strings.Repeat("a", 9000) + "x" + strings.Repeat("a", 9000), strings.Repeat("a", 18001), true, true},
	} {
		for _, failed := range []bool{false, true} {
			want := c.same
			if failed {
				want = c.failed
			}
			if got := SameText(failed, []byte(c.a)) == SameText(failed, []byte(c.b)); got != want {
				t.Errorf("failed %v: %.60q and %.60q: same %v, want %v", failed, c.a, c.b, got, want)
			}
		}
	}
}

// TestSameTextStays: the state files of one process are read by the next, maybe
// of another version.
func TestSameTextStays(t *testing.T) {
	for text, want := range map[string]uint64{
		"":                       0x71ed8441a71e6bf0,
		"ok  \tpkg\t0.531s, all": 0x7bb9144583cba9c2,
	} {
		if got := SameText(false, []byte(text)); got != want {
			t.Errorf("%q: %#x, want %#x", text, got, want)
		}
	}
	if SameText(false, []byte("ab")) == SameText(false, []byte("a"), []byte("b")) {
		t.Error("two parts are the same as one")
	}
}

// FuzzSameText: no text makes it panic or 0, and the time of day changes nothing.
func FuzzSameText(f *testing.F) {
	f.Add("ok at ", " done", uint32(3), uint32(86399))
	f.Add(`\n\u001b[3`, "m 12ms 2026-11-30", uint32(0), uint32(40000))
	f.Add("deadbee", "f00d", uint32(1), uint32(2))
	f.Fuzz(func(t *testing.T, before, after string, one, two uint32) {
		at := func(s uint32) []byte {
			return fmt.Appendf(nil, "%s %02d:%02d:%02d %s", before, s/3600%24, s/60%60, s%60, after)
		}
		for _, failed := range []bool{false, true} {
			a, b := SameText(failed, at(one)), SameText(failed, at(two))
			if a == 0 || a != b {
				t.Fatalf("failed %v: %q gives %#x, %q %#x", failed, at(one), a, at(two), b)
			}
		}
	})
}

func BenchmarkSameText(b *testing.B) {
	for name, unit := range map[string]string{
		"code":    `\tif err != nil {\n\t\treturn fmt.Errorf(\"reading %s: %w\", path, err)\n\t}\n`,
		"numbers": `1234 0.5 17 `,
		"log":     `2026-11-30 12:00:00,123 INFO worker 7 took 12ms for 3 rows\n`,
	} {
		text := []byte(strings.Repeat(unit, 8000/len(unit)))
		for _, failed := range []bool{false, true} {
			b.Run(fmt.Sprint(name, "/failed=", failed), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					SameText(failed, text)
				}
			})
		}
	}
}
