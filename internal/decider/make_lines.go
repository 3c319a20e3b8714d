package decider

import "strings"

// splitMake cuts a make file, or a justfile, into rules, variables and the rest.
func splitMake(text []byte) []part {
	var parts []part
	going, depth := false, 0 // the line goes on; inside define
	for _, line := range lines(text) {
		trimmed := strings.TrimSpace(line)
		name, kind := makeLine(trimmed)
		switch {
		case going || depth > 0, kind == makeBody && len(parts) > 0, (line[0] == '\t' || line[0] == ' ') && len(parts) > 0 && trimmed != "":
			last := &parts[len(parts)-1]
			last.text = append(last.text, line...)
		default:
			parts = append(parts, part{name: name, text: []byte(line)})
		}
		going = strings.HasSuffix(strings.TrimRight(line, "\r\n"), `\`)
		depth = max(depth+defines(trimmed), 0)
	}
	return parts
}

type makeKind int

const (
	makeOther makeKind = iota
	makeBody           // belongs to what stands before
)

func defines(line string) int {
	word, _, _ := strings.Cut(line, " ")
	switch word {
	case "define":
		return 1
	case "endef":
		return -1
	}
	return 0
}

// makeLine names what a line begins.
func makeLine(line string) (name string, kind makeKind) {
	word, _, _ := strings.Cut(strings.ReplaceAll(line, "\t", " "), " ")
	switch {
	case line == "", line[0] == '#':
		return "", makeOther
	case line == "endif", line == "endef":
		return structure, makeOther
	}
	switch strings.TrimPrefix(word, "-") {
	case "include", "sinclude", "define", "export", "unexport", "override", "private", "undefine", "vpath", "load", "set", "import", "mod",
		"ifeq", "ifneq", "ifdef", "ifndef", "else", "endif":
		return structure, makeOther
	}
	colon := strings.IndexByte(line, ':')
	equal := strings.IndexByte(line, '=')
	switch {
	case equal > 0 && (colon < 0 || equal < colon || strings.Trim(line[colon:equal], ":") == ""):
		return variable + strings.TrimSpace(strings.TrimRight(line[:equal], ":?+! ")), makeOther
	case colon > 0:
		return strings.Join(strings.Fields(line[:colon]), " "), makeOther
	}
	return structure, makeOther
}
