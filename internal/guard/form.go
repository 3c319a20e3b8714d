package guard

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// form is one JSON object of a state file while it is read or written. A type's
// members method names its members once, for both ways.
//
// It does by hand what reflection would do: that is set up anew in every
// process, and cost a hook call a tenth of its time.
type form struct {
	d     *jsontext.Decoder // reading
	at    string            // reading: the member whose value comes next
	taken bool              // reading: a member took the value

	out []byte // writing

	err error
}

// member tells whether a member is to be read or written now, and writes its
// name. One that says nothing is left out.
func (f *form) member(name string, empty bool) bool {
	switch {
	case f.err != nil:
		return false
	case f.d != nil:
		f.taken = f.taken || f.at == name
		return f.at == name
	case empty:
		return false
	}
	f.name(name)
	return true
}

func (f *form) name(name string) {
	f.comma()
	f.quote(name)
	f.out = append(f.out, ':')
}

func (f *form) comma() {
	if last := f.out[len(f.out)-1]; last != '{' && last != '[' {
		f.out = append(f.out, ',')
	}
}

// quote writes a text; bytes that are no UTF-8 become U+FFFD. Most texts are
// ids, the ids of responses up to 64 KB of them, and need no escape.
func (f *form) quote(text string) {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			f.out, _ = jsontext.AppendQuote(f.out, text)
			return
		}
	}
	f.out = append(append(append(f.out, '"'), text...), '"')
}

// value reads the next value; nil when it is null or, with an error, of another
// kind.
func (f *form) value(kind jsontext.Kind) jsontext.Value {
	v, err := f.d.ReadValue()
	switch {
	case err != nil:
		f.err = err
	case v.Kind() == 'n':
	case v.Kind() == kind || kind == 't' && v.Kind() == 'f':
		return v
	default:
		f.err = fmt.Errorf("%s is %.20q", f.at, v)
	}
	return nil
}

// The functions below read or write one value; members and elements are made of
// them. Null reads as the zero value.

func text(f *form, p *string) {
	if f.d == nil {
		f.quote(*p)
		return
	}
	*p = ""
	v := f.value('"')
	switch {
	case len(v) < 2:
	case bytes.IndexByte(v, '\\') >= 0 || !utf8.Valid(v):
		b, _ := jsontext.AppendUnquote(nil, v)
		*p = string(b)
	default:
		*p = string(v[1 : len(v)-1])
	}
}

func flag(f *form, p *bool) {
	if f.d == nil {
		f.out = strconv.AppendBool(f.out, *p)
		return
	}
	*p = string(f.value('t')) == "true"
}

func integer[T ~int | ~int64 | ~uint8 | ~uint64](f *form, p *T) {
	if f.d == nil {
		f.out = strconv.AppendInt(f.out, int64(*p), 10)
		return
	}
	*p = 0
	if v := f.value('0'); v != nil {
		n, err := strconv.ParseInt(string(v), 10, 64)
		if *p = T(n); err != nil || int64(*p) != n {
			f.err = fmt.Errorf("%s is %.40s", f.at, v)
		}
	}
}

func number(f *form, p *float64) {
	if f.d == nil {
		f.float(*p)
		return
	}
	*p = 0
	if v := f.value('0'); v != nil {
		if *p, f.err = strconv.ParseFloat(string(v), 64); f.err != nil {
			f.err = fmt.Errorf("%s: %w", f.at, f.err)
		}
	}
}

func (f *form) float(n float64) {
	format := byte('f')
	switch size := math.Abs(n); {
	case math.IsNaN(n) || math.IsInf(n, 0):
		f.err = errors.New("a number is out of range")
	case size != 0 && size < 1e-6 || size >= 1e21:
		format = 'e'
	}
	f.out = strconv.AppendFloat(f.out, n, format, -1, 64)
}

