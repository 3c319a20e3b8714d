package guard

import (
	"bytes"
	"encoding/hex"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/crypto/blake2b"
)

// ID is the short hash under which responses, sessions and calls are kept:
// BLAKE2b of 64 bits, as in the Python guard, whose state files go on here.
type ID [8]byte

// NewID hashes a text.
func NewID(text string) ID {
	h, err := blake2b.New(len(ID{}), nil)
	if err != nil {
		panic(err) // only for a size out of range
	}
	h.Write([]byte(text))
	return ID(h.Sum(nil))
}

func (id ID) String() string { return hex.EncodeToString(id[:]) }

// fingerprint is the identity of a call for the loop wire: its tool and its
// input, whatever the order of its keys. In shell calls the label does not
// count and a run of white space counts as one blank. The text that is hashed
// is the one Python's json.dumps(sort_keys=True, ensure_ascii=False) writes.
func fingerprint(tool string, input []byte) ID {
	text := append(appendString([]byte("["), tool), ", "...)
	text = appendInput(text, tool, input)
	return NewID(string(append(text, ']')))
}

func appendInput(dst []byte, tool string, input []byte) []byte {
	if len(input) == 0 {
		return append(dst, "null"...)
	}
	members, ok := object(input)
	if !ok || !isShell(tool) {
		return appendPython(dst, input)
	}
	delete(members, "description")
	for _, key := range [...]string{"command", "cmd"} {
		if text, ok := stringValue(members[key]); ok {
			members[key] = appendString(nil, strings.Join(strings.FieldsFunc(text, isSpace), " "))
		}
	}
	return appendMembers(dst, members)
}

// isSpace is Python's str.isspace: it has four separators more than Unicode.
func isSpace(r rune) bool { return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f }

func appendMembers(dst []byte, members map[string]jsontext.Value) []byte {
	dst = append(dst, '{')
	for i, name := range slices.Sorted(maps.Keys(members)) {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = append(appendString(dst, name), ": "...)
		dst = appendPython(dst, members[name])
	}
	return append(dst, '}')
}

// object splits a JSON object; of members with the same name the last counts.
func object(value []byte) (map[string]jsontext.Value, bool) {
	d := decoder(value)
	if d.PeekKind() != '{' {
		return nil, false
	}
	members := map[string]jsontext.Value{}
	_, err := d.ReadToken()
	for err == nil && d.PeekKind() != '}' {
		var name jsontext.Token
		if name, err = d.ReadToken(); err != nil {
			break
		}
		text := name.String() // a token is good until the next read
		var member jsontext.Value
		if member, err = d.ReadValue(); err == nil {
			members[text] = member.Clone()
		}
	}
	if err != nil {
		return nil, false
	}
	return members, true
}

func stringValue(value jsontext.Value) (string, bool) {
	if value.Kind() != '"' {
		return "", false
	}
	text, err := jsontext.AppendUnquote(nil, value)
	if err != nil && !bytes.ContainsRune(text, '\uFFFD') {
		return "", false
	}
	return string(text), true
}

func parseID(digits string) (id ID, ok bool) {
	n, err := hex.Decode(id[:], []byte(digits))
	return id, err == nil && n == len(id)
}
