package decider

import "strings"

// decidesINI knows the sections of setup.cfg that decide. The keys of
// options.entry_points are parts of their own.
func decidesINI(name string) bool {
	switch name {
	case "pytest", "tool:pytest", "tox", "nox", "nosetests", "unittest", "aliases", "DEFAULT", "options.entry_points: pytest11":
		return true
	}
	return strings.HasPrefix(name, "coverage:") || strings.HasPrefix(name, "tox:") || strings.HasPrefix(name, "testenv")
}

const entryPoints = "options.entry_points"

// splitINI cuts a text into sections. Readers of INI differ in what an indented
// header is, so a text that has one is not read.
func splitINI(text []byte) ([]part, bool) {
	parts := []part{{name: "\x02top"}}
	section, blanks := "", []byte(nil)
	for _, line := range lines(text) {
		trimmed := strings.TrimSpace(line)
		name, isHeader := header(trimmed)
		indented := line[0] == ' ' || line[0] == '\t'
		switch {
		case isHeader && indented:
			return nil, false
		case isHeader:
			parts = append(parts, part{text: blanks}, part{name: name, text: []byte(line)})
			section, blanks = name, nil
			continue
		case trimmed == "" || trimmed[0] == '#' || trimmed[0] == ';':
			blanks = append(blanks, line...)
			continue
		case section == entryPoints && !indented:
			key, _, _ := strings.Cut(trimmed, "=")
			key, _, _ = strings.Cut(key, ":")
			parts = append(parts, part{text: blanks}, part{name: section + ": " + strings.TrimSpace(key), text: []byte(line)})
			blanks = nil
			continue
		}
		last := &parts[len(parts)-1]
		last.text = append(append(last.text, blanks...), line...)
		blanks = nil
	}
	return append(parts, part{text: blanks}), true
}

func header(line string) (name string, ok bool) {
	if !strings.HasPrefix(line, "[") {
		return "", false
	}
	name, _, ok = strings.Cut(line[1:], "]")
	return strings.TrimSpace(name), ok
}
