package grade

import (
	"bufio"
	"strings"
)

// readAutomake reads what make check prints with Automake's test harness, and one
// of its .trs files, which has no names: there the file's own stands for them.
func readAutomake(in *bufio.Reader, n *namer) (r Results) {
	r.Cut = !lines(in, func(raw []byte) {
		line := strings.ToValidUTF8(string(raw), "\uFFFD")
		line, trs := strings.CutPrefix(line, ":test-result: ")
		name, status, ok := automakeLine(line)
		if trs && !ok {
			name, status, ok = automakeLine(strings.Replace(line+" ", " ", ": ", 1))
			name = strings.TrimSpace(name)
		}
		if ok && (name != "" || n.file != "") {
			r.add(n.name(strings.TrimSuffix(n.file, ".trs"), name), Test{Status: status})
		}
	})
	return r
}

// automakeLine reads "PASS: t/a.sh" and "FAIL: t/a.test 1 - adds". Unittest prints
// "FAIL: test_x (mod.Class.test_x)" of what fails, and without -v nothing of the rest.
func automakeLine(line string) (name string, status Status, ok bool) {
	word, name, _ := strings.Cut(line, ": ")
	if _, _, unit := unittestLine(name); unit {
		return "", "", false
	}
	switch word {
	case "PASS":
		status = Passed
	case "FAIL", "XPASS":
		status = Failed
	case "ERROR":
		status = Errored
	case "SKIP", "XFAIL":
		status = Skipped
	default:
		return "", "", false
	}
	return name, status, true
}

// readCTest reads what ctest prints, which make test starts in the build folders
// of CMake.
func readCTest(in *bufio.Reader, n *namer) (r Results) {
	r.Cut = !lines(in, func(raw []byte) {
		if name, status, ok := ctestLine(strings.ToValidUTF8(string(raw), "\uFFFD")); ok {
			r.add(n.name(name), Test{Status: status})
		}
	})
	return r
}

// ctestLine reads "1/5 Test #1: adds ......   Passed    0.00 sec".
func ctestLine(line string) (name string, status Status, ok bool) {
	count, rest, ok := strings.Cut(strings.TrimSpace(line), " Test ")
	number, rest, found := strings.Cut(strings.TrimSpace(rest), ": ")
	at := strings.LastIndex(rest, " ..")
	if !ok || !found || at < 1 || strings.Trim(count, "0123456789/") != "" || !strings.HasPrefix(number, "#") {
		return "", "", false
	}
	switch end := strings.Trim(rest[at:], " ."); {
	case strings.HasPrefix(end, "Passed "):
		status = Passed
	case strings.HasPrefix(end, "***Not Run"), strings.HasPrefix(end, "***Skipped"):
		status = Skipped
	case strings.HasPrefix(end, "***"):
		status = Failed
	default:
		return "", "", false
	}
	return rest[:at], status, true
}
