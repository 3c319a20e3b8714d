package command

import "strings"

const maxValue = 4 << 10 // a longer word keeps its variables as they are written

// expanded is a command with the variables whose values are known.
func (w *walk) expanded(c *call) call {
	out := call{input: c.input, from: c.from}
	for _, a := range c.assigns {
		out.assigns = append(out.assigns, word{text: w.value(a.text), quote: a.quote, equal: a.equal})
	}
	for _, arg := range c.words {
		out.words = append(out.words, w.split(arg)...)
	}
	for _, target := range c.targets {
		out.targets = append(out.targets, word{text: w.value(target.text)})
	}
	return out
}

// split gives the words of a word: a variable outside of quotes may hold many.
func (w *walk) split(arg word) []word {
	text := w.value(arg.text)
	if text == arg.text || arg.quote || arg.equal > 0 {
		return []word{{text: text, quote: arg.quote, equal: arg.equal}}
	}
	var words []word
	for _, field := range strings.Fields(text) {
		words = append(words, word{text: field})
	}
	return words
}

// value puts known values in the place of $NAME, ${NAME} and ${NAME:-default}.
func (w *walk) value(text string) string {
	if !strings.Contains(text, "$") {
		return text
	}
	var out strings.Builder
	for rest := text; rest != "" && out.Len() < maxValue; {
		before, after, found := strings.Cut(rest, "$")
		out.WriteString(before)
		if !found {
			return out.String()
		}
		size, value := w.variable(after)
		out.WriteString(value)
		rest = after[size:]
		if rest == "" && out.Len() < maxValue {
			return out.String()
		}
	}
	return text
}

// variable is what stands for the variable that text begins with, behind its $,
// and how long that is there.
func (w *walk) variable(text string) (size int, value string) {
	if strings.HasPrefix(text, "{") {
		inner, _, closed := strings.Cut(text[1:], "}")
		if !closed {
			return 0, "$"
		}
		return len(inner) + 2, w.inBraces(inner)
	}
	size = nameSize(text)
	if value, ok := w.values[text[:size]]; ok {
		return size, value
	}
	return size, "$" + text[:size]
}

func (w *walk) inBraces(inner string) string {
	size := nameSize(inner)
	if value, ok := w.values[inner[:size]]; ok {
		return value
	}
	for _, operator := range []string{":-", ":=", "-", "="} {
		if value, ok := strings.CutPrefix(inner[size:], operator); ok && size > 0 {
			return value
		}
	}
	return "${" + inner + "}"
}
