package grade

import (
	"slices"
	"strings"
)

// unformatted is a line whose TAP is read and not made nice to look at: the programs
// that do that leave nothing of it to read.
func unformatted(line string) string {
	at := strings.LastIndex(line, " | ")
	if at < 0 {
		return line
	}
	words := strings.Fields(line[at+3:])
	if len(words) > 1 && words[0] == "npx" {
		words = words[1:]
	}
	if len(words) == 0 || strings.ContainsAny(line[at+3:], ">&;|") || !slices.Contains(formatters(), words[0]) {
		return line
	}
	return line[:at]
}

func formatters() []string {
	return []string{"tap-arc", "tap-diff", "tap-difflet", "tap-dot", "tap-min", "tap-mocha-reporter", "tap-nyan", "tap-spec", "tap-summary", "faucet"}
}
