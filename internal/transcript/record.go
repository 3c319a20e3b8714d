package transcript

import (
	"bytes"
	"io"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// Record walks the JSON object on one line of a transcript. The formats belong
// to the harnesses and change between versions, so every method takes any type
// of value: one of another type than asked for is passed over and reads as
// nothing. Strings that are no valid UTF-8 are mended, of members with the
// same name the last counts. The zero value is ready and may be used again.
//
// A callback that is given a value must take it with exactly one method call.
type Record struct {
	dec jsontext.Decoder
	buf bytes.Buffer
	tmp []byte
	err error
}

// Read walks line and tells whether it is one JSON object and nothing else;
// what members saw of a line that is not must be thrown away.
func (r *Record) Read(line []byte, member func(name []byte)) bool {
	r.buf = *bytes.NewBuffer(line)
	r.dec.Reset(&r.buf, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	r.err = nil
	if !r.Object(member) {
		return false
	}
	_, err := r.dec.ReadToken()
	return r.err == nil && err == io.EOF
}

// Kind is the type of the next value: '{', '[', '"', '0', 't', 'f' or 'n'.
func (r *Record) Kind() jsontext.Kind {
	if r.err != nil {
		return 0
	}
	return r.dec.PeekKind()
}

// Skip passes over the next value.
func (r *Record) Skip() { r.note(r.dec.SkipValue()) }

func (r *Record) note(err error) {
	if r.err == nil {
		r.err = err
	}
}

// Object calls member for each member of the next value; false when that is no
// object. name is only valid during the call.
func (r *Record) Object(member func(name []byte)) bool {
	if r.Kind() != '{' {
		r.Skip()
		return false
	}
	r.token()
	for r.err == nil && r.dec.PeekKind() != '}' {
		name := r.value()
		if len(name) < 2 {
			break
		}
		name = name[1 : len(name)-1]
		if bytes.IndexByte(name, '\\') >= 0 {
			name = nil // no member asked for is written with an escape
		}
		member(name)
	}
	r.token()
	return true
}

// Array calls element for each element of the next value; false when that is
// no array.
func (r *Record) Array(element func()) bool {
	if r.Kind() != '[' {
		r.Skip()
		return false
	}
	r.token()
	for r.err == nil && r.dec.PeekKind() != ']' {
		element()
	}
	r.token()
	return true
}

func (r *Record) token() {
	if r.err == nil {
		_, r.err = r.dec.ReadToken()
	}
}

func (r *Record) value() []byte {
	if r.err != nil {
		return nil
	}
	v, err := r.dec.ReadValue()
	r.note(err)
	return v
}

// Text is the next value if it is a string. The bytes are only valid until the
// next call.
func (r *Record) Text() (text []byte, ok bool) {
	if r.Kind() != '"' {
		r.Skip()
		return nil, false
	}
	v := r.value()
	if len(v) < 2 {
		return nil, false
	}
	if bytes.IndexByte(v, '\\') < 0 {
		return v[1 : len(v)-1], true
	}
	r.tmp, _ = jsontext.AppendUnquote(r.tmp[:0], v)
	return r.tmp, true
}

// String is Text as a string of its own; "" for other types.
func (r *Record) String() string {
	text, _ := r.Text()
	return string(text)
}

// ID is the next value as an identifier: a string, or a number as it is
// written; "" for other types.
func (r *Record) ID() string {
	if r.Kind() == '0' {
		return string(r.value())
	}
	return r.String()
}

// maxCount is far above every count of tokens; a larger one is a mistake and
// would make sums overflow.
const maxCount = 1 << 40

// Count is the next value if it is a whole number written as one (not 1.0, not
// "1"), and neither negative nor absurd; else 0.
func (r *Record) Count() int64 {
	n, ok := r.Int()
	if !ok || n < 0 || n > maxCount {
		return 0
	}
	return n
}

// Int is the next value if it is a whole number written as one.
func (r *Record) Int() (n int64, ok bool) {
	if r.Kind() != '0' {
		r.Skip()
		return 0, false
	}
	n, err := strconv.ParseInt(string(r.value()), 10, 64)
	return n, err == nil
}

// True tells whether the next value is true.
func (r *Record) True() bool {
	yes := r.Kind() == 't'
	r.Skip()
	return yes
}

// Set tells whether the next value says something: true, a number other than
// zero, a string, array or object that is not empty. Flags come in all forms.
func (r *Record) Set() bool {
	v := r.value()
	switch {
	case len(v) == 0:
		return false
	case v[0] == '"' || v[0] == '[' || v[0] == '{':
		return len(bytes.TrimSpace(v[1:len(v)-1])) > 0 || v[0] == '"' && len(v) > 2
	case v[0] == 't':
		return true
	case v[0] == 'f' || v[0] == 'n':
		return false
	}
	f, err := strconv.ParseFloat(string(v), 64)
	return err != nil || f != 0
}
