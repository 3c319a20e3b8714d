package settings

import (
	"bytes"
	"strings"

	"github.com/tailscale/hujson"
)

// style is how a file is written, so that what is added looks like the rest.
type style struct {
	newline string // "\n" or "\r\n"
	unit    string // one level of indentation
	gap     string // what follows a colon, and a comma within a line
	oneLine bool   // the whole object stands on one line
}

// styleOf looks at the first line end and the first member's indentation. A file
// without any gets two spaces and "\n".
func styleOf(text []byte, root *hujson.Object) style {
	s := style{newline: "\n", unit: "  ", gap: " "}
	if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		s.newline = "\r\n"
	}
	if root == nil || len(root.Members) == 0 {
		return s
	}
	if indent := indentAfter(root.Members[0].Name.BeforeExtra, ""); indent != "" {
		s.unit = indent
		if indent[0] == '\t' {
			s.unit = "\t"
		}
	}
	s.oneLine = !bytes.Contains(bytes.TrimSpace(text), []byte("\n"))
	if s.oneLine && len(root.Members[0].Value.BeforeExtra) == 0 {
		s.gap = ""
	}
	return s
}

// indentAfter is the white space between a line's start and the item that extra
// stands before, or none where the item does not start its line.
func indentAfter(extra hujson.Extra, none string) string {
	i := bytes.LastIndexByte(extra, '\n')
	if i < 0 {
		return none
	}
	line := extra[i+1:]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// pair is one member of an object to be written.
type pair struct {
	key   string
	value any // a string, float64, []any or []pair
}

// value writes v as one line, or as lines of which the first is not indented.
func (s style) value(v any, indent string, oneLine bool) hujson.ValueTrimmed {
	var b strings.Builder
	s.write(&b, v, indent, oneLine)
	parsed, err := hujson.Parse([]byte(b.String()))
	if err != nil {
		panic("settings: " + err.Error()) // unreachable: write writes JSON
	}
	return parsed.Value
}

func (s style) write(b *strings.Builder, v any, indent string, oneLine bool) {
	switch v := v.(type) {
	case string:
		b.Write(hujson.String(v))
	case float64:
		b.Write(hujson.Float(v))
	case []any:
		s.writeItems(b, "[]", len(v), indent, oneLine, func(i int, indent string) {
			s.write(b, v[i], indent, oneLine)
		})
	case []pair:
		s.writeItems(b, "{}", len(v), indent, oneLine, func(i int, indent string) {
			b.Write(hujson.String(v[i].key))
			b.WriteString(":" + s.gap)
			s.write(b, v[i].value, indent, oneLine)
		})
	}
}

func (s style) writeItems(b *strings.Builder, brackets string, n int, indent string, oneLine bool, item func(int, string)) {
	open, comma, end := s.newline+indent+s.unit, ","+s.newline+indent+s.unit, s.newline+indent
	if oneLine {
		open, comma, end = "", ","+s.gap, ""
	}
	b.WriteByte(brackets[0])
	for i := range n {
		if i == 0 {
			b.WriteString(open)
		} else {
			b.WriteString(comma)
		}
		item(i, indent+s.unit)
	}
	b.WriteString(end)
	b.WriteByte(brackets[1])
}
