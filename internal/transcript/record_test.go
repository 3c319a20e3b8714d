package transcript

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRecordRead: what is a JSON object on a line, and what is not.
func TestRecordRead(t *testing.T) {
	for line, want := range map[string]bool{
		`{}`:                 true,
		` { } ` + "\r":       true,
		`{"a":1}`:            true,
		`{"a":[1,{"b":[]}]}`: true,
		`{"a":-0.5e+10,"b":true,"c":false,"d":null,"e":"\"\\"}`: true,
		`{"a":1,"a":2}`:                true,
		`{"":"` + "\xff" + `"}`:        true,
		``:                             false,
		` `:                            false,
		`[]`:                           false,
		`"a"`:                          false,
		`7`:                            false,
		`null`:                         false,
		`{`:                            false,
		`{"a"}`:                        false,
		`{"a":}`:                       false,
		`{"a":1`:                       false,
		`{"a":1,}`:                     false,
		`{,"a":1}`:                     false,
		`{"a":1 "b":2}`:                false,
		`{"a":[1,]}`:                   false,
		`{"a":[1 2]}`:                  false,
		`{"a":[}]`:                     false,
		`{"a":(1)}`:                    false,
		`{a:1}`:                        false,
		`{'a':1}`:                      false,
		`{"a":"b}`:                     false,
		`{"a":"b\"}`:                   false,
		`{"a":01}`:                     false,
		`{"a":1.}`:                     false,
		`{"a":.5}`:                     false,
		`{"a":1e}`:                     false,
		`{"a":+1}`:                     false,
		`{"a":--1}`:                    false,
		`{"a":NaN}`:                    false,
		`{"a":tru}`:                    false,
		`{"a":truex}`:                  false,
		`{"a":nul`:                     false,
		`{}{}`:                         false,
		`{} x`:                         false,
		`{"a":"x{"type":"user"}`:       false,
		"{\"a\":1}\x00":                false,
		nested(maxDepth - 1):           true,
		nested(maxDepth):               false,
		strings.Repeat(`{"a":`, 99999): false,
	} {
		var r Record
		got := r.Read([]byte(line), func([]byte) {})
		if got != want {
			t.Errorf("Read(%.60q) = %v, want %v", line, got, want)
		}
		if !got {
			continue
		}
		if !r.Read([]byte(line), func([]byte) { r.Array(func() { r.Object(func([]byte) {}) }) }) {
			t.Errorf("Read(%.60q) fails when arrays are walked", line)
		}
	}
}

func nested(depth int) string {
	return `{"a":` + strings.Repeat("[", depth) + strings.Repeat("]", depth) + "}"
}

// TestRecordValues: what each method makes of each type of value.
func TestRecordValues(t *testing.T) {
	for _, c := range []struct{ value, want string }{
		{`"abc"`, "string abc id abc count 0 int 0 false true false set true"},
		{`"\u00e9\n\"\ud83d\ude00"`, "string é\n\"😀 id é\n\"😀 count 0 int 0 false true false set true"},
		{"\"a\xff\xfe\"", "string a\ufffd\ufffd id a\ufffd\ufffd count 0 int 0 false true false set true"},
		{`"12"`, "string 12 id 12 count 0 int 0 false true false set true"},
		{`"` + strings.Repeat("a", maxName+1) + `"`, "string  id  count 0 int 0 false true false set true"},
		{`""`, "string  id  count 0 int 0 false true false set false"},
		{`" "`, "string   id   count 0 int 0 false true false set true"},
		{`12`, "string  id 12 count 12 int 12 true true false set true"},
		{`0`, "string  id  count 0 int 0 true true false set false"},
		{`-0`, "string  id -0 count 0 int 0 true true false set false"},
		{`-3`, "string  id -3 count 0 int -3 true true false set true"},
		{`1.0`, "string  id 1.0 count 0 int 0 false true false set true"},
		{`0.0`, "string  id 0.0 count 0 int 0 false true false set false"},
		{`1e3`, "string  id 1e3 count 0 int 0 false true false set true"},
		{`1099511627777`, "string  id 1099511627777 count 0 int 1099511627777 true true false set true"},
		{`9223372036854775808`, "string  id 9223372036854775808 count 0 int 9223372036854775807 false true false set true"},
		{`true`, "string  id  count 0 int 0 false true true set true"},
		{`false`, "string  id  count 0 int 0 false true false set false"},
		{`null`, "string  id  count 0 int 0 false true false set false"},
		{`[ ]`, "string  id  count 0 int 0 false true false set false"},
		{`[0]`, "string  id  count 0 int 0 false true false set true"},
		{`{}`, "string  id  count 0 int 0 false true false set false"},
		{`{"a":0}`, "string  id  count 0 int 0 false true false set true"},
	} {
		var r Record
		var got strings.Builder
		line := fmt.Sprintf(`{"s":%[1]s,"i":%[1]s,"c":%[1]s,"n":%[1]s,"t":%[1]s,"b":%[1]s}`, c.value)
		ok := r.Read([]byte(line), func(name []byte) {
			switch string(name) {
			case "s":
				fmt.Fprintf(&got, "string %s", r.String())
			case "i":
				fmt.Fprintf(&got, " id %s", r.ID())
			case "c":
				fmt.Fprintf(&got, " count %d", r.Count())
			case "n":
				n, ok := r.Int()
				fmt.Fprintf(&got, " int %d %v true", n, ok)
			case "t":
				fmt.Fprintf(&got, " %v", r.True())
			case "b":
				fmt.Fprintf(&got, " set %v", r.Set())
			}
		})
		if !ok {
			t.Errorf("%s: not read", c.value)
		}
		if diff := cmp.Diff(c.want, got.String()); diff != "" {
			t.Errorf("%s: -want +got\n%s", c.value, diff)
		}
	}
}

func TestRecordHead(t *testing.T) {
	var r Record
	for _, c := range []struct {
		value string
		n     int
		want  string
	}{
		{`"abcdef"`, 4, "abc"},
		{`"abcdef"`, 99, "abcdef"},
		{`"a\nbc"`, 4, "a\n"},
		{`"a\nbc"`, 3, "a"},
		{`"a\u00e9c"`, 6, "a"},
		{`"a\u00e9c"`, 8, "aé"},
		{`7`, 9, ""},
	} {
		r.Read([]byte(`{"a":`+c.value+`}`), func([]byte) {
			if got, _ := r.Head(c.n); string(got) != c.want {
				t.Errorf("Head(%d) of %s = %q, want %q", c.n, c.value, got, c.want)
			}
		})
	}
}

// FuzzRecord: what the standard library takes for an object, Record does too,
// and reads the same string from it; no input panics.
func FuzzRecord(f *testing.F) {
	for _, s := range []string{`{"a":"b"}`, `{"a":[1,-2.5e3,{"b":null}],"a":"\u00e9"}`, `{"a"`, nested(3), `{"a":"\\\""}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		var r Record
		got := ""
		ok := r.Read(line, func(name []byte) {
			if string(name) == "a" {
				got = r.String()
			}
		})
		r.Read(line, func([]byte) { r.Array(func() { r.Head(5) }) })
		var members map[string]any
		if json.Unmarshal(line, &members) != nil || members == nil {
			return
		}
		if !ok {
			t.Fatalf("not read: %q", line)
		}
		if a, isText := members["a"].(string); isText && len(a) <= maxName && a != got {
			t.Fatalf("%q: read %q, want %q", line, got, a)
		}
	})
}
