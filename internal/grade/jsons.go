package grade

import (
	"bufio"
	"io"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// document reads one JSON object, after whatever a command printed before it.
func document(in io.Reader, into any) (whole bool) {
	d := jsontext.NewDecoder(in, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	return json.UnmarshalDecode(d, into) == nil
}

// atBrace passes over lines before the first one that starts with a brace.
type atBrace struct {
	in    io.Reader
	found bool
}

func (a *atBrace) Read(p []byte) (int, error) {
	n, err := a.in.Read(p)
	if a.found {
		return n, err
	}
	text := string(p[:n])
	at := 0
	if !strings.HasPrefix(text, "{") {
		if at = strings.Index(text, "\n{"); at >= 0 {
			at++
		}
	}
	if at < 0 {
		return 0, err
	}
	a.found = true
	return copy(p, text[at:]), err
}

// readJest reads the JSON of jest, whose shape vitest shares.
func readJest(in *bufio.Reader, n *namer) (r Results) {
	var doc struct {
		TestResults []struct {
			Name             string `json:"name"`
			Status           string `json:"status"`
			AssertionResults []struct {
				AncestorTitles []string `json:"ancestorTitles"`
				Title          string   `json:"title"`
				Status         string   `json:"status"`
				Duration       float64  `json:"duration"`
			} `json:"assertionResults"`
		} `json:"testResults"`
	}
	r.Cut = !document(&atBrace{in: in}, &doc)
	for _, file := range doc.TestResults {
		if file.Name == "" { // it comes last, so the report ended in this file
			continue
		}
		for _, a := range file.AssertionResults {
			name := n.name(file.Name, strings.Join(append(a.AncestorTitles, a.Title), " > "))
			r.add(name, Test{Status: scriptStatus(a.Status), File: n.clean(file.Name), Seconds: a.Duration / 1000})
		}
		if len(file.AssertionResults) == 0 && file.Status == "failed" { // it did not load
			r.breaks(n.name(file.Name))
		}
	}
	return r
}

func scriptStatus(text string) Status {
	switch text {
	case "passed":
		return Passed
	case "failed":
		return Failed
	}
	return Skipped // pending, skipped, todo, disabled, focused
}

type mochaTest struct {
	FullTitle string  `json:"fullTitle"`
	File      string  `json:"file"`
	Duration  float64 `json:"duration"`
	Error     struct {
		Message string `json:"message"`
	} `json:"err"`
}

// readMocha reads mocha's JSON. A hook that fails stands among the failures and
// not among the tests.
func readMocha(in *bufio.Reader, n *namer) (r Results) {
	var doc struct {
		Passes   []mochaTest `json:"passes"`
		Failures []mochaTest `json:"failures"`
		Pending  []mochaTest `json:"pending"`
	}
	r.Cut = !document(&atBrace{in: in}, &doc)
	take := func(list []mochaTest, status Status) {
		for _, t := range list {
			if r.Cut && (t.File == "" || t.FullTitle == "") { // the report ended in it
				continue
			}
			r.add(n.name(t.File, t.FullTitle), Test{Status: status, File: n.clean(t.File), Seconds: t.Duration / 1000})
		}
	}
	take(doc.Passes, Passed)
	take(doc.Pending, Skipped)
	take(doc.Failures, Failed)
	return r
}

// readRSpec reads rspec's JSON. Its ids shift when an example is put before
// others, so a name is made of file and description.
func readRSpec(in *bufio.Reader, n *namer) (r Results) {
	var doc struct {
		Examples []struct {
			Description string  `json:"full_description"`
			File        string  `json:"file_path"`
			Status      string  `json:"status"`
			Seconds     float64 `json:"run_time"`
		} `json:"examples"`
		Summary struct {
			Outside int `json:"errors_outside_of_examples_count"`
		} `json:"summary"`
	}
	r.Cut = !document(&atBrace{in: in}, &doc)
	for _, e := range doc.Examples {
		if r.Cut && (e.File == "" || e.Description == "") { // the report ended in it
			continue
		}
		file := strings.TrimPrefix(n.clean(e.File), "./")
		r.add(n.name(file, e.Description), Test{Status: scriptStatus(e.Status), File: file, Seconds: e.Seconds})
	}
	if doc.Summary.Outside > 0 {
		r.breaks("errors outside of examples")
	}
	return r
}
