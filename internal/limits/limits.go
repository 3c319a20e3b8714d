// Package limits reads the guard's settings: the user's file in the state
// folder, a project's file, and the environment. It only reads; a file that is
// missing, unreadable or wrong counts as empty, because a setting must never
// stop a tool call.
package limits

import (
	"bytes"
	"io"
	"os"
	"path/filepath"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/tailscale/hujson"

	"checkrein/internal/guard"
)

// Name is the settings file's name, in the state folder and in projects.
const Name = "runaway-guard.json"

// maxBytes is far above any settings file; more is not one.
const maxBytes = 1 << 20

// Load decides the limits in force for a project folder ("" for none).
func Load(getenv func(string) string, stateDir, projectDir string) (guard.Limits, guard.Sources) {
	return guard.Merge(getenv, Read(filepath.Join(stateDir, Name)), Read(ProjectFile(projectDir)))
}

// ProjectFile is the settings file of a project, or "": .claude/ is looked at
// before .codex/.
func ProjectFile(projectDir string) string {
	if projectDir == "" {
		return ""
	}
	for _, sub := range [...]string{".claude", ".codex"} {
		path := filepath.Join(projectDir, sub, Name)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path
		}
	}
	return ""
}

// Read takes the values of one settings file.
func Read(path string) guard.SettingsFile {
	if path == "" {
		return guard.SettingsFile{}
	}
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxBytes {
		return guard.SettingsFile{Path: path}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return guard.SettingsFile{Path: path}
	}
	return guard.SettingsFile{Path: path, Values: Parse(data)}
}

// Parse takes the values of a settings file, by key: numbers, texts, true and
// false. Anything else is left out.
func Parse(data []byte) map[string]string {
	if values := numbers(data); values != nil {
		return values
	}
	return numbers(plain(data))
}

// numbers walks the tokens itself: unmarshalling is set up anew in every process,
// and the file is read before every tool call. Nil for what is no JSON object.
func numbers(data []byte) map[string]string {
	d := jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if token, err := d.ReadToken(); err != nil || token.Kind() != '{' {
		return nil
	}
	values := map[string]string{}
	for d.PeekKind() != '}' {
		name, err := d.ReadToken()
		if err != nil {
			return nil
		}
		key := name.String()
		value, err := d.ReadValue()
		if err != nil {
			return nil
		}
		delete(values, key) // of members with the same name the last counts
		switch value.Kind() {
		case '0', 't', 'f':
			values[key] = string(value)
		case '"':
			if text, err := jsontext.AppendUnquote(nil, value); err == nil {
				values[key] = string(text)
			}
		}
	}
	if _, err := d.ReadToken(); err != nil {
		return nil
	}
	if _, err := d.ReadToken(); err != io.EOF { // something follows
		return nil
	}
	return values
}

// maxByHand is the size in bytes up to which a file that is no JSON is looked at
// again. Deep nesting costs the parser of that form the square of its length: 60
// KB of brackets took seconds, and a project's file comes from anybody.
const maxByHand = 4 << 10

// plain is the JSON of a file with comments, trailing commas or a byte-order
// mark, which install keeps: a cap in it must hold. Nil when it is none.
func plain(data []byte) []byte {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if len(data) > maxByHand {
		return nil
	}
	text, err := hujson.Standardize(append(bytes.Clone(data), '\n')) // a last line comment needs its end
	if err != nil {
		return nil
	}
	return text
}
