package command

import "strings"

// walk goes through what a script would run.
type walk struct {
	visit  func(*call) bool
	values map[string]string // variables with a value that the script itself gives
	left   int               // bytes that may still be parsed
	bad    bool
}

// runs calls visit for every command that the text would run, those inside
// bash -c, eval, env and the like included, until visit returns true. ok is
// false when some of it can't be read.
func runs(text string, visit func(*call) bool) (found, ok bool) {
	w := walk{visit: visit, values: map[string]string{}, left: maxParsed}
	if len(text) > maxText {
		return false, false
	}
	found = w.script(text, 0)
	return found, !w.bad
}

func (w *walk) script(text string, depth int) bool {
	if w.left -= len(text); w.left < 0 || depth > maxDepth {
		w.bad = true
		return false
	}
	calls, ok := read(text, 0)
	if !ok {
		w.bad = true
		return false
	}
	for _, c := range calls {
		if w.call(c, depth) {
			return true
		}
	}
	return false
}

// call visits a command and what it runs in turn.
func (w *walk) call(c *call, depth int) bool {
	if depth > maxDepth {
		w.bad = true
		return false
	}
	*c = w.expanded(c)
	w.remember(c)
	if w.visit(c) {
		return true
	}
	inner, text := c.runs()
	if inner != nil && len(inner.words)+len(inner.assigns) > 0 && w.call(inner, depth+1) {
		return true
	}
	return strings.TrimSpace(text) != "" && w.script(text, depth+1)
}

// remember keeps the variables that a command sets for those after it.
func (w *walk) remember(c *call) {
	args := c.args()
	switch c.program() {
	case "":
		w.assign(texts(c.assigns))
	case "export", "local", "declare", "typeset", "readonly":
		w.assign(args)
	case "for", "select":
		if len(args) > 2 && args[1] == "in" {
			w.values[args[0]] = strings.Join(args[2:], " ")
		}
	case "read":
		if c.from != nil && len(args) > 0 {
			w.values[args[len(args)-1]] = script(c.from.rest())
		}
	}
}

func (w *walk) assign(texts []string) {
	for _, text := range texts {
		if name, value, ok := strings.Cut(text, "="); ok && isName(name) {
			w.values[name] = value
		}
	}
}
