package grade

import (
	"regexp"
	"slices"
	"strings"
)

// uncovered adds what keeps pytest-cov's bound from failing a run of some files,
// which covers less than one of all. Only where coverage is asked for, since pytest
// without the plugin refuses the flag.
func (a asker) uncovered(r runner, dir string, words command) runner {
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
