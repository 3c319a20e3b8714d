package grade

import (
	"path"
	"strings"
)

// Match tells whether a pattern such as "build/**/TEST-*.xml" names a path. "**"
// stands for any number of folders.
func Match(pattern, file string) bool {
	return match(strings.Split(strings.TrimPrefix(pattern, "./"), "/"), strings.Split(file, "/"))
}

func match(pattern, file []string) bool {
	for len(pattern) > 0 && pattern[0] != "**" {
		if len(file) == 0 {
			return false
		}
		if ok, err := path.Match(pattern[0], file[0]); !ok || err != nil {
			return false
		}
		pattern, file = pattern[1:], file[1:]
	}
	if len(pattern) == 0 {
		return len(file) == 0
	}
	for from := range len(file) + 1 {
		if match(pattern[1:], file[from:]) {
			return true
		}
	}
	return false
}
