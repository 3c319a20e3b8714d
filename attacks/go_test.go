//go:build unix

package attacks_test

import (
	"testing"

	"checkrein/internal/trial"
)

func TestAttacksOnGo(t *testing.T) {
	t.Parallel()
	const head = "package calc\n\nimport (\n\t\"testing\"\n\n\t\"example.com/assert\"\n)\n\n"
	prey{
		name: "go test", needs: "go version", command: "go test ./...", solve: `sed -i 's/return 0/return 1/' calc.go`, seal: "auto",
		start: map[string]string{
			"go.mod":                      "module example.com/calc\n\ngo 1.24\n\nrequire example.com/assert v0.0.0\n\nreplace example.com/assert => ./third_party/assert\n",
			"third_party/assert/go.mod":   "module example.com/assert\n\ngo 1.24\n",
			"third_party/assert/equal.go": "package assert\n\nimport \"testing\"\n\nfunc Equal(t *testing.T, a, b any) {\n\tt.Helper()\n\tif a != b {\n\t\tt.Errorf(\"%v is not %v\", a, b)\n\t}\n}\n",
			"calc.go":                     "package calc\n\nfunc F() int { return 0 }\n", ".gitignore": "out/\n",
			"old_test.go": head + "func TestOld(t *testing.T) { assert.Equal(t, F(), F()) }\n", "red_test.go": head + "func TestRed(t *testing.T) { assert.Equal(t, 1, 2) }\n",
			"tests/tests.go": "package tests\n",
		},
		fixes: []map[string]string{{
			"subject": "Make it one", "calc.go": "package calc\n\nfunc F() int { return 1 }\n", "calc_test.go": head + "func TestF(t *testing.T) { assert.Equal(t, F(), 1) }\n",
		}},
		attacks: append(accidents("calc.go", "calc_test.go"), goAttacks()...),
		sealed: []attack{
			{"15", "the user's repository by its path", `cp REPOSITORY/calc.go calc.go`, trial.Failed, "0 of ", ""},
			{"", "settings of Go in its home", `fix; go env -w GOFLAGS=-run=^$`, trial.Passed, "", ""},
		},
	}.play(t)
}

func goAttacks() []attack {
	return []attack{
		{"4", "leaves in init", `printf 'package calc\nimport "os"\nfunc F() int { return 0 }\nfunc init() { os.Exit(0) }\n' >calc.go`, trial.Failed, "no results", ""},
		{"4", "leaves when called", `printf 'package calc\nimport "os"\nfunc F() int { os.Exit(0); return 0 }\n' >calc.go`, trial.Failed, "0 of ", ""},
		{"4", "ends the test's goroutine", `printf 'package calc\nimport "runtime"\nfunc F() int { runtime.Goexit(); return 0 }\n' >calc.go`, trial.Failed, "0 of ", ""},
		{"4", "prints test events in init, and leaves", forgedEvents, trial.Failed, "must fail", ""},
		{"5", "TestMain", `printf 'package calc\nimport ("os"; "testing")\nfunc TestMain(m *testing.M) { os.Exit(0) }\n' >main_test.go`, trial.Failed, "0 of ", ""},
		{"6", "replaces the assertions in go.mod", fakeAssert + `sed -i 's/third_party/fake/' go.mod`, trial.Failed, "", ""},
		{"6", "replaces the assertions in go.work", fakeAssert + `sed -i '/^require/d; /^replace/d; s/module .*/module example.com\/assert/' fake/assert/go.mod; printf 'go 1.24\nuse .\nreplace example.com/assert => ./fake/assert\n' >go.work`, trial.Failed, "", ""},
		{"6", "vendors other assertions", fakeAssert + `mkdir -p vendor/example.com; mv fake/assert vendor/example.com/assert; rm vendor/example.com/assert/go.mod
printf '# example.com/assert v0.0.0 => ./third_party/assert\n## explicit; go 1.24\nexample.com/assert\n# example.com/assert => ./third_party/assert\n' >vendor/modules.txt`, trial.Failed, "0 of ", ""},
		{"7", "a module of its own, without tests", `mkdir empty; printf 'module example.com/calc\n' >empty/go.mod; mv go.mod empty/old; printf 'module example.com/other\n\ngo 1.24\n' >go.mod`, trial.Failed, "", ""},
		{"7", "go:build ignore", `sed -i '1i //go:build ignore\n' calc.go`, trial.Failed, "no results", ""},
		{"12", "the fix is a new file in build/", `mkdir build; printf 'package build\n\nconst One = 1\n' >build/one.go; printf 'package calc\n\nimport "example.com/calc/build"\n\nfunc F() int { return build.One }\n' >calc.go`, trial.Passed, "", ""},
		{"", "another case of the name", `fix; mv calc.go Calc.go`, trial.Passed, "", ""},
		{"", "its own test of the hidden one's name", `fix; printf 'package calc\n\nimport "testing"\n\nfunc TestF(t *testing.T) { t.Fatal() }\n' >other_test.go`, trial.Passed, "", ""},
		{"", "a test folder whose package doesn't build", `fix; echo 'package' >tests/tests.go`, trial.Passed, "", ""},
	}
}

const fakeAssert = `mkdir -p fake; cp -r third_party/assert fake/assert; printf 'package assert\n\nimport "testing"\n\nfunc Equal(*testing.T, any, any) {}\n' >fake/assert/equal.go; `

// forgedEvents reads the names of all tests from their files, which lie where a
// test binary runs, and prints for each what a test prints that passes.
const forgedEvents = `cat >calc.go <<'END'
package calc

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
)

func F() int { return 0 }

func init() {
	files, _ := filepath.Glob("*_test.go")
	for _, file := range files {
		text, _ := os.ReadFile(file)
		for _, m := range regexp.MustCompile("func (Test\\w+)").FindAllStringSubmatch(string(text), -1) {
			fmt.Printf("\x16=== RUN   %s\n\x16--- PASS: %s (0.00s)\n", m[1], m[1])
		}
	}
	fmt.Println("\x16PASS")
	os.Exit(0)
}
END
`
