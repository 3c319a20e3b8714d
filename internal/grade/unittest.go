package grade

import (
	"bufio"
	"strings"
)

// readUnittest reads what python -m unittest -v prints. A test's own output may
// stand between its name and its result, or the docstring's first line.
func readUnittest(in *bufio.Reader, n *namer) (r Results) {
	waiting := ""
	r.Cut = !lines(in, func(raw []byte) {
		line := strings.TrimPrefix(string(raw), "  ") // a subtest's line stands below its test's
		switch name, status, ok := unittestLine(line); {
		case ok && status != "":
			r.add(n.name(name), Test{Status: status})
			waiting = ""
		case ok:
			waiting = name
		case waiting != "":
			if status, ok := unittestEnd(line); ok {
				r.add(n.name(waiting), Test{Status: status})
				waiting = ""
			}
		}
		if head, ok := strings.CutPrefix(line, "ERROR: "); ok && !strings.Contains(head, " (") {
			r.breaks(n.name(head)) // setUpModule and the like
		}
	})
	if waiting != "" {
		r.add(n.name(waiting), Test{Status: Failed})
	}
	return r
}

// unittestLine reads "test_x (mod.Class.test_x) ... ok", of which old versions
// of Python leave the last name out. The status is "" when it comes later.
func unittestLine(line string) (name string, status Status, ok bool) {
	method, rest, ok := strings.Cut(line, " (")
	where, rest, closed := strings.Cut(rest, ")")
	if !ok || !closed || method == "" || where == "" || strings.ContainsAny(method, " \t:") || strings.ContainsAny(where, " \t") {
		return "", "", false
	}
	if !strings.HasPrefix(method, "test") && !strings.HasPrefix(method, "setUp") && !strings.HasPrefix(method, "tearDown") && !strings.HasPrefix(where, "unittest.loader._FailedTest") {
		return "", "", false
	}
	if strings.HasPrefix(where, "unittest.loader._FailedTest") {
		where = "unittest.loader._FailedTest" // what could not be imported is in the method's place
	}
	name = where
	if where != method && !strings.HasSuffix(where, "."+method) {
		name = where + "." + method
	}
	if at := strings.LastIndex(rest, "... "); at >= 0 {
		status, _ = unittestEnd(rest[at+4:])
	}
	return name, status, true
}

func unittestEnd(text string) (Status, bool) {
	if at := strings.LastIndex(text, "... "); at >= 0 {
		text = text[at+4:]
	}
	switch {
	case text == "ok":
		return Passed, true
	case text == "FAIL", text == "unexpected success":
		return Failed, true
	case text == "ERROR":
		return Errored, true
	case strings.HasPrefix(text, "skipped "), text == "expected failure":
		return Skipped, true
	}
	return "", false
}
