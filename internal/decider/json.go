package decider

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// decidesJSON knows the members of package.json, composer.json and deno.json that
// decide. "type", "imports" and the dependencies stay the agent's: they say what
// the code is made of, and a fix may need them.
func decidesJSON(name string) bool {
	switch name {
	case "scripts", "tasks", "config", "test", // what is run
		"jest", "mocha", "ava", "vitest", "tap", "nyc", "c8", "karma", "qunit", "jasmine", "testem", "wtr", "babel", "swc", // how
		"workspaces", "overrides", "resolutions", "pnpm", "packageManager", "engines", "volta", "devEngines": // with what
		return true
	}
	return false
}

// splitJSON cuts an object into its members. Node and npm read strict JSON only,
// so does this; of members with one name the last counts there, and all of them
// are put back here.
func splitJSON(text []byte) ([]part, bool) {
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, true
	}
	dec := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if open, err := dec.ReadToken(); err != nil || open.Kind() != '{' {
		return nil, false
	}
	at := int(dec.InputOffset())
	parts := []part{{name: "{", text: text[:at]}}
	for dec.PeekKind() == '"' {
		name, err := dec.ReadToken()
		if err != nil {
			return nil, false
		}
		key := name.String()
		if _, err := dec.ReadValue(); err != nil {
			return nil, false
		}
		end := int(dec.InputOffset())
		lead := text[at:end]
		if len(parts) > 1 { // the comma, and what stands before it
			comma := bytes.IndexByte(lead, ',')
			last := &parts[len(parts)-1]
			last.text = append(bytes.Clone(last.text), lead[:comma]...)
			lead = lead[comma+1:]
		}
		parts = append(parts, part{name: key, text: lead, member: true})
		at = end
	}
	if shut, err := dec.ReadToken(); err != nil || shut.Kind() != '}' || len(bytes.TrimSpace(text[dec.InputOffset():])) > 0 {
		return nil, false
	}
	return append(parts, part{name: "}", text: text[at:]}), true
}
