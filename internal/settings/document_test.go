package settings

import (
	"strings"
	"testing"
)

func lines(s ...string) string { return strings.Join(s, "\n") + "\n" }

func TestRegister(t *testing.T) {
	one := Entry{Events: []Event{{"PreToolUse", 10}}, Command: "OURS new"}
	cases := []struct{ name, in, want string }{
		{"no file", "", lines(
			`{`, `  "hooks": {`, `    "PreToolUse": [`, `      {`, `        "hooks": [`, `          {`,
			`            "type": "command",`, `            "command": "OURS new",`, `            "timeout": 10`,
			`          }`, `        ]`, `      }`, `    ]`, `  }`, `}`)},
		{"tabs, a comment behind the last member", "{\n\t\"model\": \"x\" // fast\n}\n", strings.ReplaceAll(lines(
			`{`, `→"model": "x", // fast`, `→"hooks": {`, `→→"PreToolUse": [`, `→→→{`, `→→→→"hooks": [`, `→→→→→{`,
			`→→→→→→"type": "command",`, `→→→→→→"command": "OURS new",`, `→→→→→→"timeout": 10`,
			`→→→→→}`, `→→→→]`, `→→→}`, `→→]`, `→}`, `}`), "→", "\t")},
		{"one line", `{"model":"x"}`, `{"model":"x","hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"OURS new","timeout":10}]}]}}`},
		{
			"a list with trailing commas, another event",
			lines(`{`, `    "hooks": {`, `        "PreToolUse": [`, `            {"matcher": "Bash", "hooks": []},`, `        ],`, `        "Stop": [],`, `    },`, `}`),
			lines(
				`{`, `    "hooks": {`, `        "PreToolUse": [`, `            {"matcher": "Bash", "hooks": []},`,
				`            {`, `                "hooks": [`, `                    {`, `                        "type": "command",`,
				`                        "command": "OURS new",`, `                        "timeout": 10`, `                    }`,
				`                ]`, `            },`, `        ],`, `        "Stop": [],`, `    },`, `}`),
		},
		{
			"byte-order mark and CRLF", bom + "{\r\n \"hooks\": {}\r\n}", bom + strings.ReplaceAll(strings.TrimSuffix(lines(
				`{`, ` "hooks": {`, `  "PreToolUse": [`, `   {`, `    "hooks": [`, `     {`, `      "type": "command",`,
				`      "command": "OURS new",`, `      "timeout": 10`, `     }`, `    ]`, `   }`, `  ]`, ` }`, `}`), "\n"), "\n", "\r\n"),
		},
		{
			"an older entry of ours keeps its place",
			`{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "OURS old"}]}, {"hooks": [{"type": "command", "command": "a"}]}]}}`,
			`{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "OURS new", "timeout": 10}]}, {"hooks": [{"type": "command", "command": "a"}]}]}}`,
		},
		{
			"doubled, in a shared group and for an event no longer wanted",
			`{"hooks": {"Stop": [{"hooks": [{"command": "OURS x"}]}], "PreToolUse": [{"matcher": "", "hooks": [{"command": "a"}, {"command": "OURS y"}]}]}}`,
			`{"hooks": {"PreToolUse": [{"matcher": "", "hooks": [{"command": "a"}]}, {"hooks": [{"type": "command", "command": "OURS new", "timeout": 10}]}]}}`,
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			doc := parse(t, c.in)
			if err := doc.Register(one, isOurs); err != nil {
				t.Fatal(err)
			}
			same(t, "registered", c.want, string(doc.Text()))
		})
	}
}

