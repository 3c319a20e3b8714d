package task

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Names of files are bytes, and JSON holds text. A byte that is no UTF-8 stands in
// tasks.json as Python writes it (PEP 383): half a surrogate pair, \udc80 to
// \udcff, which no text has. Without that the hidden tests of such a name would
// be looked for under another one.

// Marshal is the text of tasks.json.
func (d *Document) Marshal() ([]byte, error) {
	out, err := json.Marshal(d, jsontext.WithIndent("  "), json.Deterministic(true), jsontext.AllowInvalidUTF8(true),
		jsontext.PreserveRawStrings(true), json.WithMarshalers(json.MarshalToFunc(writeBytes)))
	return append(out, '\n'), err
}

// Unmarshal reads the text of tasks.json, of this program or the Python one.
func (d *Document) Unmarshal(text []byte) error {
	return json.Unmarshal(text, d, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true),
		json.WithUnmarshalers(json.UnmarshalFromFunc(readBytes)))
}

func writeBytes(out *jsontext.Encoder, s string) error {
	if utf8.ValidString(s) {
		return errors.ErrUnsupported
	}
	quoted := []byte{'"'}
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && size == 1 {
			quoted = append(append(quoted, `\udc`...), strconv.FormatUint(uint64(s[0]), 16)...)
		} else if one, err := jsontext.AppendQuote(nil, s[:size]); err == nil {
			quoted = append(quoted, one[1:len(one)-1]...)
		}
		s = s[size:]
	}
	return out.WriteValue(append(quoted, '"'))
}

func readBytes(in *jsontext.Decoder, s *string) error {
	if in.PeekKind() != '"' {
		return errors.ErrUnsupported
	}
	value, err := in.ReadValue()
	if err != nil {
		return err
	}
	*s = unescape(string(value[1 : len(value)-1]))
	return nil
}

// unescape is what the inside of a JSON string says.
func unescape(inside string) string {
	var out strings.Builder
	from := 0
	say := func(to int) {
		plain, _ := jsontext.AppendUnquote(nil, `"`+inside[from:to]+`"`) // its error is bytes that are no UTF-8
		out.Write(plain)
	}
	for at := 0; at < len(inside); {
		size, lone := escape(inside[at:])
		if lone != 0 {
			say(at)
			out.WriteByte(lone)
			from = at + size
		}
		at += size
	}
	say(len(inside))
	return out.String()
}

// escape measures what s starts with: an escape, a whole surrogate pair, or one
// byte. lone is the byte that a half pair stands for.
func escape(s string) (size int, lone byte) {
	if len(s) < 2 || s[0] != '\\' {
		return 1, 0
	}
	unit, ok := codeUnit(s)
	low, paired := codeUnit(s[min(6, len(s)):])
	switch {
	case !ok:
		return 2, 0
	case unit>>10 == 0xd800>>10 && paired && low>>10 == 0xdc00>>10:
		return 12, 0
	case unit >= 0xdc80 && unit <= 0xdcff:
		return 6, byte(unit)
	}
	return 6, 0
}

// codeUnit reads \uXXXX.
func codeUnit(s string) (unit uint64, ok bool) {
	if len(s) < 6 || s[:2] != `\u` {
		return 0, false
	}
	unit, err := strconv.ParseUint(s[2:6], 16, 16)
	return unit, err == nil
}
