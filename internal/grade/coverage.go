package grade

import (
	"regexp"
	"slices"
	"strings"
)

// unbounded is a line in which c8 or nyc, which start a runner, ask for no bound of
// coverage: what code misses is no test, and its exit code is none's.
func unbounded(line string, whole, c command) (string, command) {
	at := slices.IndexFunc(whole[:len(whole)-len(c)], func(w word) bool { return w.text == "c8" || w.text == "nyc" })
	if at < 0 {
		return line, c
	}
	longer := -len(line)
	for i := len(whole) - len(c) - 1; i > at; i-- {
		if name, _, _ := strings.Cut(whole[i].text, "="); name == "--check-coverage" || name == "--100" {
			line = line[:whole[i-1].to] + line[whole[i].to:]
		}
	}
	line = insert(line, whole[at], " --check-coverage=false")
	longer += len(line)
	moved := slices.Clone(c)
	for i := range moved {
		moved[i].from, moved[i].to = moved[i].from+longer, moved[i].to+longer
	}
	return line, moved
}

// covering adds what keeps pytest-cov's bound from failing a run of some files,
// which covers less than one of all. Only where coverage is asked for, since pytest
// without the plugin refuses the flag.
func (a asker) covering(r runner, dir string, words command) runner {
	asked, elsewhere := false, false
	for _, w := range words {
		flag, _, _ := strings.Cut(w.text, "=")
		asked = asked || flag == "--cov"
		elsewhere = elsewhere || slices.Contains([]string{"-c", "-o", "--override-ini", "--config-file"}, flag)
	}
	if r.name != "pytest" || !asked && (elsewhere || !strings.Contains(a.addopts(dir), "--cov")) {
		return r
	}
	r.flags += " --cov-fail-under=0"
	r.drops = append(slices.Clone(r.drops), "--cov-fail-under")
	return r
}

// addopts are the flags of the settings file that pytest takes in a folder, or above.
func (a asker) addopts(dir string) string {
	for _, in := range slices.Compact([]string{dir, ""}) {
		for _, f := range [][2]string{{"pytest.ini", ""}, {".pytest.ini", ""}, {"pyproject.toml", "[tool.pytest"}, {"tox.ini", "[pytest]"}, {"setup.cfg", "[tool:pytest]"}} {
			if text := a.repo.text(join(in, f[0])); text != "" && strings.Contains(text, f[1]) {
				return regexp.MustCompile(`(?m)^addopts\s*=.*(?:\n(?:[ \t\]"'].*)?)*`).FindString(text)
			}
		}
	}
	return ""
}

func (r Repo) text(path string) string {
	if r.Text == nil || strings.HasPrefix(path, "?") {
		return ""
	}
	return r.Text(path)
}
