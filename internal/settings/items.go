package settings

import (
	"bytes"

	"github.com/tailscale/hujson"
)

// items is what objects and arrays share: items in a row, with white space and
// comments ("extra") before each, after each, and before the closing bracket.
type items interface {
	size() int
	before(i int) *hujson.Extra
	after(i int) *hujson.Extra // up to the comma; not nil at the last item = a trailing comma
	end() *hujson.Extra
	drop(i int)
}

type object struct{ *hujson.Object }

func (o object) size() int                  { return len(o.Members) }
func (o object) before(i int) *hujson.Extra { return &o.Members[i].Name.BeforeExtra }
func (o object) after(i int) *hujson.Extra  { return &o.Members[i].Value.AfterExtra }
func (o object) end() *hujson.Extra         { return &o.AfterExtra }
func (o object) drop(i int)                 { o.Members = append(o.Members[:i:i], o.Members[i+1:]...) }

type array struct{ *hujson.Array }

func (a array) size() int                  { return len(a.Elements) }
func (a array) before(i int) *hujson.Extra { return &a.Elements[i].BeforeExtra }
func (a array) after(i int) *hujson.Extra  { return &a.Elements[i].AfterExtra }
func (a array) end() *hujson.Extra         { return &a.AfterExtra }
func (a array) drop(i int)                 { a.Elements = append(a.Elements[:i:i], a.Elements[i+1:]...) }

// place is where a new last item goes.
type place struct {
	before, after hujson.Extra
	indent        string // of the item's line
	oneLine       bool
}

// addMember puts a member at the end of an object whose own line has indent.
func (s style) addMember(o *hujson.Object, indent, key string, v any) {
	p := s.room(object{o}, indent)
	o.Members = append(o.Members, hujson.ObjectMember{
		Name:  hujson.Value{BeforeExtra: p.before, Value: hujson.String(key)},
		Value: hujson.Value{BeforeExtra: hujson.Extra(s.gap), Value: s.value(v, p.indent, p.oneLine), AfterExtra: p.after},
	})
}

// addElement puts an element at the end of an array whose own line has indent.
func (s style) addElement(a *hujson.Array, indent string, v any) {
	p := s.room(array{a}, indent)
	a.Elements = append(a.Elements, hujson.Value{
		BeforeExtra: p.before, Value: s.value(v, p.indent, p.oneLine), AfterExtra: p.after,
	})
}

// room makes room for one more item at the end. Comments behind the last item
// stay before the new one; remove undoes this exactly.
func (s style) room(l items, indent string) place {
	if l.size() == 0 {
		return s.firstRoom(l, indent)
	}
	last, end := *l.before(l.size() - 1), *l.end()
	comments, space, _ := splitComments(end)
	p := place{indent: indentAfter(last, indent+s.unit)}
	p.oneLine = !bytes.Contains(last, []byte("\n")) && !bytes.Contains(end, []byte("\n"))
	gap := s.newline + p.indent
	if p.oneLine {
		gap = s.gap
	}
	p.before = join(comments, []byte(gap))
	if *l.after(l.size() - 1) != nil {
		p.after = hujson.Extra{}
	}
	*l.end() = space
	return p
}

// firstRoom keeps what stands in the empty brackets before the new item.
func (s style) firstRoom(l items, indent string) place {
	p := place{indent: indent + s.unit, oneLine: s.oneLine}
	inner := *l.end()
	comments, space, _ := splitComments(inner)
	switch {
	case p.oneLine:
		p.before, *l.end() = inner, nil
	case len(comments) > 0:
		p.before, *l.end() = join(comments, []byte(s.newline+p.indent)), space
	default:
		p.before = join(inner, []byte(s.newline+p.indent))
		*l.end() = hujson.Extra(s.newline + indent)
	}
	return p
}

// remove takes out item i with its comma and its line; comments stay.
func (s style) remove(l items, i int) {
	switch last := l.size() - 1; {
	case last == 0:
		*l.end() = s.emptied(*l.before(0), *l.after(0), *l.end())
		l.drop(0)
	case i == last:
		s.removeLast(l)
	default:
		s.removeInner(l, i)
	}
}

// emptied is what is left between the brackets when their only item goes.
func (s style) emptied(before, after, end hujson.Extra) hujson.Extra {
	comments, _, line := splitComments(before)
	if len(comments) > 0 {
		return s.glue(comments, line, join(after, end))
	}
	if i := lineBreak(before); i >= 0 {
		if isLineBreak(end) {
			end = nil
		}
		return join(before[:i], after, end)
	}
	if len(bytes.TrimSpace(after)) == 0 && len(bytes.TrimSpace(end)) == 0 && len(end) > 0 {
		return nil
	}
	return join(before, after, end)
}

func (s style) removeLast(l items) {
	i := l.size() - 1
	comments, _, line := splitComments(*l.before(i))
	kept, after := l.after(i-1), *l.after(i)
	switch {
	case after == nil:
		comments = join(*kept, comments)
		*kept = nil
	case *kept == nil:
		*kept = hujson.Extra{}
	}
	*l.end() = s.glue(comments, line, join(after, *l.end()))
	l.drop(i)
}

func (s style) removeInner(l items, i int) {
	comments, space, line := splitComments(*l.before(i))
	next := *l.before(i + 1)
	if i == 0 && len(comments) == 0 && len(bytes.TrimSpace(next)) == 0 && !bytes.Contains(next, []byte("\n")) {
		next = space
	}
	if after, _, afterLine := splitComments(*l.after(i)); len(after) > 0 {
		comments, line = s.glue(comments, line, after), afterLine
	}
	*l.before(i + 1) = s.glue(comments, line, next)
	l.drop(i)
}
