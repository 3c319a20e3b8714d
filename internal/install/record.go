package install

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"

	"github.com/go-json-experiment/json"

	"checkrein/internal/settings"
	"checkrein/internal/state"
)

// record is a settings file as it was before the guard's hook came, in the form
// and at the place the Python guard wrote it. It may hold whatever the file
// held, so it is its owner's alone.
type record struct {
	Path     string  `json:"path"`        // of the settings file, every link followed
	Original *string `json:"original"`    // null: there was no file
	Written  *string `json:"written"`     // the text with the hook; of any other text the record knows nothing
	By       string  `json:"by,omitzero"` // checkrein; the Python guard does not say
}

// self is who our records are by.
const self = "checkrein"

// recordFile reads the record's file, which may be missing.
func recordFile(store state.Store, target settings.File) (settings.File, error) {
	sum := sha256.Sum256([]byte(target.Real))
	return settings.Read(filepath.Join(store.Dir, "installs", hex.EncodeToString(sum[:])[:16]+".json"))
}

// knows reads the record where it was made for exactly the text the settings
// file has now.
func knows(f settings.File, target settings.File) (record, bool) {
	var r record
	if !target.Exists || json.Unmarshal(f.Text, &r) != nil || r.Written == nil || *r.Written != string(target.Text) {
		return record{}, false
	}
	if r.By != self && r.Original != nil && *r.Original == "" {
		r.Original = nil // the Python guard notes a file that it made itself as an empty one
	}
	return r, !holdsOurs(r.Original)
}

// edit puts the original back.
func (r record) edit(target settings.File) *Edit {
	e := &Edit{Path: target.Path, Before: string(target.Text), Gone: r.Original == nil}
	if !e.Gone {
		e.After = *r.Original
	}
	return e
}

// holdsOurs: such an original would bring the hook back, and is no original.
func holdsOurs(text *string) bool {
	if text == nil {
		return false
	}
	doc, err := settings.Parse([]byte(*text))
	if err != nil {
		return true
	}
	hooks, err := doc.Hooks()
	return err != nil || len(ours(hooks)) > 0
}

// remember is the change of the record that goes with a settings file's new
// text. The first original stays through later installs; a file that had our
// hook without a record has none to keep.
func remember(f, target settings.File, text []byte, had bool) (settings.Change, bool) {
	old, known := knows(f, target)
	if !known && had {
		return settings.Change{File: f, Private: true}, f.Exists
	}
	written := string(text)
	r := record{Path: target.Real, Original: old.Original, Written: &written, By: self}
	if !known && target.Exists {
		original := string(target.Text)
		r.Original = &original
	}
	data, err := json.Marshal(r)
	if err != nil { // only for a path that is no text; then nothing is remembered
		return settings.Change{File: f, Private: true}, f.Exists
	}
	return settings.Change{File: f, Text: append(data, '\n'), Private: true}, true
}

func ours(hooks []settings.Hook) []settings.Hook {
	var found []settings.Hook
	for _, h := range hooks {
		if Ours(h.Command) {
			found = append(found, h)
		}
	}
	return found
}
