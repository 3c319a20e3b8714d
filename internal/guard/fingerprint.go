package guard

import (
	"bytes"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

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
func fingerprint(tool string, input []byte) string {
	text := append(appendString([]byte("["), tool), ", "...)
	text = appendInput(text, tool, input)
	return NewID(string(append(text, ']'))).String()
}

func appendInput(dst []byte, tool string, input []byte) []byte {
	if len(input) == 0 {
		return append(dst, "null"...)
	}
	members, ok := object(input)
	if !ok || !isShell(tool) {
		return appendValue(dst, input)
	}
	delete(members, "description")
	for _, key := range [...]string{"command", "cmd"} {
		if text, ok := stringValue(members[key]); ok {
			members[key] = appendString(nil, strings.Join(strings.Fields(text), " "))
		}
	}
	return appendObject(dst, members)
}

// object splits a JSON object; of members with the same name the last counts.
func object(value []byte) (map[string]jsontext.Value, bool) {
	d := jsontext.NewDecoder(bytes.NewBuffer(value), jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	if d.PeekKind() != '{' {
		return nil, false
	}
	members := map[string]jsontext.Value{}
	for token, err := d.ReadToken(); err == nil; {
		if d.PeekKind() == '}' {
			return members, true
		}
		if token, err = d.ReadToken(); err != nil {
			break
		}
		name := token.String()
		var member jsontext.Value
		if member, err = d.ReadValue(); err == nil {
			members[name] = member.Clone()
		}
	}
	return nil, false
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

func appendValue(dst []byte, value jsontext.Value) []byte {
	value = bytes.TrimSpace(value)
	switch value.Kind() {
	case '{':
		members, _ := object(value)
		return appendObject(dst, members)
	case '[':
		return appendArray(dst, value)
	case '"':
		text, _ := stringValue(value)
		return appendString(dst, text)
	case '0':
		return appendNumber(dst, string(value))
	}
	return append(dst, value...)
}

func appendObject(dst []byte, members map[string]jsontext.Value) []byte {
	names := make([]string, 0, len(members))
	for name := range members {
		names = append(names, name)
	}
	slices.Sort(names)
	dst = append(dst, '{')
	for i, name := range names {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = append(appendString(dst, name), ": "...)
		dst = appendValue(dst, members[name])
	}
	return append(dst, '}')
}

func appendArray(dst []byte, value jsontext.Value) []byte {
	d := jsontext.NewDecoder(bytes.NewBuffer(value), jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	dst = append(dst, '[')
	_, err := d.ReadToken()
	for first := true; err == nil && d.PeekKind() != ']'; first = false {
		var element jsontext.Value
		if element, err = d.ReadValue(); err != nil {
			break
		}
		if !first {
			dst = append(dst, ", "...)
		}
		dst = appendValue(dst, element)
	}
	return append(dst, ']')
}

// appendNumber writes integers digit for digit and others as the shortest text
// that reads back the same.
func appendNumber(dst []byte, text string) []byte {
	if !strings.ContainsAny(text, ".eE") {
		if text == "-0" {
			text = "0"
		}
		return append(dst, text...)
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil && (n > 1 || n < -1) {
		return append(dst, strings.Replace(strconv.FormatFloat(n, 'g', -1, 64), "Inf", "Infinity", 1)...)
	}
	short := strconv.FormatFloat(n, 'e', -1, 64)
	exponent, _ := strconv.Atoi(short[strings.IndexByte(short, 'e')+1:])
	if exponent < -4 || exponent >= 16 {
		return append(dst, short...)
	}
	plain := strconv.FormatFloat(n, 'f', -1, 64)
	if !strings.Contains(plain, ".") {
		plain += ".0"
	}
	return append(dst, plain...)
}

func appendString(dst []byte, text string) []byte {
	const hexDigits = "0123456789abcdef"
	dst = append(dst, '"')
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c == '\n':
			dst = append(dst, `\n`...)
		case c == '\r':
			dst = append(dst, `\r`...)
		case c == '\t':
			dst = append(dst, `\t`...)
		case c == '\b':
			dst = append(dst, `\b`...)
		case c == '\f':
			dst = append(dst, `\f`...)
		case c < ' ':
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}

func parseID(digits string) (id ID, ok bool) {
	n, err := hex.Decode(id[:], []byte(digits))
	return id, err == nil && n == len(id)
}
