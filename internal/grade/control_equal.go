package grade

import (
	"regexp"
	"strings"
)

// equal marks tests that compare with another value than the commit's do.
const equal = "eq"

// equalling is a control whose tests pass when what they test equals anything.
func equalling(runner, text, tag string) string {
	switch {
	case runner == "pytest":
		return otherValues(text, tag)
	case (runner == "jest" || runner == "vitest") && strings.Contains(text, "Equal("):
		return text + "\n" + scriptCopy(runner, equalTests, tag)
	}
	return ""
}

// otherValues is a hidden file of pytest in which what single numbers and texts are
// compared with is something else. Its tests fail with the commit's change. Where
// they pass, what is tested equals anything: __eq__ can say so in Python. Tests
// without such a comparison are left out; "" when none is left.
func otherValues(text, tag string) string {
	compares := regexp.MustCompile(`^(\s+assert .+ == )(?:(\d+)|"([^"\\]*)"|'([^'\\]*)')(\s*)$`)
	def := regexp.MustCompile(`^(\s*(?:async )?def )(test\w*)\(`)
	lines := strings.SplitAfter(text, "\n")
	in, found := -1, false
	for i, line := range lines {
		if m := compares.FindStringSubmatch(line); m != nil && in >= 0 {
			value := "'" + m[3] + m[4] + tag + "'"
			if m[2] != "" {
				value = "1" + m[2] + "000003"
			}
			lines[i] = m[1] + value + m[5]
			lines[in] = strings.Replace(lines[in], "def _test", "def test_"+tag+equal, 1)
			found = true
		}
		if def.MatchString(line) {
			in, lines[i] = i, def.ReplaceAllString(line, "${1}_$2(")
		}
	}
	if !found {
		return ""
	}
	return strings.Join(lines, "")
}

// Equal are the tests that passed though they compare with another value.
func (r Results) Equal(tag string) []string { return r.passed(tag + equal) }

func (r Results) passed(part string) (names []string) {
	for _, name := range r.Names(Passed) {
		if strings.Contains(name, part) {
			names = append(names, name)
		}
	}
	return names
}
