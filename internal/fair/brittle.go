package fair

import (
	"fmt"
	"strings"
)

// Brittle counts lines of the hidden tests by what they pin down that a right
// solution need not have.
type Brittle struct {
	Messages  int `json:"exact_messages,omitzero"` // of errors
	Strings   int `json:"long_strings,omitzero"`
	Snapshots int `json:"snapshots,omitzero"`
	Timing    int `json:"timing,omitzero"`
	Floats    int `json:"exact_floats,omitzero"`
}

// ReadTests looks at what the hidden tests add.
func ReadTests(files []File) (b Brittle) {
	for _, f := range files {
		if snapshotFile(f.Path) {
			b.Snapshots++
			continue
		}
		for _, line := range f.Added {
			b.line(strings.TrimSpace(line))
		}
	}
	return b
}

func snapshotFile(path string) bool {
	return containsAny(path, ".snap", "__snapshots__", "golden", "/snapshots/")
}

// line counts one line, under the first that fits.
func (b *Brittle) line(line string) {
	const message, long, longestLine = 15, 40, 4 << 10
	if line == "" || len(line) > longestLine || strings.HasPrefix(line, "//") || strings.HasPrefix(line, "#") {
		return
	}
	literal, code := literals(line)
	switch asserts := asserts(line); {
	case containsAny(line, "MatchSnapshot(", "MatchInlineSnapshot(", "assert_snapshot", "snapshot.assert", "== snapshot", "insta::"):
		b.Snapshots++
	case containsAny(code, "sleep(", "Sleep(", "setTimeout(", "perf_counter(", "time.time()", "time.Since(", "Date.now()", "performance.now("):
		b.Timing++
	case asserts && literal >= message && containsAny(line, "rror", "essage", "xception", "hrow", "raises", "panic"):
		b.Messages++
	case asserts && literal >= long:
		b.Strings++
	case asserts && exactFloat(code) && !containsAny(line, "Delta", "Epsilon", "pprox", "CloseTo", "close", "Almost", "within"):
		b.Floats++
	}
}

func containsAny(text string, words ...string) bool {
	for _, word := range words {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

func asserts(line string) bool {
	return containsAny(line, "assert", "Assert", "expect", "should", "Equal", "==", "!=", "must_", "require.")
}

// literals measures a line's longest string and gives the rest of the line.
func literals(line string) (longest int, code string) {
	var out strings.Builder
	for i := 0; i < len(line); i++ {
		quote := line[i]
		out.WriteByte(quote)
		if quote != '"' && quote != '\'' && quote != '`' {
			continue
		}
		end := i + 1
		for end < len(line) && line[end] != quote {
			if line[end] == '\\' {
				end++
			}
			end++
		}
		longest, i = max(longest, min(end, len(line))-i-1), end
	}
	return longest, out.String()
}

// exactFloat tells whether code has a fraction that binary numbers don't hold.
func exactFloat(code string) bool {
	digit := func(i int) bool { return i >= 0 && i < len(code) && code[i] >= '0' && code[i] <= '9' }
	for i := range len(code) {
		if code[i] != '.' || !digit(i-1) || !digit(i+1) {
			continue
		}
		end := i + 1
		for digit(end) {
			end++
		}
		switch strings.TrimRight(code[i+1:end], "0") {
		case "", "5", "25", "75", "125", "375", "625", "875":
			continue
		}
		if end == len(code) || code[end] != '.' { // a version has more parts
			return true
		}
	}
	return false
}

// signs are what the counts say against a task.
func (b Brittle) signs() (out []sign) {
	const several = 3 // one exact string is common, and often the point of the change
	add := func(n, least int, what string) {
		if n >= least {
			out = append(out, sign{1, fmt.Sprintf("the tests %s (%d)", what, n)})
		}
	}
	add(b.Messages, several, "compare exact error messages")
	add(b.Strings, several, "compare long strings")
	add(b.Snapshots, 1, "compare snapshots")
	add(b.Timing, 1, "depend on time")
	add(b.Floats, several, "compare fractions exactly")
	return out
}
