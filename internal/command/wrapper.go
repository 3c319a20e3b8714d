package command

import (
	"slices"
	"strings"
)

// wrapper is a program that runs the command in its arguments.
type wrapper struct {
	values    string // the options that take a value of their own, each between blanks
	arguments int    // what else stands before the command
	assigns   bool   // NAME=value may stand before it
}

// wrapperOf knows the options of a wrapper; the command begins after them.
func wrapperOf(program string) (wrapper, bool) {
	switch program {
	case "env":
		return wrapper{values: " -u --unset -C --chdir ", assigns: true}, true
	case "sudo", "doas":
		return wrapper{values: " -u -g -h -p -C -D -R -T -U -r -t --user --group --chdir ", assigns: true}, true
	case "timeout", "gtimeout":
		return wrapper{values: " -k -s --kill-after --signal ", arguments: 1}, true
	case "nice", "ionice", "exec", "stdbuf", "time", "caffeinate", "chrt":
		return wrapper{values: " -n -c -p -a -i -o -e -f -t -w "}, true
	case "nohup", "setsid", "command", "builtin", "unbuffer", "chronic", "nocorrect", "noglob", "busybox":
		return wrapper{}, true
	case "xargs", "gxargs":
		return wrapper{values: " -n -I -P -d -L -s -E -a -J -R --max-args --max-procs --delimiter --arg-file "}, true
	case "watch":
		return wrapper{values: " -n --interval "}, true
	case "parallel":
		return wrapper{values: " -j --jobs -a --arg-file "}, true
	case "screen":
		return wrapper{values: " -S -c -t -e -h -p -s -T "}, true
	case "systemd-run":
		return wrapper{values: " -p -u -E -H -M -t --property --unit --setenv --host --machine --uid --gid --slice --description "}, true
	case "ssh":
		return wrapper{values: " -p -i -l -o -F -J -L -R -D -b -c -e -m -S -w -B -E -I -O -Q -W ", arguments: 1}, true
	case "flock":
		return wrapper{values: " -w -E --timeout --conflict-exit-code ", arguments: 1}, true
	case "strace", "ltrace":
		return wrapper{values: " -e -o -p -s -u "}, true
	}
	return wrapper{}, false
}

// command finds what a wrapper runs.
func (w wrapper) command(words []word) (assigns, rest []word) {
	for i := 0; i < len(words); i++ {
		text := words[i].text
		switch {
		case text == "--":
		case strings.HasPrefix(text, "-") && len(text) > 1:
			if strings.Contains(w.values, " "+text+" ") {
				i++
			}
		case w.assigns && isAssignment(text):
			assigns = append(assigns, words[i])
		case w.arguments > 0:
			w.arguments--
		default:
			return assigns, words[i:]
		}
	}
	return assigns, nil
}

func isAssignment(text string) bool {
	name, _, ok := strings.Cut(text, "=")
	return ok && isName(name)
}

// runs is what a command runs in turn: another command, or a script.
func (c *call) runs() (inner *call, text string) {
	if len(c.words) == 0 {
		return nil, ""
	}
	name, args := c.program(), c.words[1:]
	switch {
	case name == "eval":
		return nil, script(args)
	case name == "trap" && len(args) > 1:
		return nil, args[0].text
	case name == "find" || name == "gfind":
		return c.found(args), ""
	case name == "go" && len(args) > 1 && args[0].text == "run":
		return &call{words: afterOptions(args[1:]), from: c.from}, ""
	case isShell(name):
		return nil, c.shellScript(args)
	case name == "at" || name == "batch":
		return nil, c.given()
	case name == "crontab":
		return nil, scheduled(c.given())
	}
	w, ok := wrapperOf(name)
	if !ok || name == "command" && len(args) > 0 && strings.EqualFold(args[0].text, "-v") {
		return nil, ""
	}
	return c.wrapped(w, name, args)
}

// scheduled is the commands of a table of cron, without their times.
func scheduled(table string) string {
	var script strings.Builder
	for line := range strings.Lines(table) {
		fields, times := strings.Fields(line), 5
		if strings.HasPrefix(line, "@") {
			times = 1
		}
		if len(fields) > times && !strings.HasPrefix(line, "#") {
			script.WriteString(strings.Join(fields[times:], " ") + "\n")
		}
	}
	return script.String()
}

func (c *call) wrapped(w wrapper, name string, args []word) (*call, string) {
	if text, ok := optionValue(args, "-c", "--command"); ok && name == "flock" {
		return nil, text
	}
	if text, ok := optionValue(args, "-S", "--split-string"); ok && name == "env" {
		return nil, text
	}
	inner := &call{from: c.from, input: c.input}
	inner.assigns, inner.words = w.command(args)
	if name == "xargs" || name == "gxargs" {
		inner.from = nil
		if c.from != nil {
			inner.words = append(slices.Clip(inner.words), c.from.rest()...)
		}
	}
	return inner, ""
}

// rest is what a command that others read from was given.
func (c *call) rest() []word {
	if len(c.words) == 0 {
		return nil
	}
	return c.words[1:]
}

func afterOptions(words []word) []word {
	for len(words) > 0 && strings.HasPrefix(words[0].text, "-") {
		words = words[1:]
	}
	return words
}

// optionValue is the word after one of the options.
func optionValue(words []word, options ...string) (string, bool) {
	for i := range len(words) - 1 {
		if slices.Contains(options, words[i].text) {
			return words[i+1].text, true
		}
	}
	return "", false
}

// found is the command that find runs on what it finds.
func (c *call) found(args []word) *call {
	for i, arg := range args {
		switch arg.text {
		case "-exec", "-execdir", "-ok", "-okdir":
			end := i + 1
			for end < len(args) && args[end].text != ";" && args[end].text != "+" {
				end++
			}
			return &call{words: slices.Concat(args[i+1:end], findPaths(args))}
		case "-delete":
			return &call{words: append([]word{{text: "rm"}, {text: "-r"}}, findPaths(args)...)}
		}
	}
	return nil
}

// findPaths are the folders that find looks in: all before its first test.
func findPaths(args []word) []word {
	for i, arg := range args {
		if strings.HasPrefix(arg.text, "-") || arg.text == "(" || arg.text == "!" {
			return args[:i]
		}
	}
	return args
}
