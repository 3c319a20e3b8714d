package task

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"checkrein/internal/grade"
)

// A test that crashed without the change seemed to pass there: Meson read the report
// that GoogleTest had left with the change, and the task was dropped as flaky.
func TestMesonTakesAnOldReportOfGoogleTestForThatOfACrash(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"build/meson-logs/testlog.junit.xml": "<testsuites/>",
		"build/maths.xml":                    "<?xml version=\"1.0\"?>\n<testsuites tests=\"1\" name=\"AllTests\">\n</testsuites>",
		"build/config.xml":                   "<config/>",
		"tests/data.xml":                     "<testsuites name=\"AllTests\"/>",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := dropReports(dir, grade.Ask("meson test -C build", grade.Repo{})); err != nil {
		t.Fatal(err)
	}
	left, _ := filepath.Glob(filepath.Join(dir, "*", "*.xml"))
	if want := []string{filepath.Join(dir, "build/config.xml"), filepath.Join(dir, "tests/data.xml")}; !slices.Equal(left, want) {
		t.Errorf("left: %q", left)
	}
}
