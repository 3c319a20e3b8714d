package grade

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// column is what a table of a page says in one column, split at commas.
func column(t *testing.T, page, head string, n int) []string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	inside := false
	for line := range strings.Lines(string(text)) {
		switch {
		case strings.HasPrefix(line, head):
			inside = true
		case !strings.HasPrefix(line, "|"):
			inside = false
		case inside && !strings.HasPrefix(line, "|---"):
			for part := range strings.SplitSeq(strings.Split(line, "|")[n], ", ") {
				said = append(said, strings.Trim(part, " `\n"))
			}
		}
	}
	slices.Sort(said)
	return slices.Compact(said)
}

func runnerNames() []string {
	var names []string
	for _, r := range runners() {
		names = append(names, r.name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// TestEveryRunnerHasAReport: each runner that is asked has a report among the
// golden ones, and each golden one says where it is from.
func TestEveryRunnerHasAReport(t *testing.T) {
	const readme = "testdata/README.md"
	recorded := column(t, readme, "| files ", 2)
	for _, name := range runnerNames() {
		if !slices.Contains(recorded, name) {
			t.Errorf("no report of %s", name)
		}
	}
	var files []string
	all, err := filepath.Glob("testdata/*.*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range all {
		if name := filepath.Base(file); !slices.Contains([]string{".want", ".md", ".sh"}, filepath.Ext(name)) {
			files = append(files, name)
		}
	}
	if diff := cmp.Diff(column(t, readme, "| files ", 1), files); diff != "" {
		t.Errorf("files in the README and beside it (-README +files):\n%s", diff)
	}
}

// TestPageHasEveryRunner holds the table of the page to the runners.
func TestPageHasEveryRunner(t *testing.T) {
	page := column(t, "../../docs/GRADING.md", "| runner | asked by", 1)
	for _, name := range runnerNames() {
		if !slices.Contains(page, name) {
			t.Errorf("docs/GRADING.md has no row for %s", name)
		}
	}
	for _, name := range page {
		if !slices.Contains(runnerNames(), name) && !strings.HasPrefix(name, "any") && !strings.HasPrefix(name, "with `--report") {
			t.Errorf("docs/GRADING.md has a row for %q, which is not asked", name)
		}
	}
}

// TestEveryFormatHasAReader: Auto is told by the report.
func TestEveryFormatHasAReader(t *testing.T) {
	for _, r := range runners() {
		if readers(r.format) == nil {
			t.Errorf("nothing reads %s", r.format)
		}
	}
}
