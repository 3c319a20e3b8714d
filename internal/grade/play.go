package grade

import (
	"bufio"
	"strings"
)

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
