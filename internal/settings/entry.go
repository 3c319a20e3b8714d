package settings

import (
	"slices"

	"github.com/tailscale/hujson"
)

// handler is one registered command.
type handler struct {
	command string
	timeout int
}

// group is a handler alone, as settings files hold it. Codex hashes exactly
// these keys.
func (w handler) group() []pair {
	return []pair{{"hooks", []any{[]pair{
		{"type", "command"}, {"command", w.command}, {"timeout", float64(w.timeout)},
	}}}}
}

// find picks the handler to keep in a list: one of the wanted form, else the first
// of ours that can be given it in place; nil when there is none.
func (w handler) find(groups *hujson.Array, ours Ours) *hujson.Object {
	var first *hujson.Object
	for _, group := range groups.Elements {
		h := alone(group)
		if h == nil || !ours(command(h)) {
			continue
		}
		if w.matches(h) {
			return h
		}
		if first == nil {
			first = h
		}
	}
	return first
}

func (w handler) matches(h *hujson.Object) bool {
	timeout, err := member(h, "timeout")
	return command(h) == w.command && err == nil && timeout != nil && isNumber(timeout.Value.Value, float64(w.timeout))
}

// update gives a handler the wanted command and time-out.
func (w handler) update(s style, h *hujson.Object) {
	if w.matches(h) {
		return
	}
	m, _ := member(h, "command")
	m.Value.Value = hujson.String(w.command)
	timeout, _ := member(h, "timeout")
	if timeout == nil {
		s.addMember(h, indentAfter(h.Members[0].Name.BeforeExtra, ""), "timeout", float64(w.timeout))
		return
	}
	timeout.Value.Value = hujson.Float(float64(w.timeout))
}

// alone is the handler of a group that holds one command and nothing that says
// when it runs (a matcher, a condition); else nil.
func alone(group hujson.Value) *hujson.Object {
	o, ok := group.Value.(*hujson.Object)
	if !ok || !onlyKeys(o, "hooks") {
		return nil
	}
	hs, _ := o.Members[0].Value.Value.(*hujson.Array)
	if hs == nil || len(hs.Elements) != 1 {
		return nil
	}
	h, ok := hs.Elements[0].Value.(*hujson.Object)
	if !ok || !onlyKeys(h, "type", "command", "timeout") {
		return nil
	}
	kind, err := member(h, "type")
	if err != nil || kind == nil || text(kind.Value.Value) != "command" {
		return nil
	}
	return h
}

// onlyKeys: at least one, none twice, no other.
func onlyKeys(o *hujson.Object, keys ...string) bool {
	var seen []string
	for i := range o.Members {
		key := text(o.Members[i].Name.Value)
		if !slices.Contains(keys, key) || slices.Contains(seen, key) {
			return false
		}
		seen = append(seen, key)
	}
	return len(seen) > 0
}

// handlers lists a group's handlers, nil for one that is no object.
func handlers(group hujson.Value) []*hujson.Object {
	hs := handlerList(group)
	if hs == nil {
		return nil
	}
	out := make([]*hujson.Object, len(hs.Elements))
	for i := range hs.Elements {
		out[i], _ = hs.Elements[i].Value.(*hujson.Object)
	}
	return out
}

func handlerList(group hujson.Value) *hujson.Array {
	o, ok := group.Value.(*hujson.Object)
	if !ok {
		return nil
	}
	m, err := member(o, "hooks")
	if err != nil || m == nil {
		return nil
	}
	hs, _ := m.Value.Value.(*hujson.Array)
	return hs
}

// command is a handler's command, "" when it has none.
func command(h *hujson.Object) string {
	if h == nil {
		return ""
	}
	m, err := member(h, "command")
	if err != nil || m == nil {
		return ""
	}
	return text(m.Value.Value)
}

// text is a string's value, "" for other values.
func text(v hujson.ValueTrimmed) string {
	l, ok := v.(hujson.Literal)
	if !ok || l.Kind() != '"' {
		return ""
	}
	return l.String()
}

// clear takes out our handlers but keep, and the groups that leaves empty. It
// returns how many went.
func (s style) clear(groups *hujson.Array, ours Ours, keep *hujson.Object) int {
	removed := 0
	for g := len(groups.Elements) - 1; g >= 0; g-- {
		hs := handlerList(groups.Elements[g])
		n := s.clearGroup(hs, ours, keep)
		if removed += n; n > 0 && len(hs.Elements) == 0 {
			s.remove(array{groups}, g)
		}
	}
	return removed
}

func (s style) clearGroup(hs *hujson.Array, ours Ours, keep *hujson.Object) int {
	if hs == nil {
		return 0
	}
	removed := 0
	for i := len(hs.Elements) - 1; i >= 0; i-- {
		h, _ := hs.Elements[i].Value.(*hujson.Object)
		if h == nil || h == keep || !ours(command(h)) {
			continue
		}
		s.remove(array{hs}, i)
		removed++
	}
	return removed
}
