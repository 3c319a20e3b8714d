package settings

import (
	"fmt"
	"slices"

	"github.com/tailscale/hujson"
)

// Entry is the hook to register: one command for several events, in groups of
// their own without a matcher, so that it runs for every tool.
type Entry struct {
	Events  []Event // in the order new ones are added
	Command string
}

// Event is one event to register the command for.
type Event struct {
	Name    string
	Timeout int // seconds, the unit of both Claude Code and Codex
}

// Hook is one command that a settings file registers, and where.
type Hook struct {
	Event        string
	Group, Index int // position in the event's list and in its group
	Command      string
}

// Ours tells whether a registered command is an entry of ours, also one of an
// older form.
type Ours func(command string) bool

// Hooks lists the registered commands in file order.
func (d *Document) Hooks() ([]Hook, error) {
	lists, _, err := d.lists()
	if err != nil {
		return nil, err
	}
	var hooks []Hook
	for _, l := range lists {
		for g := range l.groups.Elements {
			for i, h := range handlers(l.groups.Elements[g]) {
				hooks = append(hooks, Hook{Event: l.event, Group: g, Index: i, Command: command(h)})
			}
		}
	}
	return hooks, nil
}

// Register makes the entry stand once in each of its events' lists. An entry of
// ours that already has the wanted form stays where it is, one of another form
// is changed in place where it has a group to itself, else the entry is added
// last: Codex trusts a hook by its position in the list, so none may move. All
// other entries of ours go.
func (d *Document) Register(entry Entry, ours Ours) error {
	lists, hooks, err := d.lists()
	if err != nil {
		return err
	}
	if hooks == nil {
		d.addAll(entry)
		return nil
	}
	indent := indentOf(d.object(), hooks, "")
	for _, l := range slices.Backward(lists) {
		i := slices.IndexFunc(entry.Events, func(e Event) bool { return e.Name == l.event })
		if i < 0 {
			d.clearList(l, ours)
			continue
		}
		d.put(l, indent, handler{entry.Command, entry.Events[i].Timeout}, ours)
	}
	for _, event := range entry.Events {
		if !slices.ContainsFunc(lists, func(l list) bool { return l.event == event.Name }) {
			d.style.addMember(hooks, indent, event.Name, []any{handler{entry.Command, event.Timeout}.group()})
		}
	}
	return nil
}

// Unregister takes out every entry of ours and what that leaves empty: its
// group, the event's list, the hooks object. It returns how many went.
func (d *Document) Unregister(ours Ours) (int, error) {
	lists, hooks, err := d.lists()
	if err != nil || hooks == nil {
		return 0, err
	}
	removed := 0
	for _, l := range slices.Backward(lists) {
		removed += d.clearList(l, ours)
	}
	if removed > 0 && len(hooks.Members) == 0 {
		d.style.remove(object{d.object()}, indexOf(d.object(), hooks))
	}
	return removed, nil
}

// list is one event's list of groups.
type list struct {
	event  string
	parent *hujson.Object
	groups *hujson.Array
}

// lists reads the hooks object; nil when there is none.
func (d *Document) lists() ([]list, *hujson.Object, error) {
	m, err := member(d.object(), "hooks")
	if err != nil || m == nil {
		return nil, nil, err
	}
	hooks, ok := m.Value.Value.(*hujson.Object)
	if !ok {
		return nil, nil, fmt.Errorf("%q is not an object", "hooks")
	}
	var lists []list
	for i := range hooks.Members {
		event := hooks.Members[i].Name.Value.(hujson.Literal).String()
		groups, ok := hooks.Members[i].Value.Value.(*hujson.Array)
		if !ok {
			return nil, nil, fmt.Errorf("%q is not a list", "hooks."+event)
		}
		if slices.ContainsFunc(lists, func(l list) bool { return l.event == event }) {
			return nil, nil, fmt.Errorf("the key %q is there twice; keep one", "hooks."+event)
		}
		lists = append(lists, list{event, hooks, groups})
	}
	return lists, hooks, nil
}

func (d *Document) addAll(entry Entry) {
	var events []pair
	for _, event := range entry.Events {
		events = append(events, pair{event.Name, []any{handler{entry.Command, event.Timeout}.group()}})
	}
	d.style.addMember(d.object(), "", "hooks", events)
}

// put leaves one entry of the wanted form in the list.
func (d *Document) put(l list, indent string, want handler, ours Ours) {
	keep := want.find(l.groups, ours)
	d.style.clear(l.groups, ours, keep)
	if keep != nil {
		want.update(d.style, keep)
		return
	}
	d.style.addElement(l.groups, indentOf(l.parent, l.groups, indent), want.group())
}

// clearList takes our handlers out of a list, and the list when that empties it.
func (d *Document) clearList(l list, ours Ours) int {
	removed := d.style.clear(l.groups, ours, nil)
	if removed > 0 && len(l.groups.Elements) == 0 {
		d.style.remove(object{l.parent}, indexOf(l.parent, l.groups))
	}
	return removed
}

// indexOf is the place of a value among an object's members.
func indexOf(o *hujson.Object, v hujson.ValueTrimmed) int {
	return slices.IndexFunc(o.Members, func(m hujson.ObjectMember) bool { return m.Value.Value == v })
}

// indentOf is the indentation of the line a member starts on, given that of the
// object's line.
func indentOf(o *hujson.Object, v hujson.ValueTrimmed, indent string) string {
	return indentAfter(o.Members[indexOf(o, v)].Name.BeforeExtra, indent)
}
