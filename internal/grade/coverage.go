package grade

import (
	"slices"
	"strings"
)

// unbounded is a line in which c8 or nyc, which start a runner, ask for no bound of
// coverage: what code misses is no test, and its exit code is none's.
func unbounded(line string, whole, c command) (string, command) {
	at := slices.IndexFunc(whole[:len(whole)-len(c)], func(w word) bool { return w.text == "c8" || w.text == "nyc" })
	if at < 0 {
		return line, c
	}
	longer := -len(line)
	for i := len(whole) - len(c) - 1; i > at; i-- {
		if name, _, _ := strings.Cut(whole[i].text, "="); name == "--check-coverage" || name == "--100" {
			line = line[:whole[i-1].to] + line[whole[i].to:]
		}
	}
	line = insert(line, whole[at], " --check-coverage=false")
	longer += len(line)
	moved := slices.Clone(c)
	for i := range moved {
		moved[i].from, moved[i].to = moved[i].from+longer, moved[i].to+longer
	}
	return line, moved
}
