package settings

import (
	"strings"

	"github.com/tailscale/hujson"
)

// TextIn is the string that a top-level object holds under name, "" for none.
func (d *Document) TextIn(key, name string) string {
	m, err := member(d.objectIn(key), name)
	if err != nil || m == nil {
		return ""
	}
	return text(m.Value.Value)
}

// NamesIn are the names in a top-level object that start so.
func (d *Document) NamesIn(key, start string) (names []string) {
	for _, m := range d.objectIn(key).Members {
		if name := text(m.Name.Value); strings.HasPrefix(name, start) {
			names = append(names, name)
		}
	}
	return names
}

// TrueIn tells whether a top-level object holds true under a name that starts so.
func (d *Document) TrueIn(key, start string) bool {
	for _, m := range d.objectIn(key).Members {
		value, ok := m.Value.Value.(hujson.Literal)
		if ok && value.Bool() && strings.HasPrefix(text(m.Name.Value), start) {
			return true
		}
	}
	return false
}

// objectIn is an empty object where the key has none.
func (d *Document) objectIn(key string) *hujson.Object {
	m, err := member(d.object(), key)
	if err == nil && m != nil {
		if o, ok := m.Value.Value.(*hujson.Object); ok {
			return o
		}
	}
	return &hujson.Object{}
}
