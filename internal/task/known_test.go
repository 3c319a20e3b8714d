package task

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// TestWhatIsKnownIsNotReadAgain: the second time nothing but the list of commits
// and the wanted candidates are read, with the same result, and new commits join.
func TestWhatIsKnownIsNotReadAgain(t *testing.T) {
	h, _ := everyReason(t)
	path := filepath.Join(t.TempDir(), "history")
	look := func() *Document {
		t.Helper()
		doc, err := h.mine(func(o *Options) { o.Check, o.Known = false, strings.TrimSuffix(path, "-suite") })
		if err != nil {
			t.Fatal(err)
		}
		return doc
	}
	first := look()
	path += "-suite"
	data, err := os.ReadFile(path)
	if err != nil || strings.Count(string(data), "\n") != first.Counts.Commits { // a head line; the first commit is left out
		t.Errorf("%v, %q", err, data)
	}
	same := cmpopts.IgnoreFields(Document{}, "Created")
	if diff := cmp.Diff(first, look(), same); diff != "" {
		t.Errorf("the second time (-first +second):\n%s", diff)
	}
	// A false memory shows that it is used, and only under the same rules.
	if err := os.WriteFile(path, []byte(strings.ReplaceAll(string(data), " candidate", " large")), 0o600); err != nil {
		t.Fatal(err)
	}
	if doc := look(); doc.Counts.Candidates != 0 {
		t.Errorf("the file was not used: %+v", doc.Counts)
	}
	h.git("config", "diff.algorithm", "histogram")
	if diff := cmp.Diff(first, look(), same); diff != "" {
		t.Errorf("under other rules (-first +then):\n%s", diff)
	}
	h.fix("four")
	if doc := look(); doc.Counts.Candidates != first.Counts.Candidates+1 {
		t.Errorf("with a new commit: %+v", doc.Counts)
	}
}
