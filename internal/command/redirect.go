package command

import "strings"

// heredoc is a << whose text comes after the line.
type heredoc struct {
	end   string
	tabs  bool // <<-: tabs before each line don't count
	plain bool // a quoted end: nothing in the text is run
	to    *call
}

// angle reads what begins with < or >: a redirect, or a process substitution,
// which is a word.
func (l *list) angle() {
	if l.next(1) == '(' {
		l.take()
		return
	}
	start := l.at
	for !l.done() && strings.IndexByte("<>&|", l.text[l.at]) >= 0 && l.at-start < 3 {
		l.at++
	}
	operator := l.text[start:l.at]
	if operator == "<<" && l.next(0) == '-' {
		l.at++
		operator = "<<-"
	}
	l.blanks()
	l.redirect(operator, l.word())
}

func (l *list) redirect(operator string, w word) {
	switch {
	case l.bad:
	case operator == "<<" || operator == "<<-":
		l.here = append(l.here, heredoc{end: w.text, tabs: operator == "<<-", plain: w.quote, to: l.cur})
		l.cur.input += "\n"
	case operator == "<<<":
		l.cur.input += w.text + "\n"
	case w.text == "" && !w.quote:
		l.fail()
	case strings.Contains(operator, ">") && !isDuplicate(operator, w.text):
		l.cur.targets = append(l.cur.targets, w)
	}
}

// isDuplicate: 2>&1 and >&- write to no file.
func isDuplicate(operator, text string) bool {
	return operator == ">&" && strings.Trim(text, "0123456789-") == ""
}

// newline ends a line: the texts of its heredocs follow.
func (r *reader) newline() {
	r.at++
	here := r.here
	r.here = nil
	for _, h := range here {
		body := r.body(h)
		h.to.input += body
		if !h.plain {
			r.expansions(body)
		}
	}
}

// body takes lines up to the heredoc's end; without one all are its text, as
// the shell does it.
func (r *reader) body(h heredoc) string {
	start := r.at
	for !r.done() {
		line, _, found := strings.Cut(r.text[r.at:], "\n")
		begin := r.at
		if r.at += len(line); found {
			r.at++
		}
		if h.tabs {
			line = strings.TrimLeft(line, "\t")
		}
		if strings.TrimSuffix(line, "\r") == h.end {
			return r.text[start:begin]
		}
	}
	return r.text[start:]
}

// expansions reads the commands that text runs while it is made: a heredoc's, or
// arithmetic. What can't be read in there is text.
func (r *reader) expansions(body string) {
	inner := reader{text: body, depth: r.depth}
	if strings.ContainsAny(body, "$`") && inner.nest() {
		inner.quoted(0, new(strings.Builder))
	}
	r.calls = append(r.calls, inner.calls...)
}
