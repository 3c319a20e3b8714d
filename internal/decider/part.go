package decider

import (
	"bytes"
	"slices"
	"strings"
)

// part is a piece of a file. The parts of a file, joined, are the file.
type part struct {
	name string // what it is; "" for what is never asked for
	text []byte
	// Commas stand in JSON between what ends a member and what begins one. A part
	// without either is not of JSON, or is a brace.
	begins, ends, json bool
}

// same compares what parts say. White space around them is nobody's edit: it
// moves when a part is put elsewhere.
func same(a, b part) bool { return bytes.Equal(bytes.TrimSpace(a.text), bytes.TrimSpace(b.text)) }

// named gathers the parts of each name that decides, in their order.
func named(parts []part, decides func(part) bool) map[string][]part {
	out := map[string][]part{}
	for _, p := range parts {
		if p.name != "" && decides(p) {
			out[p.name] = append(out[p.name], p)
		}
	}
	return out
}

// differing are the names that decide and don't say the same in both, in the
// order in which they appear.
func differing(before, after []part, decides func(part) bool) []string {
	a, b := named(before, decides), named(after, decides)
	var out []string
	seen := map[string]bool{}
	for _, p := range slices.Concat(before, after) {
		if !seen[p.name] && !slices.EqualFunc(a[p.name], b[p.name], same) {
			out = append(out, p.name)
		}
		seen[p.name] = true
	}
	return out
}

// merge is after, with the parts that decide as they are in before. Parts that
// are in both keep after's place; what after lacks comes behind what it stood
// behind.
func merge(before, after []part, decides func(part) bool) (merged []part, names []string) {
	names = differing(before, after, decides)
	old := named(before, decides)
	var out []part
	undone, placed := map[string]bool{}, map[string]bool{}
	for _, name := range names {
		undone[name] = true
	}
	for _, p := range after {
		switch {
		case !undone[p.name]:
			out = append(out, p)
		case !placed[p.name]:
			out, placed[p.name] = append(out, old[p.name]...), true
		}
	}
	for i, p := range before {
		if undone[p.name] && !placed[p.name] {
			at := behind(out, before[:i])
			out, placed[p.name] = slices.Insert(out, at, old[p.name]...), true
		}
	}
	return out, names
}

// behind is where a part belongs whose predecessors are known: behind the last of
// them that is there.
func behind(parts, predecessors []part) int {
	for _, p := range slices.Backward(predecessors) {
		for i, there := range slices.Backward(parts) {
			if p.name != "" && there.name == p.name {
				return i + 1
			}
		}
	}
	return len(parts)
}

// join puts parts together. A part that ended its file without a newline gets one
// when something follows it now.
func join(parts []part) []byte {
	out := []byte{} // an empty file is no missing one
	lineEnd := "\n"
	for i, p := range parts {
		if bytes.Contains(p.text, []byte("\r\n")) {
			lineEnd = "\r\n"
		}
		switch last := len(out) - 1; {
		case i > 0 && parts[i-1].ends && p.begins:
			out = append(out, ',')
		case p.json:
		case last >= 0 && out[last] != '\n' && len(p.text) > 0:
			out = append(out, lineEnd...)
		}
		out = append(out, p.text...)
	}
	return out
}

// lines cuts a text behind each newline.
func lines(text []byte) []string {
	var out []string
	for line := range strings.Lines(string(text)) {
		out = append(out, line)
	}
	return out
}