// maybe is a value that can be null: p is then nil.
func maybe[T any](value func(f *form, p *T)) func(f *form, p **T) {
	return func(f *form, p **T) {
		switch {
		case f.d == nil && *p == nil:
			f.out = append(f.out, "null"...)
		case f.d == nil:
			value(f, *p)
		case f.d.PeekKind() == 'n':
			*p = nil
			_, f.err = f.d.ReadToken()
		default:
			*p = new(T)
			value(f, *p)
		}
	}
}

// list is an array of values.
func list[T any](value func(f *form, p *T)) func(f *form, p *[]T) {
	return func(f *form, p *[]T) {
		if f.d != nil {
			*p = nil
			f.nested('[', func() {
				var element T
				value(f, &element)
				*p = append(*p, element)
			})
			return
		}
		f.out = append(f.out, '[')
		for i := range *p {
			f.comma()
			value(f, &(*p)[i])
		}
		f.out = append(f.out, ']')
	}
}

// table is an object of values by name.
func table[T any](value func(f *form, p *T)) func(f *form, p *map[string]T) {
	return func(f *form, p *map[string]T) {
		if f.d != nil {
			*p = map[string]T{}
			f.nested('{', func() {
				key := f.at
				var element T
				value(f, &element)
				(*p)[key] = element
			})
			return
		}
		f.out = append(f.out, '{')
		for _, key := range slices.Sorted(maps.Keys(*p)) {
			f.name(key)
			element := (*p)[key]
			value(f, &element)
		}
		f.out = append(f.out, '}')
	}
}

// record is an object of a type's members; others are passed over.
func record[T any](members func(p *T, f *form)) func(f *form, p *T) {
	return func(f *form, p *T) { f.object(func(f *form) { members(p, f) }, nil) }
}

// one reads or writes a member.
func one[T any](f *form, name string, p *T, empty bool, value func(f *form, p *T)) {
	if f.member(name, empty) {
		value(f, p)
	}
}

// nested reads an array or an object and calls each before every value; null
// is an empty one.
func (f *form) nested(kind jsontext.Kind, each func()) {
	got := f.d.PeekKind()
	if got == 'n' {
		_, f.err = f.d.ReadToken()
		return
	}
	if got != kind {
		f.err = fmt.Errorf("%s is %v and not %v", f.at, got, kind)
		return
	}
	at, end := f.at, kind+2 // '}' and ']' in ASCII
	_, f.err = f.d.ReadToken()
	for f.err == nil && f.d.PeekKind() != end {
		if kind == '{' {
			var name jsontext.Token
			if name, f.err = f.d.ReadToken(); f.err != nil {
				return
			}
			f.at = name.String()
		}
		each()
	}
	if f.err == nil {
		_, f.err = f.d.ReadToken()
	}
	f.at = at
}

// object reads or writes an object. What members does not take of one that is
// read goes to rest, if there is one.
func (f *form) object(members func(f *form), rest func(name string, v jsontext.Value)) {
	if f.d == nil {
		f.out = append(f.out, '{')
		members(f)
		f.out = append(f.out, '}')
		return
	}
	f.nested('{', func() {
		f.taken = false
		if members(f); f.taken || f.err != nil {
			return
		}
		var v jsontext.Value
		if v, f.err = f.d.ReadValue(); f.err == nil && rest != nil {
			rest(f.at, v)
		}
	})
	f.taken = true
}

// AppendJSON appends the session as its state file holds it.
func (s *Session) AppendJSON(dst []byte) ([]byte, error) {
	f := form{out: dst}
	f.object(s.members, nil)
	return f.out, f.err
}

// ReadJSON fills an empty session from its state file's content. Members it
// does not know are kept in Extra; one of another type than expected is an
// error.
func (s *Session) ReadJSON(data []byte) error {
	f := form{d: decoder(data), at: "the file"}
	if kind := f.d.PeekKind(); kind != '{' {
		return errors.New("a session is an object")
	}
	f.object(s.members, s.keep)
	if f.err != nil {
		return f.err
	}
	if _, err := f.d.ReadToken(); err != io.EOF {
		return errors.New("something follows the session")
	}
	return nil
}
