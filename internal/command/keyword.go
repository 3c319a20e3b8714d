package command

// keyword takes a word of the shell's grammar where a command begins, and
// reports whether it was one that is no part of a command.
func (l *list) keyword(text string) bool {
	switch text {
	case "if", "then", "elif", "else", "fi", "do", "done", "while", "until", "{", "}", "!", "coproc":
	case "esac":
		l.cases--
	case "case":
		l.caseOf()
	case "function":
		l.blanks()
		l.word()
		if l.blanks(); l.has("()") {
			l.at += 2
		}
	case "for":
		l.blanks()
		return l.arithmetic()
	case "[[":
		l.test()
	default:
		return false
	}
	return true
}

// caseOf reads case WORD in, and the first pattern.
func (l *list) caseOf() {
	l.gaps()
	l.word()
	l.gaps()
	if l.word().text != "in" {
		l.fail()
		return
	}
	l.cases++
	l.pattern()
}

// pattern skips the pattern of a case, with its parenthesis.
func (l *list) pattern() {
	l.gaps()
	for first := true; !l.bad; first = false {
		l.gaps()
		switch start := l.at; l.next(0) {
		case ')':
			l.at++
			return
		case '(', '|':
			l.at++
		default:
			if w := l.word(); first && w.text == "esac" && !w.quote {
				l.at = start
				return
			}
			if l.at == start {
				l.fail()
			}
		}
	}
}

// test reads [[ … ]], in which < and && and parentheses are operators of a test.
func (l *list) test() {
	for !l.bad {
		l.gaps()
		start := l.at
		w := l.word()
		if w.text == "]]" {
			return
		}
		if l.at == start {
			if l.at++; l.at > len(l.text) {
				l.fail()
			}
		}
	}
}
