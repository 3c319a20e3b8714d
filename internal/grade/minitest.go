package grade

import (
	"bufio"
	"strings"
)

// minitest reads what Ruby's minitest prints with --verbose: a line for each
// test, and a block for each that did not pass. What a test prints stands
// between its name and its end. Tests in threads mix their lines, and no end is
// surely that of the name before it: then a test passed when the run came to its
// sum and no block names it.
type minitest struct {
	*namer
	Results
	lines   []minitestTest
	threads bool
	block   Status // of the block whose name comes next
	sum     bool
}

type minitestTest struct {
	name   string
	status Status // "" before its end
}

func readMinitest(in *bufio.Reader, n *namer) Results {
	m := &minitest{namer: n}
	m.Cut = !lines(in, func(raw []byte) { m.line(strings.ToValidUTF8(string(raw), "\uFFFD")) })
	rest := Failed
	if m.sum {
		rest = Passed
	}
	for _, t := range m.lines {
		if m.threads || t.status == "" {
			t.status = rest
		}
		m.add(t.name, Test{Status: t.status})
	}
	m.Cut = m.Cut || !m.sum && !m.None()
	return m.Results
}

func (m *minitest) line(line string) {
	if m.block != "" {
		m.blockName(line)
		return
	}
	if status, ok := minitestBlock(line); ok {
		m.block = status
		return
	}
	m.sum = m.sum || minitestSum(line)
	last := len(m.lines) - 1
	open := last >= 0 && m.lines[last].status == ""
	names, status := minitestLine(line)
	m.threads = m.threads || len(names) > 1 || open && len(names) > 0
	for _, name := range names {
		if len(m.lines) < maxTests {
			m.lines = append(m.lines, minitestTest{m.test(name), status})
		}
	}
	if open && len(names) == 0 {
		m.lines[last].status = minitestEnd(line)
	}
}

// test is a name without the number that the spec style puts before it, which
// shifts when a test is put before others.
func (m *minitest) test(text string) string {
	class, method, _ := strings.Cut(text, "#")
	if rest, ok := strings.CutPrefix(method, "test_"); ok && len(rest) > 5 && rest[4] == '_' && strings.Trim(rest[:4], "0123456789") == "" {
		method = rest[5:]
	}
	return m.name(class, method)
}

// blockName takes the line below "1) Failure:".
func (m *minitest) blockName(line string) {
	name := strings.TrimSuffix(strings.TrimSpace(line), ":")
	if at := strings.LastIndex(name, " ["); at > 0 && strings.HasSuffix(name, "]") {
		name = name[:at]
	}
	if strings.Contains(name, "#test_") {
		m.add(m.test(name), Test{Status: m.block})
	}
	m.block = ""
}

func minitestBlock(line string) (Status, bool) {
	number, kind, ok := strings.Cut(strings.TrimSpace(line), ") ")
	if !ok || number == "" || strings.Trim(number, "0123456789") != "" {
		return "", false
	}
	switch kind {
	case "Failure:":
		return Failed, true
	case "Error:":
		return Errored, true
	case "Skipped:":
		return Skipped, true
	}
	return "", false
}

// minitestSum reads "7 runs, 5 assertions, 1 failures, 1 errors, 1 skips".
func minitestSum(line string) bool {
	number, rest, ok := strings.Cut(line, " runs, ")
	return ok && number != "" && strings.Trim(number, "0123456789") == "" && strings.Contains(rest, " assertions, ")
}

// minitestLine reads "Class#test_x = 0.01 s = .". The status is "" when the end is
// not there. The name of a spec may hold what stands behind names.
func minitestLine(line string) (names []string, status Status) {
	const start, sign = "#test_", " = "
	if !strings.Contains(line, start) || !strings.Contains(line, sign) {
		return nil, ""
	}
	status = minitestEnd(line)
	if strings.Count(line, start) == 1 && status != "" {
		if head := strings.TrimRight(line[:len(line)-len(" s = .")], "0123456789."); strings.HasSuffix(head, sign) {
			return []string{strings.TrimSuffix(head, sign)}, status
		}
	}
	for part := range strings.SplitSeq(line, sign) {
		if strings.Contains(part, start) {
			names = append(names, part)
		}
	}
	return names, status
}

// minitestEnd reads the end of a line: "0.01 s = .".
func minitestEnd(line string) Status {
	if len(line) < 9 || !strings.HasSuffix(line[:len(line)-1], " s = ") || line[len(line)-7] < '0' || line[len(line)-7] > '9' {
		return ""
	}
	switch line[len(line)-1] {
	case '.':
		return Passed
	case 'F':
		return Failed
	case 'S':
		return Skipped
	case 'E':
		return Errored
	}
	return ""
}
