// Package golden is for tests that hold a long text to a file in testdata.
package golden

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Same fails where got is not what the file holds; with write, the test's flag
// -update, it writes the file anew first.
func Same(t testing.TB, write bool, file, got string) {
	t.Helper()
	if write {
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(got), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got; -update writes it anew)\n%s", file, diff)
	}
}
