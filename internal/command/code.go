package command

import "strings"

// code finds a program in another language, among the words of the command,
// that names a file of ours or runs one of our commands.
func (l *loosening) code(c *call) string {
	if !isInterpreter(c.program()) {
		return ""
	}
	tokens := strings.FieldsFunc(codeOf(c), isPunctuation)
	for _, token := range tokens {
		if l.guarded.path(token) {
			return token
		}
	}
	if joined := strings.Join(tokens, "/"); l.guarded.within(joined) { // join(home, ".local", "state", …)
		return c.program()
	}
	return l.started(tokens, codeOf(c))
}

// started finds our program among the tokens of a text that starts programs.
func (l *loosening) started(tokens []string, code string) string {
	if !hasAny(code, []string{"subprocess", "system", "exec", "spawn", "popen"}) {
		return ""
	}
	for i, token := range tokens {
		if program(token) == l.guarded.Program {
			if what, loosens := l.guarded.ours(tokens[i+1 : min(i+6, len(tokens))]); loosens {
				return what
			}
		}
	}
	return ""
}

func isPunctuation(r rune) bool { return strings.ContainsRune("'\"`()[]{},;=+ \n\t", r) }

// codeOf is what follows -c or -e, or the input where no file is named.
func codeOf(c *call) string {
	args := c.args()
	var code strings.Builder
	for i := 1; i < len(args); i++ {
		if isCodeOption(args[i-1]) {
			code.WriteString(args[i] + "\n")
		}
	}
	if code.Len() == 0 && (first(args) == "" || len(args) > 0 && args[0] == "-") {
		return c.given()
	}
	return code.String()
}

func isInterpreter(program string) bool {
	for _, name := range []string{"python", "pypy", "perl", "ruby", "node", "php", "lua", "osascript", "bun", "deno", "tclsh", "rscript"} {
		if rest, ok := strings.CutPrefix(program, name); ok && strings.Trim(rest, "0123456789.") == "" {
			return true
		}
	}
	return false
}

// isCodeOption: -c, -e, also among others, -ne, and the long names.
func isCodeOption(arg string) bool {
	switch arg {
	case "--eval", "-p", "--print", "-r", "eval":
		return true
	}
	return len(arg) > 1 && len(arg) < 6 && arg[0] == '-' && arg[1] != '-' && strings.IndexByte("ceE", arg[len(arg)-1]) >= 0
}