func TestUnregister(t *testing.T) {
	cases := []struct {
		name, in, want string
		removed        int
	}{
		{"nothing of ours", `{"hooks": {}, "a": 1}`, `{"hooks": {}, "a": 1}`, 0},
		{
			"a comment before ours stays", lines(`{`, `  "a": 1,`, `  // hooks of mine`, `  "hooks": {"Stop": [{"hooks": [{"command": "OURS"}]}]}`, `}`),
			lines(`{`, `  "a": 1`, `  // hooks of mine`, `}`), 1,
		},
		{
			"a line comment keeps its line end", "{\"a\": 1, // x\n\"hooks\": {\"Stop\": [{\"hooks\": [{\"command\": \"OURS\"}]}]}}",
			"{\"a\": 1 // x\n}", 1,
		},
		{
			"what follows stays", lines(`{`, `  "hooks": {"Stop": [{"hooks": [{"command": "OURS"}]}]}, // gone`, `  "a": 1`, `}`),
			lines(`{ // gone`, `  "a": 1`, `}`), 1,
		},
		{
			"two in one group", `{"hooks": {"Stop": [{"hooks": [{"command": "OURS"}, {"command": "a"}, {"command": "OURS"}]}]}}`,
			`{"hooks": {"Stop": [{"hooks": [{"command": "a"}]}]}}`, 2,
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			doc := parse(t, c.in)
			removed, err := doc.Unregister(isOurs)
			if err != nil || removed != c.removed {
				t.Fatalf("removed %d, %v; want %d", removed, err, c.removed)
			}
			same(t, "unregistered", c.want, string(doc.Text()))
		})
	}
}

func TestSetNumber(t *testing.T) {
	cases := []struct{ name, in, want string }{
		{"no file", "", "{\n  \"cap\": 2.5\n}\n"},
		{"in place", "{\"cap\": 10, // mine\n \"a\": 1}", "{\"cap\": 2.5, // mine\n \"a\": 1}"},
		{"already so", `{"cap": 2.50}`, `{"cap": 2.50}`},
		{"a string", `{"cap":"2.5"}`, `{"cap":2.5}`},
		{"added", "{\n\t\"a\": 1\n}\n", "{\n\t\"a\": 1,\n\t\"cap\": 2.5\n}\n"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			doc := parse(t, c.in)
			if err := doc.SetNumber("cap", 2.5); err != nil {
				t.Fatal(err)
			}
			same(t, "set", c.want, string(doc.Text()))
		})
	}
}

func TestRefused(t *testing.T) {
	cases := []struct{ name, in, want string }{
		{"not JSON", "{\n  \"a\": 1\n  \"b\": 2\n}", "not valid JSON (line 3, column 3"},
		{"cut off", "{\"a\": ", "not valid JSON (line 1"},
		{"a list", "[]", "not a JSON object"},
		{"two values", "{}{}", "not valid JSON"},
		{"not UTF-8", "{\n\"a\": \"\xff\"}", "not UTF-8 text (line 2)"},
		{"UTF-16", "\xff\xfe{\x00}\x00", "not UTF-8 text (line 1)"},
		{"too deep", "{\"a\":" + strings.Repeat("[", 2_000_000), "nested more than"},
		{"too deep behind brackets in strings", "{\"a\":" + strings.Repeat("[\"]\",/*]*/", 1001), "nested more than"},
		{"hooks a list", `{"hooks": []}`, `"hooks" is not an object`},
		{"hooks null", `{"hooks": null}`, `"hooks" is not an object`},
		{"event an object", `{"hooks": {"Stop": {}}}`, `"hooks.Stop" is not a list`},
		{"hooks twice", `{"hooks": {}, "h\u006foks": {}}`, `"hooks" is there twice`},
		{"event twice", `{"hooks": {"Stop": [], "Stop": []}}`, `"hooks.Stop" is there twice`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			doc, err := Parse([]byte(c.in))
			if err == nil {
				err = doc.Register(testEntry(), isOurs)
				same(t, "refused", c.in, string(doc.Text()))
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got error %v, want %q", err, c.want)
			}
		})
	}
}

func TestHooks(t *testing.T) {
	doc := parse(t, `{"disableAllHooks": true, "hooks": {"Stop": [{"hooks": [{"command": "a"}, 3]}, {"hooks": [{"command": "OURS"}]}]}}`)
	hooks, err := doc.Hooks()
	if err != nil || len(hooks) != 3 || hooks[2] != (Hook{"Stop", 1, 0, "OURS"}) || hooks[1].Command != "" {
		t.Fatalf("got %v, %v", hooks, err)
	}
	if !doc.Flag("disableAllHooks") || doc.Flag("hooks") || doc.Flag("missing") {
		t.Error("flags are wrong")
	}
}

func parse(t *testing.T, in string) *Document {
	t.Helper()
	doc, err := Parse([]byte(in))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}
