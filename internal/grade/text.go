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

// libtestBinary reads "     Running unittests src/lib.rs (target/debug/deps/x-0123)"
// and "   Doc-tests x". The hash in the path differs between builds.
func libtestBinary(line string) (string, bool) {
	line = strings.TrimSpace(line)
	if name, ok := strings.CutPrefix(line, "Doc-tests "); ok {
		return "doc " + name, true
	}
	rest, ok := strings.CutPrefix(line, "Running ")
	source, path, found := strings.Cut(rest, " (")
	if !ok || !found {
		return "", false
	}
	file := strings.TrimSuffix(path[strings.LastIndexByte(path, '/')+1:], ")")
	if at := strings.LastIndexByte(file, '-'); at > 0 {
		file = file[:at]
	}
	return file + " " + strings.TrimPrefix(source, "unittests "), true
}

// libtestLine reads "test a::b ... ok", with what follows: "ignored, reason",
// "ok <0.001s>".
func libtestLine(line string) (name string, status Status, ok bool) {
	rest, ok := strings.CutPrefix(line, "test ")
	name, end, found := strings.Cut(rest, " ... ")
	if !ok || !found {
		return "", "", false
	}
	name = withoutLine(name)
	word, _, _ := strings.Cut(strings.TrimSpace(end), " ")
	switch strings.TrimSuffix(word, ",") {
	case "ok":
		return name, Passed, true
	case "FAILED":
		return name, Failed, true
	case "ignored":
		return name, Skipped, true
	}
	return "", "", false
}

// withoutLine is a name without the line number that doc tests have, "src/lib.rs -
// f (line 3)": it shifts with every edit.
func withoutLine(name string) string {
	name = strings.TrimSuffix(name, " - should panic")
	if at := strings.LastIndex(name, " (line "); at > 0 && strings.HasSuffix(name, ")") {
		name = name[:at]
	}
	return name
}
