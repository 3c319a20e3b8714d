package grade_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"checkrein/internal/golden"
	"checkrein/internal/grade"
)

var update = flag.Bool("update", false, "write the expected readings")

func reports(t testing.TB) []string {
	t.Helper()
	all, err := filepath.Glob("testdata/*.*")
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(all, func(path string) bool {
		return strings.HasSuffix(path, ".want") || strings.HasSuffix(path, ".md") || strings.HasSuffix(path, ".sh")
	})
}

// TestGolden reads every report as what it says it is.
func TestGolden(t *testing.T) {
	for _, path := range reports(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			report, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer report.Close()
			got := show(grade.ParseFile(strings.TrimPrefix(path, "testdata/"), grade.Auto, report, "/copy"))
			if strings.Contains(got, "/copy") || strings.Contains(got, "/tmp") {
				t.Errorf("names that are of one run:\n%s", got)
			}
			golden.Same(t, *update, path+".want", got)
		})
	}
}

func show(r grade.Results) string {
	var out strings.Builder
	for _, name := range slices.Sorted(maps.Keys(r.Tests)) {
		fmt.Fprintf(&out, "%-8s %q", r.Tests[name].Status, name)
		if file := r.Tests[name].File; file != "" {
			fmt.Fprintf(&out, " in %s", file)
		}
		out.WriteString("\n")
	}
	for _, name := range slices.Sorted(slices.Values(r.Broken)) {
		fmt.Fprintf(&out, "broken   %q\n", name)
	}
	for _, name := range slices.Sorted(slices.Values(r.Killers)) {
		fmt.Fprintf(&out, "killer   %q\n", name)
	}
	if r.Cut {
		out.WriteString("cut\n")
	}
	return out.String()
}
