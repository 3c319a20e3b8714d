package guard

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// maxDepth is how deep an input is put in Python's form; below that it counts
// as it is written. No tool's input is a tenth as deep, and putting keys in
// order costs a copy of the object at every level.
const maxDepth = 200

// appendPython writes a JSON value as json.dumps(sort_keys=True,
// ensure_ascii=False) writes what json.loads read, in one pass over it.
func appendPython(dst []byte, value []byte) []byte {
	p := python{d: decoder(value), dst: dst}
	if err := p.value(0); err != nil { // harnesses send whole values only
		return append(dst, value...)
	}
	return p.dst
}

func decoder(value []byte) *jsontext.Decoder {
	return jsontext.NewDecoder(bytes.NewBuffer(value), jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
}

type python struct {
	d   *jsontext.Decoder
	dst []byte
}

func (p *python) value(depth int) error {
	kind := p.d.PeekKind()
	if depth < maxDepth && (kind == '{' || kind == '[') {
		return p.nested(kind, depth)
	}
	v, err := p.d.ReadValue()
	switch {
	case err != nil:
	case kind == '"':
		text, _ := stringValue(v)
		p.dst = appendString(p.dst, text)
	case kind == '0':
		p.dst = appendNumber(p.dst, string(v))
	default:
		p.dst = append(p.dst, v...)
	}
	return err
}

// member is where one member of an object was written.
type member struct {
	name     string
	from, to int
}

// nested writes an object or an array.
func (p *python) nested(kind jsontext.Kind, depth int) (err error) {
	if _, err = p.d.ReadToken(); err != nil {
		return err
	}
	p.dst = append(p.dst, byte(kind))
	start, end := len(p.dst), kind+2 // '}' and ']' in ASCII
	var members []member
	for p.d.PeekKind() != end {
		if len(p.dst) > start {
			p.dst = append(p.dst, ", "...)
		}
		m := member{from: len(p.dst)}
		if kind == '{' {
			m.name, err = p.name()
		}
		if err == nil {
			err = p.value(depth + 1)
		}
		if err != nil {
			return err
		}
		if m.to = len(p.dst); kind == '{' {
			members = append(members, m)
		}
	}
	p.dst = inOrder(p.dst, start, members)
	p.dst = append(p.dst, byte(end))
	_, err = p.d.ReadToken()
	return err
}

func (p *python) name() (string, error) {
	token, err := p.d.ReadToken()
	if err != nil {
		return "", err
	}
	name := token.String()
	p.dst = append(appendString(p.dst, name), ": "...)
	return name, nil
}

// inOrder sorts the members written from start on by name; of those with the
// same name the last stays.
func inOrder(dst []byte, start int, members []member) []byte {
	byName := func(a, b member) int { return cmp.Compare(a.name, b.name) }
	same := func(a, b member) bool { return a.name == b.name }
	if slices.IsSortedFunc(members, byName) && len(slices.CompactFunc(slices.Clone(members), same)) == len(members) {
		return dst
	}
	slices.Reverse(members) // so that the last of a name is the first of its run
	slices.SortStableFunc(members, byName)
	written := bytes.Clone(dst[start:])
	dst = dst[:start]
	for i, m := range slices.CompactFunc(members, same) {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = append(dst, written[m.from-start:m.to-start]...)
	}
	return dst
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
		if n < 0 {
			dst = append(dst, '-')
		}
		return append(dst, "Infinity"...)
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
