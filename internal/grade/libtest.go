package grade

import (
	"bufio"
	"strings"
)

// readLibtest reads what cargo test prints: for each binary a line that names it,
// then its tests, as text or as lines of JSON. Those of cargo nextest have the
// binary in their names. A test that started and has no end was running when its
// binary died.
func readLibtest(in *bufio.Reader, n *namer) Results {
	l := &libtest{namer: n, running: map[string]bool{}}
	l.Cut = !lines(in, func(line []byte) { l.line(line) })
	for name := range l.running {
		l.add(name, Test{Status: Failed})
		l.Cut = true
	}
	return l.Results
}

type libtest struct {
	*namer
	Results
	binary  string
	running map[string]bool
}

func (l *libtest) line(raw []byte) {
	line := string(raw)
	if name, ok := libtestBinary(line); ok {
		l.binary = name
		return
	}
	if name, status, ok := libtestLine(line); ok {
		l.add(l.name(l.binary, name), Test{Status: status})
	}
	if strings.HasPrefix(line, "error: could not compile ") || strings.HasPrefix(line, "error[E") {
		l.breaks("could not compile")
	}
	l.event(raw)
}

func (l *libtest) event(line []byte) {
	var e struct {
		Type  string `json:"type"`
		Event string `json:"event"`
		Name  string `json:"name"`
	}
	if !member(line, &e) || e.Type != "test" || e.Name == "" {
		return
	}
	name := libtestName(l.namer, l.binary, e.Name)
	if status, ended := libtestEvent(e.Event); ended {
		delete(l.running, name)
		l.add(name, Test{Status: status})
	} else if e.Event == "started" && len(l.running) < maxTests {
		l.running[name] = true
	}
}

// libtestName splits nextest's names, "package::binary$module::test#2": the last
// number is that of a retry.
func libtestName(n *namer, binary, text string) string {
	own, test, ok := strings.Cut(text, "$")
	if !ok {
		return n.name(binary, withoutLine(text))
	}
	if at := strings.LastIndexByte(test, '#'); at > 0 && strings.Trim(test[at+1:], "0123456789") == "" {
		test = test[:at]
	}
	return n.name(own, test)
}

func libtestEvent(event string) (Status, bool) {
	switch event {
	case "ok":
		return Passed, true
	case "failed":
		return Failed, true
	case "ignored":
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
