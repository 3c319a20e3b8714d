package redact

import (
	"strings"
	"unicode"
)

// Block makes untrusted text of several lines inert: secrets masked, control
// characters blank, everything else as it is, so that a patch or a prompt can be
// read as it was written. It is for a terminal, not for Markdown. Lines have at
// most limit characters.
func Block(text string, limit int) []string {
	var out []string
	for line := range strings.Lines(Secrets(text)) {
		line = strings.ReplaceAll(strings.TrimRight(line, "\r\n"), "\t", "    ")
		line = strings.Map(func(r rune) rune {
			if !unicode.IsPrint(r) {
				return ' '
			}
			return r
		}, line)
		out = append(out, cut(line, limit))
	}
	return out
}
