package price

import "strings"

// How tells by what an id found its row.
type How uint8

// The ways an id can find its row, the surest first.
const (
	NoRow   How = iota
	Exact       // it is the row's id
	Alias       // it is another name of the row
	Wrapped     // it is, without what a cloud, a gateway or a harness puts around it
	Begins      // it begins with the row's id, and what follows is no other version or size
)

// Found is the row of a model id, and what else the id says.
type Found struct {
	Model   *Model // nil when there is none
	How     How
	Name    string // the id without what is wrapped around it
	Profile bool   // it names a cloud's regional profile
	Fast    bool   // it names the model's fast mode

	checked string // the table's day, for records without a time
}

// Match is the row with a model id's prices, or nil.
func (t *Table) Match(id string) *Model {
	if m := t.Find(id).Model; m != nil && !m.standsIn() {
		return m
	}
	return nil
}

// Find looks for the row of a model id: the id as it is; the id without its
// wrapping (see unwrap); the longest known id it starts with. A newer version
// or another size after a known id (claude-opus-5-6, gpt-5.5-pro) is another
// model. A table beneath is asked before the last, which is a guess.
func (t *Table) Find(id string) Found {
	found := unwrap(strings.TrimSpace(id))
	found.checked = t.Checked
	if t.sure(id, &found) || t.beneath != nil && t.beneath(strings.TrimSpace(id)).sure(id, &found) {
		return found
	}
	for i := range t.Models {
		m := &t.Models[i]
		if extends(found.Name, m.ID) && (found.Model == nil || len(m.ID) > len(found.Model.ID)) {
			found.Model, found.How = m, Begins
		}
	}
	return found
}

// sure fills found with the row that is the id's without a guess.
func (t *Table) sure(id string, found *Found) bool {
	for i, name := range spellings(id, found.Name) {
		m, how := t.byID(name), Exact
		if m == nil {
			m, how = t.byAlias(name), Alias
		}
		if m == nil {
			continue
		}
		if i > 0 {
			how = Wrapped
		}
		if found.Model, found.How = m, how; name != found.Name { // a row with the fast mode in its id is that mode's
			found.Name, found.Fast = name, false
		}
		return true
	}
	return false
}

// spellings are what may be a row's id, the surest first: the id as it is,
// without a gateway before it, without any wrapping.
func spellings(id, name string) [3]string {
	id = strings.TrimSpace(id)
	part, _ := lastPart(id)
	return [3]string{id, part, name}
}

func (t *Table) byID(id string) *Model {
	for i := range t.Models {
		if t.Models[i].ID == id {
			return &t.Models[i]
		}
	}
	return nil
}

func (t *Table) byAlias(id string) *Model {
	for i := range t.Models {
		for _, alias := range t.Models[i].Aliases {
			if alias == id {
				return &t.Models[i]
			}
		}
	}
	return nil
}

const separators = "-_.@:"

// extends reports whether id is known plus a suffix that names the same model.
func extends(id, known string) bool {
	rest, ok := strings.CutPrefix(id, known)
	if !ok || rest == "" || !strings.ContainsRune(separators, rune(rest[0])) {
		return false
	}
	word := rest[1:]
	if i := strings.IndexAny(word, separators); i >= 0 {
		word = word[:i]
	}
	return !otherSize(word) && !allDigits(word)
}

// otherSize: what these name after a known id has another price.
func otherSize(word string) bool {
	switch word {
	case "mini", "nano", "pro", "max", "lite", "turbo", "spark", "flash", "image", "audio", "tts", "live", "native":
		return true
	}
	return false
}
