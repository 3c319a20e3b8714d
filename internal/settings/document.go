// Package settings changes an agent's JSON settings file so that only our own
// lines change: comments, order, indentation, line ends, trailing commas and the
// byte-order mark stay as they are found, and a file in strict JSON stays strict
// JSON. Taking out what was put in gives the same bytes back.
//
// It also replaces files on disk, several as one: all of them are written or
// none. It never writes a file that somebody else changed since it was read, and
// never one that it could not read in full.
//
// The text is edited as a syntax tree that keeps every byte (hujson), not as
// byte ranges: the tree knows where an item's comments belong, and packing it
// gives the bytes back. Only white space next to our own items is computed.
package settings

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

// maxDepth is far above any settings file. The parser calls itself for each
// level, and a million levels overflow the stack, which nothing can recover.
const maxDepth = 1000

// bom is the UTF-8 byte-order mark, which some editors on Windows write and the
// parser refuses.
const bom = "\xef\xbb\xbf"

// Document is the text of one settings file.
type Document struct {
	root  hujson.Value
	bom   bool
	blank []byte // the text, where it holds only white space; else nil
	cut   bool   // a newline was added for a comment that ends with the file
	style style
}

// Parse reads the text of a settings file. Empty text and white space count as
// an empty object. The error says what is wrong and in which line.
func Parse(text []byte) (*Document, error) {
	if !utf8.Valid(text) {
		return nil, fmt.Errorf("not UTF-8 text (line %d)", invalidLine(text))
	}
	d := &Document{}
	text, d.bom = bytes.CutPrefix(text, []byte(bom))
	if len(bytes.TrimSpace(text)) == 0 {
		d.blank = append([]byte{}, text...)
		d.style = styleOf(text, nil)
		d.root = hujson.Value{Value: &hujson.Object{}, AfterExtra: hujson.Extra(d.style.newline)}
		return d, nil
	}
	return d, d.parse(text)
}

func (d *Document) parse(text []byte) error {
	if tooDeep(text) {
		return fmt.Errorf("not valid settings: nested more than %d levels deep", maxDepth)
	}
	body := append([]byte{}, text...)
	root, err := hujson.Parse(body)
	if err != nil && !bytes.HasSuffix(text, []byte("\n")) {
		// hujson wants a newline after the last line comment; editors don't.
		if again, e := hujson.Parse(append(body, '\n')); e == nil {
			root, err, d.cut = again, nil, true
		}
	}
	if err != nil {
		return fmt.Errorf("not valid JSON (%s)", strings.TrimPrefix(err.Error(), "hujson: "))
	}
	object, ok := root.Value.(*hujson.Object)
	if !ok {
		return errors.New("not a JSON object")
	}
	d.root, d.style = root, styleOf(text, object)
	return nil
}

// Text is the document as bytes. Without a change it is what Parse was given.
func (d *Document) Text() []byte {
	var out []byte
	if d.bom {
		out = append(out, bom...)
	}
	if d.blank != nil && len(d.object().Members) == 0 {
		return append(out, d.blank...)
	}
	out = append(out, d.root.Pack()...)
	if d.cut {
		out = bytes.TrimSuffix(out, []byte("\n"))
	}
	return out
}

func (d *Document) object() *hujson.Object { return d.root.Value.(*hujson.Object) }

// Flag tells whether a top-level key holds true.
func (d *Document) Flag(key string) bool {
	m, err := member(d.object(), key)
	if err != nil || m == nil {
		return false
	}
	value, ok := m.Value.Value.(hujson.Literal)
	return ok && value.Bool()
}

// SetNumber gives a top-level key a number, in its place where it has one. It
// changes nothing where the key already holds that number, however it is written.
func (d *Document) SetNumber(key string, n float64) error {
	m, err := member(d.object(), key)
	if err != nil {
		return err
	}
	if m == nil {
		d.style.addMember(d.object(), "", key, n)
		return nil
	}
	if !isNumber(m.Value.Value, n) {
		m.Value.Value = hujson.Float(n)
	}
	return nil
}

// member finds a key. JSON readers disagree on which of two equal keys holds, so
// two of them are refused.
func member(o *hujson.Object, key string) (*hujson.ObjectMember, error) {
	var found *hujson.ObjectMember
	for i := range o.Members {
		if o.Members[i].Name.Value.(hujson.Literal).String() != key {
			continue
		}
		if found != nil {
			return nil, fmt.Errorf("the key %q is there twice; keep one", key)
		}
		found = &o.Members[i]
	}
	return found, nil
}

func isNumber(v hujson.ValueTrimmed, n float64) bool {
	value, ok := v.(hujson.Literal)
	return ok && value.Kind() == '0' && value.Float() == n
}

func invalidLine(text []byte) int {
	line := 1
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if r == utf8.RuneError && size == 1 {
			break
		}
		if r == '\n' {
			line++
		}
		text = text[size:]
	}
	return line
}

// tooDeep counts open brackets outside strings and comments.
func tooDeep(text []byte) bool {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '[' || c == '{':
			if depth++; depth > maxDepth {
				return true
			}
		case c == ']' || c == '}':
			depth--
		case c == '"':
			i = stringEnd(text, i)
		case c == '/':
			i += max(commentLength(text[i:])-1, 0)
		}
	}
	return false
}

// stringEnd is the index of the quote that closes the string opened at i.
func stringEnd(text []byte, i int) int {
	for i++; i < len(text) && text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i
}
