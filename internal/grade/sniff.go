package grade

import (
	"bufio"
	"bytes"
	"io"
	"strings"
)

// sniff tells a format by how a report starts; "" for one that is no document.
func sniff(in *bufio.Reader) Format {
	head, _ := in.Peek(32 << 10) // a short report is no error
	start := bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\uFEFF")))
	first, _, _ := bytes.Cut(start, []byte("\n"))
	switch {
	case bytes.HasPrefix(start, []byte("<")):
		if bytes.Contains(head, []byte("<TestRun")) {
			return TRX
		}
		return JUnit
	case !bytes.HasPrefix(start, []byte("{")):
		return ""
	}
	if format := sniffEvent(string(first)); format != "" {
		return format
	}
	return sniffJSON(head)
}

func sniffJSON(head []byte) Format {
	for _, f := range []struct {
		says   string
		format Format
	}{
		{`"testResults"`, Jest},
		{`"numTotalTests"`, Jest},
		{`"configFile"`, Play},
		{`"stats"`, Mocha},
		{`"examples"`, RSpec},
	} {
		if bytes.Contains(head, []byte(f.says)) {
			return f.format
		}
	}
	return ""
}

// sniffEvent tells a format by a line of it that is a JSON object.
func sniffEvent(line string) Format {
	dense := strings.ReplaceAll(line[:min(len(line), 200)], `": `, `":`)
	switch {
	case !strings.HasPrefix(line, "{"):
		return ""
	case strings.Contains(line, `"Action":"`):
		return Go
	case strings.Contains(dense, `"type":"suite"`), strings.Contains(dense, `"type":"test"`):
		return Nextest
	case strings.HasPrefix(dense, `{"id":{"started":`):
		return Bazel
	}
	return ""
}

// sniffLines passes over what a command prints until a line that only one runner
// prints, and is back before it.
func sniffLines(in *bufio.Reader) (*bufio.Reader, Format) {
	for {
		line, err := in.ReadSlice('\n')
		if err != nil && err != bufio.ErrBufferFull {
			return in, ""
		}
		if format := sniffLine(strings.TrimRight(strings.TrimPrefix(string(line), "\uFEFF"), "\r\n")); format != "" {
			return bufio.NewReaderSize(io.MultiReader(bytes.NewReader(bytes.Clone(line)), in), 64<<10), format
		}
	}
}

func sniffLine(line string) Format {
	if format := sniffEvent(line); format != "" {
		return format
	}
	_, _, unit := unittestLine(line)
	_, module := exunitModule(line)
	switch {
	case strings.HasPrefix(line, "TAP version "), tapPlan(line) >= 0, strings.HasPrefix(line, "ok 1"), strings.HasPrefix(line, "not ok 1"):
		return TAP
	case unit:
		return Unittest
	case strings.HasPrefix(line, "<?xml "), strings.HasPrefix(line, "<testsuite"):
		return JUnit
	case strings.HasPrefix(line, "=== RUN   "):
		return GoText
	case module && strings.HasSuffix(line, "_test.exs]"), strings.HasPrefix(line, "  * test "), strings.HasPrefix(line, "  * doctest "):
		return ExUnit
	case strings.HasPrefix(line, "Test project /"):
		return CTest
	}
	if _, _, ok := libtestLine(line); ok {
		return Libtest
	}
	if strings.HasPrefix(line, "     Running ") && strings.HasSuffix(line, ")") {
		return Libtest // cargo's line that names the binary whose tests follow
	}
	if names, _ := minitestLine(line); len(names) > 0 {
		return Minitest
	}
	if _, status, ok := automakeLine(line); ok && status != Errored { // many programs print ERROR
		return Automake
	}
	return ""
}
