package decider

import "strings"

// decidesGoMod: what puts other code in a module's place or chooses the Go that
// runs. Requirements stay the agent's.
func decidesGoMod(name string) bool {
	switch name {
	case "replace", "exclude", "toolchain", "godebug", "ignore":
		return true
	}
	return false
}

// splitGoMod cuts a go.mod into its directives, a block in parentheses being one.
func splitGoMod(text []byte) ([]part, bool) {
	var parts []part
	block := false
	for _, line := range lines(text) {
		code, _, _ := strings.Cut(line, "//")
		code = strings.TrimSpace(code)
		switch {
		case strings.ContainsAny(code, "`\""):
			if strings.Count(code, "`")%2 != 0 || strings.Count(code, "\"")%2 != 0 { // goes on in the next line, perhaps
				return nil, false
			}
		case strings.Contains(code, "/*"):
			return nil, false
		}
		switch {
		case block:
			last := &parts[len(parts)-1]
			last.text = append(last.text, line...)
			block = code != ")"
		case code == "":
			parts = append(parts, part{text: []byte(line)})
		default:
			verb := code
			if end := strings.IndexAny(code, " \t("); end >= 0 {
				verb = code[:end]
			}
			parts = append(parts, part{name: verb, text: []byte(line)})
			block = strings.HasSuffix(code, "(")
		}
	}
	return parts, !block
}

// splitGoSum cuts a go.sum into lines, each named by its module and version.
func splitGoSum(text []byte) ([]part, bool) {
	var parts []part
	for _, line := range lines(text) {
		name := ""
		if fields := strings.Fields(line); len(fields) > 1 {
			name = fields[0] + " " + fields[1]
		}
		parts = append(parts, part{name: name, text: []byte(line)})
	}
	return parts, true
}
