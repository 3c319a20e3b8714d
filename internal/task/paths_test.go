package task

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// Every name that a file can have comes back as it was, and is written as Python
// writes it.
func TestNamesKeepTheirBytes(t *testing.T) {
	for name, written := range map[string]string{
		"tests/\xff.py": `"tests/\udcff.py"`, "caf\xe9": `"caf\udce9"`, "\x80\x80": `"\udc80\udc80"`, "é\xe9": `"é\udce9"`,
		"\xed\xb3\xbf": `"\udced\udcb3\udcbf"`, // a surrogate written as UTF-8, which is none
		"plain":        `"plain"`, "a\"b\\u\xffdcff\n": `"a\"b\\u\udcffdcff\n"`, `\udcff`: `"\\udcff"`, "😀": `"😀"`, "\xf0\x9f\x98": `"\udcf0\udc9f\udc98"`,
		"": `""`, "\x00\x7f<>&\xfe": "\"\\u0000\x7f<>&\\udcfe\"", "�": `"�"`,
	} {
		doc := Document{Repo: name, Tasks: []Task{{Candidate: Candidate{HiddenTests: []string{name}}}}}
		text, err := doc.Marshal()
		if err != nil || !utf8.Valid(text) || !strings.Contains(string(text), `"repo": `+written) {
			t.Errorf("%q: %v, %s", name, err, text)
		}
		var again Document
		if err := again.Unmarshal(text); err != nil || again.Repo != name || again.Tasks[0].HiddenTests[0] != name {
			t.Errorf("%q came back as %q, %q, %v", name, again.Repo, again.Tasks[0].HiddenTests, err)
		}
	}
}

// What Python's program or an editor writes in other words.
func TestOtherSpellingsOfNames(t *testing.T) {
	for written, name := range map[string]string{
		`"\uDCFF"`: "\xff", `"\u0061\u00e9"`: "aé", `"\ud83d\ude00"`: "😀", `"\ud83d\udcff"`: "\U0001F4FF", `"\ud83dx"`: "�x", `"\udc41"`: "�",
		`"\\\udcff\/"`: "\\\xff/", "\"\xff\"": "�", `null`: "",
	} {
		var doc Document
		if err := doc.Unmarshal([]byte(`{"repo":` + written + `}`)); err != nil || doc.Repo != name {
			t.Errorf("%s: %q, %v, want %q", written, doc.Repo, err, name)
		}
	}
	if err := new(Document).Unmarshal([]byte(`{"repo":5}`)); err == nil {
		t.Error("a number passed for a path")
	}
}
