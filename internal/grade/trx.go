package grade

import (
	"bufio"
	"encoding/xml"
	"strconv"
	"strings"
)

// readTRX reads the results of dotnet test. A result names its test; the class
// is told elsewhere, by the test's id, mostly after the results.
func readTRX(in *bufio.Reader, n *namer) Results {
	type result struct {
		id, name string
		Test
	}
	var found []result
	classes, unit := map[string]string{}, ""
	var r Results
	whole := walkXML(in, func(e xml.StartElement) {
		switch e.Name.Local {
		case "UnitTestResult":
			if len(found) < maxTests {
				found = append(found, result{
					attribute(e, "testId"), attribute(e, "testName"),
					Test{Status: outcome(attribute(e, "outcome")), Seconds: clockTime(attribute(e, "duration"))},
				})
			}
		case "UnitTest":
			unit = attribute(e, "id")
		case "TestMethod":
			if len(classes) < maxTests {
				classes[unit], _, _ = strings.Cut(attribute(e, "className"), ",")
			}
		}
	}, func(string) {})
	for _, f := range found {
		class, told := classes[f.id]
		if !whole && !told { // its class would have come later
			continue
		}
		if strings.HasPrefix(f.name, class+".") { // xUnit's names have it already
			class = ""
		}
		r.add(n.name(class, f.name), f.Test)
	}
	r.Cut = r.Cut || !whole
	return r
}

func outcome(text string) Status {
	switch text {
	case "Passed", "PassedButRunAborted", "Warning":
		return Passed
	case "NotExecuted", "NotRunnable", "Inconclusive", "Pending", "Disconnected", "":
		return Skipped
	case "Failed":
		return Failed
	}
	return Errored // Error, Timeout, Aborted
}

// clockTime reads 00:00:01.2345678.
func clockTime(text string) float64 {
	sum := 0.0
	for part := range strings.SplitSeq(text, ":") {
		f, err := strconv.ParseFloat(part, 64)
		if err != nil {
			return 0
		}
		sum = 60*sum + f
	}
	return sum
}
