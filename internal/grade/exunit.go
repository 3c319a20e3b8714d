package grade

import (
	"bufio"
	"strings"
)

// exunit reads what mix test --trace prints: a line when a test starts, over
// which its end is written, and a block for each test that did not pass. The
// line alone does not say that it failed.
type exunit struct {
	*namer
	Results
	module  string
	running string
	passed  []string // in this module; a block may follow that says otherwise
	sum     bool
}

func readExUnit(in *bufio.Reader, n *namer) Results {
	x := &exunit{namer: n}
	x.Cut = !lines(in, func(raw []byte) {
		for part := range strings.SplitSeq(strings.ToValidUTF8(string(raw), "\uFFFD"), "\r") {
			x.line(part)
		}
	})
	if x.running != "" {
		x.add(x.running, Test{Status: Failed})
	}
	for _, name := range x.passed {
		if !x.sum && x.Tests[name].Status == Passed {
			delete(x.Tests, name)
		}
	}
	x.Cut = x.Cut || !x.sum && !x.None()
	return x.Results
}

func (x *exunit) line(line string) {
	if module, ok := exunitModule(line); ok {
		x.module, x.passed = module, nil
		return
	}
	x.sum = x.sum || strings.HasPrefix(line, "Finished in ")
	if name, module, ok := exunitBlock(line); ok {
		x.fails(name, module)
		return
	}
	name, status, ok := exunitLine(line)
	switch {
	case !ok:
	case status == "":
		x.running = x.name(x.module, name)
	default:
		x.running = x.name(x.module, name)
		x.add(x.running, Test{Status: status})
		x.passed, x.running = append(x.passed, x.running), ""
	}
	if strings.HasPrefix(line, "** (Mix) ") || strings.HasPrefix(line, "== Compilation error in file ") {
		x.breaks("could not compile")
	}
}

// fails takes a block. One without a test is that of a setup_all, and none of its
// module's tests ran.
func (x *exunit) fails(name, module string) {
	if name != "" {
		x.add(x.name(module, name), Test{Status: Failed})
		return
	}
	prefix := x.name(module) + "::"
	for test := range x.Tests {
		if strings.HasPrefix(test, prefix) {
			x.add(test, Test{Status: Errored})
		}
	}
}

// exunitModule reads "MTest [test/m_test.exs]".
func exunitModule(line string) (string, bool) {
	module, file, ok := strings.Cut(line, " [")
	return module, ok && module != "" && !strings.Contains(module, " ") && strings.HasSuffix(file, ".exs]")
}

// exunitLine reads "  * test adds (0.1ms) [L#4]"; before its end there is no time
// in it.
func exunitLine(line string) (name string, status Status, ok bool) {
	name, ok = strings.CutPrefix(line, "  * ")
	if !ok {
		return "", "", false
	}
	if at := strings.LastIndex(name, " [L#"); at > 0 {
		name = name[:at]
	}
	at := strings.LastIndex(name, " (")
	if at < 0 || !strings.HasSuffix(name, ")") {
		return name, "", true
	}
	switch end := name[at+2 : len(name)-1]; {
	case end == "skipped", end == "excluded":
		return name[:at], Skipped, true
	case strings.HasSuffix(end, "ms") && strings.Trim(end[:len(end)-2], "0123456789.") == "":
		return name[:at], Passed, true
	}
	return name, "", true
}

// exunitBlock reads "  1) test adds (MTest)" and "  0) MTest: failure on setup_all
// callback, …", which has no test.
func exunitBlock(line string) (name, module string, ok bool) {
	number, rest, ok := strings.Cut(line, ") ")
	if !ok || !strings.HasPrefix(number, "  ") || strings.Trim(number, " 0123456789") != "" {
		return "", "", false
	}
	if module, _, ok = strings.Cut(rest, ": failure on setup_all callback"); ok {
		return "", module, true
	}
	at := strings.LastIndex(rest, " (")
	if at < 0 || !strings.HasSuffix(rest, ")") {
		return "", "", false
	}
	return rest[:at], rest[at+2 : len(rest)-1], true
}
