package grade

import (
	"bufio"
	"bytes"
	"io"
	"strings"
)

// Format is the kind of a report.
type Format string

// The reports that are read.
const (
	Auto     Format = "auto"  // told by the report itself
	JUnit    Format = "junit" // of pytest, surefire, Gradle, node:test, jest-junit, vitest, phpunit, ctest, GoogleTest and others
	Go       Format = "go"    // go test -json
	TAP      Format = "tap"   // versions 12 to 14
	Jest     Format = "jest"  // JSON of jest and vitest
	Mocha    Format = "mocha" // JSON of mocha
	RSpec    Format = "rspec" // JSON of rspec
	Unittest Format = "unittest"
	Libtest  Format = "libtest" // text of cargo test
	TRX      Format = "trx"     // of dotnet test
)

// Parse reads a report. Roots are folders that names may hold and that differ
// between copies. There is no error: a report that can't be read has fewer
// tests than expected, or none, and that is what counts.
func Parse(format Format, report io.Reader, roots ...string) Results {
	limited := &io.LimitedReader{R: report, N: MaxBytes}
	in := bufio.NewReaderSize(limited, 64<<10)
	if format == Auto {
		head, _ := in.Peek(32 << 10) // a short report is no error
		format = sniff(head)
	}
	n := &namer{roots: roots}
	var r Results
	switch format {
	case JUnit:
		r = readJUnit(in, n)
	case TRX:
		r = readTRX(in, n)
	case Go:
		r = readGo(in, n)
	case TAP:
		r = readTAP(in, n)
	case Jest:
		r = readJest(in, n)
	case Mocha:
		r = readMocha(in, n)
	case RSpec:
		r = readRSpec(in, n)
	case Unittest:
		r = readUnittest(in, n)
	case Libtest:
		r = readLibtest(in, n)
	}
	r.Cut = r.Cut || limited.N <= 0
	return r
}

// sniff tells a format by how a report starts; "" for none.
func sniff(head []byte) Format {
	start := bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\uFEFF")))
	switch {
	case bytes.HasPrefix(start, []byte("<")):
		if bytes.Contains(head, []byte("<TestRun")) {
			return TRX
		}
		return JUnit
	case bytes.HasPrefix(start, []byte("{")) && bytes.Contains(firstLine(start), []byte(`"Action":"`)):
		return Go
	case bytes.HasPrefix(start, []byte("{")):
		return sniffJSON(head)
	}
	return sniffText(string(head))
}

func firstLine(text []byte) []byte {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return line
}

func sniffJSON(head []byte) Format {
	switch {
	case bytes.Contains(head, []byte(`"testResults"`)), bytes.Contains(head, []byte(`"numTotalTests"`)):
		return Jest
	case bytes.Contains(head, []byte(`"stats"`)):
		return Mocha
	case bytes.Contains(head, []byte(`"examples"`)):
		return RSpec
	}
	return ""
}

// sniffText looks for the first line that only one runner prints.
func sniffText(head string) Format {
	for line := range strings.Lines(head) {
		line = strings.TrimRight(line, "\r\n")
		switch _, _, unit := unittestLine(line); {
		case strings.HasPrefix(line, `{"Time":`) && strings.Contains(line, `"Action":"`):
			return Go
		case strings.HasPrefix(line, "TAP version "), tapPlan(line) >= 0, strings.HasPrefix(line, "ok 1"), strings.HasPrefix(line, "not ok 1"):
			return TAP
		case unit:
			return Unittest
		}
		if _, _, ok := libtestLine(line); ok {
			return Libtest
		}
	}
	return ""
}

// lines calls do with every line, without its end. Longer ones than maxLine are
// passed over.
func lines(in *bufio.Reader, do func(line []byte)) {
	var long []byte
	skip := false
	for {
		part, more, err := in.ReadLine()
		if err != nil {
			return
		}
		if more || long != nil || skip {
			if skip = skip || len(long)+len(part) > maxLine; !skip {
				long = append(long, part...)
			}
			if more {
				continue
			}
			if part = long; skip {
				part = nil
			}
			long, skip = nil, false
		}
		if part != nil {
			do(part)
		}
	}
}
