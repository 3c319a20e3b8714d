package price

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// reader walks a table's JSON token by token: reflection would be set up anew
// in every hook call that prices a response. The first error ends it.
type reader struct {
	d      *jsontext.Decoder
	at     []byte // the name of the member being read, as it stands in the file
	in     string // the entry being read
	source string // the last one: rows share it
	err    error
}

// newReader reads a table. Names that are there twice are an error but in our
// own table, where a test looks for them: the search costs a tenth of a read.
func newReader(data []byte, origin Origin) *reader {
	return &reader{d: jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(origin == BuiltIn))}
}

// fail keeps the first error, with the entry it is in.
func (r *reader) fail(format string, args ...any) {
	if r.err != nil {
		return
	}
	r.err = fmt.Errorf(format, args...)
	if r.in != "" {
		r.err = fmt.Errorf("price table entry %q: %w", r.in, r.err)
	}
}

func (r *reader) unknown() { r.fail("%s is no member of a price table", r.at) }

// object calls member before each value of an object. The names we know need
// no unquoting; one with an escape in it is none of them.
func (r *reader) object(member func(name []byte)) {
	r.nested('{', '}', func() {
		name, err := r.d.ReadValue()
		if err != nil {
			r.fail("%w", err)
			return
		}
		r.at = name
		member(name[1 : len(name)-1])
	})
}

func (r *reader) array(each func()) { r.nested('[', ']', each) }

func (r *reader) nested(begin, end jsontext.Kind, each func()) {
	if r.err != nil {
		return
	}
	if r.d.PeekKind() != begin {
		r.wrong(kindName(begin))
		return
	}
	_, _ = r.d.ReadToken()
	for r.err == nil && r.d.PeekKind() != end {
		each()
	}
	if r.err == nil {
		_, _ = r.d.ReadToken()
	}
}

func kindName(k jsontext.Kind) string {
	if k == '{' {
		return "an object"
	}
	return "a list"
}

// wrong says what stands where something else should.
func (r *reader) wrong(want string) {
	v, err := r.d.ReadValue()
	switch {
	case err != nil:
		r.fail("%w", err)
	case r.at == nil:
		r.fail("a price table is %s, not %.40s", want, v)
	default:
		r.fail("%s must be %s, not %.40s", r.at, want, v)
	}
}

func (r *reader) value(kind jsontext.Kind, want string) jsontext.Value {
	if r.err != nil {
		return nil
	}
	if r.d.PeekKind() != kind {
		r.wrong(want)
		return nil
	}
	v, err := r.d.ReadValue()
	if err != nil {
		r.fail("%w", err)
	}
	return v
}

func (r *reader) text() string { return unquoted(r.value('"', "a text")) }

func unquoted(v jsontext.Value) string {
	if len(v) < 2 {
		return ""
	}
	if bytes.IndexByte(v, '\\') < 0 && utf8.Valid(v) {
		return string(v[1 : len(v)-1])
	}
	b, _ := jsontext.AppendUnquote(nil, v)
	return string(b)
}

// shared is a text that is often the one before.
func (r *reader) shared() string {
	v := r.value('"', "a text")
	if len(v) < 2 || string(v[1:len(v)-1]) != r.source {
		r.source = unquoted(v)
	}
	return r.source
}

func (r *reader) number(most float64) float64 {
	v := r.value('0', "a number")
	if v == nil {
		return 0
	}
	n, ok := decimal(v)
	if !ok || n < 0 || n > most {
		r.fail("%s must be from 0 to %v, not %.40s", r.at, most, v)
		return 0
	}
	return n
}

// decimal is the number that v spells. A price is a few digits around a point,
// whose quotient is exact; anything else goes the long way.
func decimal(v []byte) (float64, bool) {
	whole, scale, point := int64(0), 1.0, false
	for _, c := range v {
		switch {
		case c == '.':
			point = true
		case c < '0' || c > '9' || len(v) > 15:
			n, err := strconv.ParseFloat(string(v), 64)
			return n, err == nil
		default:
			whole = whole*10 + int64(c-'0')
			if point {
				scale *= 10
			}
		}
	}
	return float64(whole) / scale, true
}

// date reads YYYY-MM-DD. Dates are compared as texts, so their shape matters.
func (r *reader) date() string {
	s := r.text()
	if r.err == nil && !isDate(s) {
		r.fail("%s must be a day like 2026-10-07, not %.40q", r.at, s)
	}
	return s
}

func isDate(s string) bool {
	return len(s) == 10 && s[4] == '-' && s[7] == '-' && ascii(s[:4]) && ascii(s[5:7]) && ascii(s[8:]) &&
		s[5:7] >= "01" && s[5:7] <= "12" && s[8:] >= "01" && s[8:] <= "31"
}

func ascii(digits string) bool {
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return false
		}
	}
	return true
}

func (r *reader) end() {
	if r.err != nil {
		return
	}
	if _, err := r.d.ReadToken(); err != io.EOF {
		r.fail("something follows the price table")
	}
}
