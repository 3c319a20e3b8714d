package settings

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tailscale/hujson"
)

func seeds() []string {
	return []string{
		"", " \n", "{}", "{}\n", "{ }", "{\n}\n", "{\n\n}", "{ /* a */ }", "{ // a\n}", "{\n  // a\n}\n", "// top\n{}\n// end",
		`{"model":"x"}`, `{"model": "x", "a": [1, 2]}`, "{\"model\": \"x\" // m\n}", "{\n\t\"model\": \"x\"\n}\n",
		"{\n  \"a\": 1, // one\n  \"b\": 2, // two\n}\n", "{\r\n    \"a\": 1\r\n}\r\n", bom + "{\r\n  \"a\": 1, // x\r\n}",
		"{\"hooks\": {}}", "{\"hooks\": {\"Stop\": []}}", "{\n  \"hooks\": { },\n  \"b\": 1\n}", "{\"hooks\":{\"Other\":[]}}",
		"{\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\n        \"hooks\": [\n          {\"type\": \"command\", \"command\": \"a\"}\n        ]\n      }\n    ]\n  },\n  \"z\": 1\n}\n",
		"{\"hooks\": {\"PreToolUse\": [{\"matcher\": \"Bash\", \"hooks\": [{\"type\": \"command\", \"command\": \"a\"},],},], /* b */ },}",
		"{\"hooks\":{\"Stop\":[{\"hooks\":[{\"command\":\"OURS old\"},{\"command\":\"a\"}]}],\"PreToolUse\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"OURS new\",\"timeout\":9}]}]}}",
		"{\n\"a\":1\n}", "{\n \"hooks\":{\n \"Stop\":[ // s\n ]\n }}", "{\"a\":1\n}", "{\"a\":\n1,\"hooks\":{\"PreToolUse\":[1,null,{},{\"hooks\":3}]}}",
	}
}

func testEntry() Entry {
	return Entry{Events: []Event{{"PreToolUse", 10}, {"Stop", 3}}, Command: "OURS new"}
}

func isOurs(command string) bool { return strings.HasPrefix(command, "OURS") }

// FuzzRegister holds the package's promises on any text: what is not changed
// keeps its bytes, twice is once, strict JSON stays strict, and Unregister gives
// the text back.
func FuzzRegister(f *testing.F) {
	for _, s := range seeds() {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		doc, err := Parse(in)
		if err != nil || bytes.Contains(bytes.ReplaceAll(in, []byte("\r\n"), nil), []byte("\r")) {
			return // no editor writes a carriage return alone
		}
		same(t, "parsed", string(in), string(doc.Text()))
		before, err := doc.Hooks()
		if err != nil || doc.Register(testEntry(), isOurs) != nil {
			return
		}
		registered := doc.Text()
		checkRegistered(t, in, registered)
		checkGone(t, in, registered, before, hasEmpty(in))
	})
}

func checkRegistered(t *testing.T, in, registered []byte) {
	t.Helper()
	doc, err := Parse(registered)
	if err != nil {
		t.Fatalf("registered text: %v\n%s", err, registered)
	}
	ours := map[string]int{}
	hooks, _ := doc.Hooks()
	for _, h := range hooks {
		if isOurs(h.Command) {
			ours[h.Event]++
		}
	}
	if diff := cmp.Diff(map[string]int{"PreToolUse": 1, "Stop": 1}, ours); diff != "" {
		t.Fatalf("entries of ours (-want +got):\n%s\n%s", diff, registered)
	}
	if err := doc.Register(testEntry(), isOurs); err != nil {
		t.Fatal(err)
	}
	same(t, "registered twice", string(registered), string(doc.Text()))
	if json.Valid(in) && !json.Valid(registered) {
		t.Fatalf("strict JSON became\n%s", registered)
	}
}

func checkGone(t *testing.T, in, registered []byte, before []Hook, hadEmpty bool) {
	t.Helper()
	doc, err := Parse(registered)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := doc.Unregister(isOurs); err != nil {
		t.Fatal(err)
	}
	gone := doc.Text()
	hadOurs := false
	for _, h := range before {
		hadOurs = hadOurs || isOurs(h.Command)
	}
	if !hadOurs && !hadEmpty {
		same(t, "registered and unregistered", string(in), string(gone))
	}
	if diff := cmp.Diff(withoutOurs(t, in), withoutOurs(t, gone)); diff != "" {
		t.Fatalf("unregistering changed other settings (-want +got):\n%s", diff)
	}
}

// hasEmpty: text alone can't tell an empty list or object that was there from
// one of ours that became empty, so those don't come back without the record.
func hasEmpty(in []byte) bool {
	if len(bytes.TrimSpace(bytes.TrimPrefix(in, []byte(bom)))) == 0 {
		return true
	}
	hooks, ok := standard(in)["hooks"].(map[string]any)
	if !ok {
		return false
	}
	for _, event := range testEntry().Events {
		if list, ok := hooks[event.Name].([]any); ok && len(list) == 0 {
			return true
		}
	}
	return len(hooks) == 0
}

func standard(in []byte) map[string]any {
	in = bytes.TrimPrefix(in, []byte(bom))
	if len(bytes.TrimSpace(in)) == 0 {
		return map[string]any{}
	}
	var m map[string]any
	plain, err := hujson.Standardize(append(bytes.Clone(in), '\n'))
	if err != nil || json.Unmarshal(plain, &m) != nil {
		return nil
	}
	return m
}

// withoutOurs is the file's value without our entries and without what is empty.
func withoutOurs(t *testing.T, in []byte) map[string]any {
	m := standard(in)
	if m == nil {
		t.Fatalf("not readable: %s", in)
	}
	hooks, ok := m["hooks"].(map[string]any)
	if !ok {
		return m
	}
	for event, list := range hooks {
		if kept := keptGroups(list); len(kept) > 0 {
			hooks[event] = kept
		} else {
			delete(hooks, event)
		}
	}
	if len(hooks) == 0 {
		delete(m, "hooks")
	}
	return m
}

func keptGroups(list any) []any {
	var kept []any
	groups, _ := list.([]any)
	for _, group := range groups {
		g, _ := group.(map[string]any)
		hs, ok := g["hooks"].([]any)
		if !ok {
			kept = append(kept, group)
			continue
		}
		var left []any
		for _, h := range hs {
			handler, _ := h.(map[string]any)
			if c, _ := handler["command"].(string); !isOurs(c) {
				left = append(left, h)
			}
		}
		if len(left) > 0 {
			g["hooks"] = left
			kept = append(kept, g)
		}
	}
	return kept
}

func same(t *testing.T, what, want, got string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("%s (-want +got):\n%s\nin full:\n%s", what, diff, got)
	}
}
