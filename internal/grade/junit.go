package grade

import (
	"bufio"
	"encoding/xml"
	"io"
	"slices"
	"strconv"
	"strings"
)

// junit walks a JUnit report. The dialects agree on little: the root may be one
// suite or a list of them, suites nest, and what a name is made of differs.
type junit struct {
	*namer
	Results
	root   string // its name
	suites []string
	open   []string // elements around, innermost last
	test   *junitCase
}

type junitCase struct {
	class, name string
	todo        bool // it is expected to fail
	listed      bool // only its name is given
	Test
}

func readJUnit(in *bufio.Reader, n *namer) Results {
	j := &junit{namer: n}
	j.Cut = !walkXML(in, j.start, j.end)
	if j.test != nil { // the report ended in it
		j.test.Status = Errored
		j.finish()
	}
	return j.Results
}

// walkXML calls start and end for every element, and reports whether the text
// was whole. What is no XML at all counts as empty.
func walkXML(in io.Reader, start func(xml.StartElement), end func(name string)) (whole bool) {
	d := xml.NewDecoder(plainReader{in})
	d.Strict = false
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	for depth := 0; ; {
		token, err := d.RawToken()
		if err != nil {
			return err == io.EOF && depth == 0
		}
		switch t := token.(type) {
		case xml.StartElement:
			if depth++; depth > maxDepth {
				return false
			}
			start(t)
		case xml.EndElement:
			if depth == 0 {
				return false
			}
			depth--
			end(t.Name.Local)
		}
	}
}

// plainReader takes out the bytes that XML forbids and test output has, such as
// terminal colours. A reader of XML stops at them.
type plainReader struct{ in io.Reader }

func (r plainReader) Read(p []byte) (int, error) {
	n, err := r.in.Read(p)
	for i, c := range p[:n] {
		if c < ' ' && c != '\n' && c != '\t' && c != '\r' || c >= 0x80 && !utf8Byte(c) {
			p[i] = '?'
		}
	}
	return n, err
}

// utf8Byte is false for bytes that no UTF-8 text has.
func utf8Byte(c byte) bool { return c != 0xc0 && c != 0xc1 && c < 0xf5 }

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func (j *junit) start(e xml.StartElement) {
	j.open = append(j.open, e.Name.Local)
	switch e.Name.Local {
	case "testsuites":
		j.root = attribute(e, "name")
	case "testsuite":
		j.suites = append(j.suites, attribute(e, "name"))
	case "testcase":
		j.test = newCase(e)
		j.test.listed = j.root == "AllTests" && attribute(e, "status") == "" // of GoogleTest, which wasn't asked to run it
	case "failure", "error", "skipped":
		j.mark(e)
	}
}

func newCase(e xml.StartElement) *junitCase {
	c := &junitCase{class: attribute(e, "classname"), name: attribute(e, "name")}
	if c.class == "" {
		c.class = attribute(e, "class")
	}
	c.Status, c.File, c.Seconds = statusAttribute(e), attribute(e, "file"), seconds(attribute(e, "time"))
	return c
}

// statusAttribute is for dialects that say in an attribute what others say in a
// child: GoogleTest's disabled tests, CTest's that were not run.
func statusAttribute(e xml.StartElement) Status {
	switch strings.ToLower(attribute(e, "status")) {
	case "notrun", "disabled", "skipped":
		return Skipped
	case "fail", "failed":
		return Failed
	case "error":
		return Errored
	}
	if attribute(e, "result") == "suppressed" || attribute(e, "result") == "skipped" {
		return Skipped
	}
	return Passed
}

// mark takes what a direct child of a test says of it.
func (j *junit) mark(e xml.StartElement) {
	if j.test == nil || len(j.open) < 2 || j.open[len(j.open)-2] != "testcase" {
		return
	}
	said := Skipped
	switch e.Name.Local {
	case "skipped":
		j.test.todo = j.test.todo || attribute(e, "type") == "todo" || attribute(e, "message") == "TEST_CASE tagged with !mayfail" // node's and Catch2's have a failure beside it
	case "failure":
		said = Failed
	case "error":
		said = Errored
	}
	if said.worse(j.test.Status) {
		j.test.Status = said
	}
}

func (j *junit) end(name string) {
	if len(j.open) > 0 {
		j.open = j.open[:len(j.open)-1]
	}
	switch {
	case name == "testsuite" && len(j.suites) > 0:
		j.suites = j.suites[:len(j.suites)-1]
	case name == "testcase" && j.test != nil:
		j.finish()
	}
}

// finish adds the test. Where its class says nothing, its suites do; node's
// reporter calls every class "test".
func (j *junit) finish() {
	prefix := []string{j.test.class}
	if j.test.class == "" || j.test.class == "test" {
		prefix = slices.Clone(j.suites)
	}
	if j.test.todo {
		j.test.Status = Skipped
	}
	j.test.File = j.clean(j.test.File)
	if j.root == "bun test" { // whose classes are the groups around a test
		prefix = []string{j.test.File, j.test.class}
	}
	if !j.test.listed {
		j.add(j.name(append(prefix, j.test.name)...), j.test.Test)
	}
	j.test = nil
}

func seconds(text string) float64 {
	s, err := strconv.ParseFloat(strings.ReplaceAll(text, ",", ""), 64)
	if err != nil || s < 0 || s != s {
		return 0
	}
	return s
}
