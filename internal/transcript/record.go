package transcript

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Record walks the JSON object on one line of a transcript. The formats belong
// to the harnesses and change between versions, so every method takes any type
// of value: one of another type than asked for is passed over and reads as
// nothing. Of members with the same name the last counts.
//
// What stands inside strings is not checked, so that they can be skipped at
// the speed of memory; all else must be valid JSON. (Reading a year of sessions
// is nearly all skipping of texts.) The zero value is ready and may be used
// again.
type Record struct {
	line  []byte
	at    int
	depth int
	bad   bool
	plain []byte // the last string without its escapes
}

// maxDepth is far above the nesting of every record seen; deeper ones are
// malformed.
const maxDepth = 1000

// Read walks line and tells whether it is one JSON object and nothing else;
// what member saw of a line that is not must be thrown away. See Object.
func (r *Record) Read(line []byte, member func(name []byte)) bool {
	r.line, r.at, r.depth, r.bad = line, 0, 0, false
	return r.Object(member) && r.peek() == 0 && r.at == len(line) && !r.bad
}

// Kind is the type of the next value: '{', '[', '"', '0' for numbers, 't', 'f'
// or 'n', and 0 where there is no value.
func (r *Record) Kind() byte {
	switch c := r.peek(); {
	case c == '-' || c >= '0' && c <= '9':
		return '0'
	case c == '{' || c == '[' || c == '"' || c == 't' || c == 'f' || c == 'n':
		return c
	}
	return 0
}

// Object calls member for each member of the next value; false when that is no
// object. member may take the value with one method call; if it does not, the
// value is passed over. name is only valid during the call.
func (r *Record) Object(member func(name []byte)) bool {
	if r.Kind() != '{' {
		r.Skip()
		return false
	}
	r.each('}', func() {
		name := r.quoted()
		r.expect(':')
		if r.bad {
			return
		}
		if r.peek(); member != nil {
			before := r.at
			member(name[1 : len(name)-1])
			if r.at != before {
				return
			}
		}
		r.Skip()
	})
	return true
}

// Array calls element for each element of the next value; false when that is
// no array. An element that is not taken is passed over.
func (r *Record) Array(element func()) bool {
	if r.Kind() != '[' {
		r.Skip()
		return false
	}
	r.each(']', func() {
		r.peek()
		before := r.at
		element()
		if r.at == before {
			r.Skip()
		}
	})
	return true
}

// Offset is where the next value of the line starts, or what follows the last one.
func (r *Record) Offset() int { r.peek(); return r.at }

// Size takes the next value and tells how many bytes it has as written.
func (r *Record) Size() int { return len(r.value()) }

// Since is the line as written from where Offset was to where the last value
// ended.
func (r *Record) Since(from int) []byte {
	if r.bad {
		return nil
	}
	return r.line[from:r.at]
}

// Text is the next value if it is a string. The bytes are only valid until the
// next call.
func (r *Record) Text() (text []byte, ok bool) { return r.Head(len(r.line)) }

// Head is the beginning of the next value if it is a string: what its first n
// bytes as written hold, which is all of a shorter one. Long texts cost less
// this way. The bytes are only valid until the next call.
func (r *Record) Head(n int) (text []byte, ok bool) {
	if r.Kind() != '"' {
		r.Skip()
		return nil, false
	}
	v := r.quoted()
	if r.bad {
		return nil, false
	}
	v = v[:min(n, len(v)-1)]
	if bytes.IndexByte(v, '\\') < 0 {
		return v[1:], true
	}
	r.plain, _ = jsontext.AppendUnquote(r.plain[:0], v) // without its end: an escape cut in two is left out
	return r.plain, true
}

// Starts tells whether the next value is a string that begins with s as it is
// written. It takes nothing.
func (r *Record) Starts(s string) bool {
	if r.Kind() != '"' {
		return false
	}
	return bytes.HasPrefix(r.line[r.at+1:], []byte(s))
}

// maxName is far above the length of every id, name and time seen, in bytes.
// What is longer is no such thing, and must not be kept.
const maxName = 1000

// String is the next value if it is a string of at most maxName bytes, as a
// string of its own and valid UTF-8; "" otherwise.
func (r *Record) String() string {
	text, _ := r.Head(6 * maxName) // an escape is at most 6 bytes long
	switch {
	case len(text) > maxName:
		return ""
	case !utf8.Valid(text):
		return string([]rune(string(text)))
	}
	return string(text)
}

// ID is the next value as an identifier: a string, or a number as it is
// written; "" for other types and for 0.
func (r *Record) ID() string {
	if r.Kind() != '0' {
		return r.String()
	}
	if v := r.value(); string(v) != "0" {
		return string(v)
	}
	return ""
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

// Number is the next value if it is a number of at least 0, else 0.
func (r *Record) Number() float64 {
	if r.Kind() != '0' {
		r.Skip()
		return 0
	}
	f, err := strconv.ParseFloat(string(r.value()), 64)
	if err != nil {
		return 0
	}
	return max(f, 0)
}

// True tells whether the next value is true.
func (r *Record) True() bool { return string(r.value()) == "true" }

// Set tells whether the next value says something: true, a number other than
// zero, a string, array or object that is not empty. Flags come in all forms.
func (r *Record) Set() bool {
	v := r.value()
	switch {
	case len(v) == 0:
		return false
	case v[0] == '"':
		return len(v) > 2
	case v[0] == '[' || v[0] == '{':
		return len(bytes.TrimSpace(v[1:len(v)-1])) > 0
	case v[0] == 't' || v[0] == 'f' || v[0] == 'n':
		return v[0] == 't'
	}
	f, err := strconv.ParseFloat(string(v), 64)
	return err != nil || f != 0
}
