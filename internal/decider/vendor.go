package decider

import (
	"path"
	"strings"
)

// vendored tells whether a file is code of others that Go builds in the place of
// what go.mod names: assertions of the tests, say. A folder of such code that was
// not there would be used by itself. In one that was, new packages are a fix's to
// add, and what they are is the agent's to say.
func vendored(file string, had func(string) bool) bool {
	for at := 0; ; at++ {
		next := strings.Index(file[at:], "vendor/")
		if next < 0 {
			return false
		}
		if at += next; (at == 0 || file[at-1] == '/') && had(path.Join(file[:at], "go.mod")) {
			list := path.Join(file[:at], "vendor/modules.txt")
			return !had(list) || file != list && had(file)
		}
	}
}
