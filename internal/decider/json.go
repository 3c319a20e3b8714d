package decider

import (
	"bytes"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// decidesJSON knows the members of package.json, composer.json and deno.json that
// decide. "type", "imports" and the dependencies stay the agent's: they say what
// the code is made of, and a fix may need them. Only a known dependency that is
// now taken from elsewhere decides; see redirects.
func decidesJSON(name string) bool {
	switch name {
	case "scripts", "tasks", "config", "test", // what is run
		"jest", "mocha", "ava", "vitest", "tap", "nyc", "c8", "karma", "qunit", "jasmine", "testem", "wtr", "babel", "swc", // how
		"workspaces", "overrides", "resolutions", "pnpm", "packageManager", "engines", "volta", "devEngines": // with what
		return true
	}
	return false
}

// dependency starts the names of dependencies, whichever object they are in.
const dependency = "dependency "

// splitJSON cuts an object into its members, and those that name dependencies
// into theirs. Node and npm read strict JSON only, so does this; of members with
// one name the last counts there, and all of them are put back here.
func splitJSON(text []byte) ([]part, bool) {
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, true
	}
	j := jsonText{text: text, dec: jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))}
	if open, err := j.dec.ReadToken(); err != nil || open.Kind() != '{' {
		return nil, false
	}
	j.add(part{name: "{"})
	if !j.members("") || len(bytes.TrimSpace(text[j.at:])) > 0 {
		return nil, false
	}
	last := &j.parts[len(j.parts)-1]
	last.text = text[j.at-len(last.text):]
	return j.parts, true
}

// jsonText is a text in JSON as it is read. Before at it is in parts.
type jsonText struct {
	text  []byte
	dec   *jsontext.Decoder
	at    int
	parts []part
}

// add makes a part of what was read since the last one. The comma before a
// member goes, and what stands before the comma belongs to the part before.
func (j *jsonText) add(p part) {
	p.text, p.json, j.at = j.text[j.at:j.dec.InputOffset()], true, int(j.dec.InputOffset())
	if last := len(j.parts) - 1; p.begins && last >= 0 && j.parts[last].ends {
		comma := bytes.IndexByte(p.text, ',')
		j.parts[last].text = append(bytes.Clone(j.parts[last].text), p.text[:comma]...)
		p.text = p.text[comma+1:]
	}
	j.parts = append(j.parts, p)
}

// members reads to behind the brace that closes an object.
func (j *jsonText) members(prefix string) bool {
	for j.dec.PeekKind() == '"' {
		name, err := j.dec.ReadToken()
		if err != nil {
			return false
		}
		key := name.String()
		if prefix == "" && holdsDependencies(key) && j.dec.PeekKind() == '{' {
			if _, err := j.dec.ReadToken(); err != nil {
				return false
			}
			j.add(part{name: key, begins: true})
			if !j.members(dependency) {
				return false
			}
			continue
		}
		if _, err := j.dec.ReadValue(); err != nil {
			return false
		}
		j.add(part{name: prefix + key, begins: true, ends: true})
	}
	shut, err := j.dec.ReadToken()
	if err != nil || shut.Kind() != '}' {
		return false
	}
	j.add(part{name: "}", ends: prefix != ""})
	return true
}

func holdsDependencies(member string) bool {
	switch member {
	case "dependencies", "devDependencies", "optionalDependencies", "peerDependencies":
		return true
	}
	return false
}

// redirects tells whether a dependency is taken from elsewhere than the registry
// under its own name: a folder, a repository, an address, another package.
func redirects(p part) bool {
	if !strings.HasPrefix(p.name, dependency) {
		return false
	}
	dec := jsontext.NewDecoder(bytes.NewReader(slices.Concat([]byte("{"), p.text, []byte("}"))))
	var value jsontext.Token
	for range 3 { // the brace, the name, the value
		var err error
		if value, err = dec.ReadToken(); err != nil {
			return true
		}
	}
	return value.Kind() != '"' || strings.ContainsAny(value.String(), ":/")
}
