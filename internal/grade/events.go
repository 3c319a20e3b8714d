package grade

import (
	"bufio"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// member decodes a line that is a JSON object.
func member(line []byte, into any) bool {
	return len(line) > 0 && line[0] == '{' && json.Unmarshal(line, into, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)) == nil
}

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

// readBazel reads the lines of Bazel's build events: one result for each target.
// The reports of its tests lie outside the copy.
func readBazel(in *bufio.Reader, n *namer) (r Results) {
	last := false
	r.Cut = !lines(in, func(line []byte) {
		var e struct {
			ID struct {
				Summary struct {
					Label string `json:"label"`
				} `json:"testSummary"`
			} `json:"id"`
			Summary struct {
				Status string `json:"overallStatus"`
			} `json:"testSummary"`
			Last bool `json:"lastMessage"`
		}
		if !member(line, &e) {
			return
		}
		last = last || e.Last
		if e.ID.Summary.Label != "" {
			bazelTarget(&r, n.name(e.ID.Summary.Label), e.Summary.Status)
		}
	})
	r.Cut = r.Cut || !last
	return r
}

func bazelTarget(r *Results, name, status string) {
	switch status {
	case "PASSED", "FLAKY": // it passed when it was tried again
		r.add(name, Test{Status: Passed})
	case "NO_STATUS", "FAILED_TO_BUILD":
		r.breaks(name)
	default: // FAILED, TIMEOUT, INCOMPLETE, REMOTE_FAILURE
		r.add(name, Test{Status: Failed})
	}
}

type playSuite struct {
	Title  string      `json:"title"`
	File   string      `json:"file"`
	Suites []playSuite `json:"suites"`
	Specs  []struct {
		Title string `json:"title"`
		Tests []struct {
			Project string `json:"projectName"`
			Status  string `json:"status"`
		} `json:"tests"`
	} `json:"specs"`
}

// readPlaywright reads the JSON of Playwright. The same test may run in several
// projects.
func readPlaywright(in *bufio.Reader, n *namer) (r Results) {
	var doc struct {
		Suites []playSuite `json:"suites"`
		Errors []struct{}  `json:"errors"`
	}
	r.Cut = !document(&atBrace{in: in}, &doc)
	for _, file := range doc.Suites {
		file.Title = ""
		playwrightSuite(&r, n, file, nil, 0)
	}
	if len(doc.Errors) > 0 {
		r.breaks("errors outside of tests")
	}
	return r
}

func playwrightSuite(r *Results, n *namer, s playSuite, titles []string, depth int) {
	if depth > maxDepth {
		return
	}
	if s.Title != "" {
		titles = append(titles[:len(titles):len(titles)], s.Title)
	}
	for _, spec := range s.Specs {
		title := strings.Join(append(titles[:len(titles):len(titles)], spec.Title), " > ")
		for _, t := range spec.Tests {
			r.add(n.name(t.Project, s.File, title), Test{Status: playwrightStatus(t.Status), File: n.clean(s.File)})
		}
	}
	for _, sub := range s.Suites {
		playwrightSuite(r, n, sub, titles, depth+1)
	}
}

func playwrightStatus(text string) Status {
	switch text {
	case "expected", "flaky": // it passed when it was tried again
		return Passed
	case "skipped":
		return Skipped
	}
	return Failed
}
