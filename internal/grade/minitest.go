package grade

import (
	"bufio"
	"strings"
)

// minitest reads what Ruby's minitest prints with --verbose: a line for each
// test, and a block for each that did not pass. What a test prints stands
// between its name and its end, and tests in threads mix their lines, so a test
// whose own line can't be read counts by the blocks: only when the run came to
// its sum, and no block names it, it passed.
type minitest struct {
	*namer
	Results
	open  []string // tests that started and have no readable end
	block Status   // of the block whose name comes next
	sum   bool
}

func readMinitest(in *bufio.Reader, n *namer) Results {
	m := &minitest{namer: n}
	m.Cut = !lines(in, func(raw []byte) { m.line(strings.ToValidUTF8(string(raw), "\uFFFD")) })
	rest := Failed
	if m.sum {
		rest = Passed
	}
	for _, name := range m.open {
		m.add(name, Test{Status: rest})
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
	if minitestSum(line) {
		m.sum = true
		return
	}
	test, status, ok := minitestLine(line)
	switch {
	case ok && status != "":
		m.add(m.test(test), Test{Status: status})
	case ok && len(m.open) < maxTests:
		m.open = append(m.open, m.test(test))
	case !ok && len(m.open) == 1:
		if status := minitestEnd(line); status != "" {
			m.add(m.open[0], Test{Status: status})
			m.open = nil
		}
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

// minitestLine reads "Class#test_x = 0.01 s = .". The status is "" when the end
// is not there, or may be another test's.
func minitestLine(line string) (name string, status Status, ok bool) {
	class, rest, ok := strings.Cut(line, "#test_")
	if !ok || class == "" || !strings.Contains(rest, " = ") {
		return "", "", false
	}
	method, _, _ := strings.Cut(rest, " = ")
	if strings.Contains(rest, "#test_") {
		return class + "#test_" + method, "", true
	}
	if status = minitestEnd(line); status == "" {
		return class + "#test_" + method, "", true
	}
	if head := strings.TrimRight(strings.TrimSuffix(line[:len(line)-1], " s = "), "0123456789."); strings.HasSuffix(head, " = ") {
		return strings.TrimSuffix(head, " = "), status, true
	}
	return class + "#test_" + method, status, true // it printed something
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
