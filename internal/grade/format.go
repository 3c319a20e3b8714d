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
	Minitest Format = "minitest"
	ExUnit   Format = "exunit"       // text of mix test --trace
	GoText   Format = "go-text"      // text of go test -v
	CTest    Format = "ctest"        // text of ctest
	Automake Format = "automake"     // text of make check, and its .trs files
	Nextest  Format = "libtest-json" // of cargo nextest, and of cargo test's unstable format
	Play     Format = "playwright"   // JSON of Playwright
	Bazel    Format = "bazel"        // JSON of Bazel's build events
)

// Parse reads a report. Roots are folders that names may hold and that differ
// between copies. There is no error: a report that can't be read has fewer
// tests than expected, or none, and that is what counts.
func Parse(format Format, report io.Reader, roots ...string) Results {
	return ParseFile("", format, report, roots...)
}

// ParseFile reads a report that lies in a file, whose name may be that of a test.
func ParseFile(file string, format Format, report io.Reader, roots ...string) Results {
	limited := &io.LimitedReader{R: report, N: MaxBytes}
	in := bufio.NewReaderSize(limited, 64<<10)
	n := &namer{roots: roots}
	if format == Auto {
		if format = sniff(in); format == "" && strings.HasSuffix(file, ".trs") {
			format, n.file = Automake, file
		}
	}
	if format == Auto || format == "" {
		in, format = sniffLines(in)
	}
	var r Results
	if read := readers(format); read != nil {
		r = read(in, n)
	}
	r.Cut = r.Cut || limited.N <= 0
	return r
}

// readers are the functions that read a format; nil for none.
func readers(format Format) func(in *bufio.Reader, n *namer) Results {
	return map[Format]func(in *bufio.Reader, n *namer) Results{
		JUnit: readJUnit, TRX: readTRX, Go: readGo, GoText: readGoText, TAP: readTAP, Jest: readJest, Mocha: readMocha, RSpec: readRSpec,
		Unittest: readUnittest, Libtest: readLibtest, Nextest: readLibtest, Minitest: readMinitest, ExUnit: readExUnit, CTest: readCTest,
		Automake: readAutomake, Play: readPlaywright, Bazel: readBazel,
	}[format]
}

// lines calls do with every line, without its end, and tells whether the last one
// had one: a line without an end is the rest of something, and says nothing.
// Longer ones than maxLine are passed over.
func lines(in *bufio.Reader, do func(line []byte)) (whole bool) {
	var long []byte
	for size := 0; ; {
		part, err := in.ReadSlice('\n')
		size += len(part)
		switch {
		case err == bufio.ErrBufferFull && size <= maxLine:
			long = append(long, part...)
		case err == bufio.ErrBufferFull:
			long = nil
		case err != nil:
			return size == 0
		case size <= maxLine:
			do(bytes.TrimRight(append(long, part...), "\r\n"))
			fallthrough
		default:
			long, size = nil, 0
		}
	}
}
