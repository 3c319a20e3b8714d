package guard

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestFingerprintEqualsPython compares with what the Python guard hashed, so that
// its running loop counts go on. testdata/README.md tells how the table was made.
func TestFingerprintEqualsPython(t *testing.T) {
	data, err := os.ReadFile("testdata/fingerprints.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []struct{ Tool, Input, Want string }
	if err := json.Unmarshal(data, &rows); err != nil || len(rows) < 80 {
		t.Fatalf("%d rows, error %v", len(rows), err)
	}
	for _, row := range rows {
		if got := fingerprint(row.Tool, []byte(row.Input)).String(); got != row.Want {
			t.Errorf("fingerprint(%q, %.200s) = %s, want %s", row.Tool, row.Input, got, row.Want)
		}
	}
}

func TestFingerprintOfAbsentInputIsThatOfNull(t *testing.T) {
	if got, want := fingerprint("Bash", nil), fingerprint("Bash", []byte("null")); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestFingerprintTellsCallsApart(t *testing.T) {
	seen := map[string]string{}
	for _, call := range [...][2]string{
		{"Bash", `{"command":"ls"}`},
		{"Bash", `{"command":"ls -l"}`},
		{"Bash", `{"cmd":"ls"}`},
		{"Bash", `{"command":"ls","timeout":1}`},
		{"bash", `{"command":"ls"}`},
		{"Read", `{"command":"ls"}`},
		{"Read", `{"command":"ls","description":"a"}`},
		{"Read", `{"command":["ls"]}`},
		{"Read", `["command","ls"]`},
		{"Read", `1`},
		{"Read", `1.0`},
		{"Read", `"1"`},
		{"Read", `true`},
		{"Read", `null`},
		{"Read", `""`},
	} {
		fp := fingerprint(call[0], []byte(call[1])).String()
		if before, ok := seen[fp]; ok {
			t.Errorf("%s %s has the fingerprint of %s", call[0], call[1], before)
		}
		seen[fp] = call[0] + " " + call[1]
	}
}

// TestFingerprintIgnoresWhatDoesNotMatter: labels and white space of shell calls,
// the order of keys, the way a number or a letter is escaped.
func TestFingerprintIgnoresWhatDoesNotMatter(t *testing.T) {
	for _, pair := range [...][3]string{
		{"Bash", `{"command":"go  test\n./..."}`, `{"description":"Runs tests","command":"go test ./..."}`},
		{"exec_command", `{"cmd":" ls "}`, `{"cmd":"ls"}`},
		{"Edit", `{"a":1,"b":{"c":2,"d":3}}`, ` { "b" : {"d":3,"c":2} , "a" : 1 } `},
		{"Edit", `{"a":"\u0041\/"}`, `{"a":"A/"}`},
		{"Edit", `{"a":1.50}`, `{"a":15e-1}`},
		{"Edit", `{"a":0,"a":1}`, `{"a":1}`},
	} {
		if fingerprint(pair[0], []byte(pair[1])) != fingerprint(pair[0], []byte(pair[2])) {
			t.Errorf("%s: %s and %s differ", pair[0], pair[1], pair[2])
		}
	}
}

// TestFingerprintOfDeepInput: at every level the keys are out of order. Written
// level by level from its text this took 14 seconds, past the hook's time limit.
func TestFingerprintOfDeepInput(t *testing.T) {
	const levels = 9000
	deep := func(core string) []byte {
		return []byte(strings.Repeat(`{"b":1,"a":`, levels) + core + strings.Repeat("}", levels))
	}
	if fingerprint("X", deep("1")) == fingerprint("X", deep("2")) {
		t.Error("the innermost value does not count")
	}
	first, second := fingerprint("X", deep("1")), fingerprint("X", deep("1"))
	if first != second {
		t.Error("the same input has two fingerprints")
	}
}

// FuzzFingerprint: any input has a fingerprint of 16 hex digits, the same one
// every time and however its top-level value is padded.
func FuzzFingerprint(f *testing.F) {
	for _, seed := range [...]string{
		`{"command":"ls"}`, `[1,2.5,{"a":null}]`, `1e400`, `"\ud800"`, `{"a":{"a":{"a":[[[]]]}}}`, `{`, "\xff", `{"a":1,"a":2}`,
	} {
		f.Add("Bash", []byte(seed))
	}
	f.Fuzz(func(t *testing.T, tool string, input []byte) {
		got := fingerprint(tool, input).String()
		if len(got) != 16 || strings.Trim(got, "0123456789abcdef") != "" {
			t.Fatalf("fingerprint %q", got)
		}
		if json.Valid(input) && utf8.Valid(input) && fingerprint(tool, []byte(" \n"+string(input)+"\t")).String() != got {
			t.Fatalf("padding changes the fingerprint of %q", input)
		}
	})
}
