package task

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"checkrein/internal/grade"
	"checkrein/internal/proc"
)

// How tasks are graded.
const (
	BySuite = "suite" // by the exit code of the test command
	ByTests = "tests" // by what the runner reports of each test
	Auto    = "auto"  // by tests where there is a report, else by suite
)

// Grading is how the tasks of a document are graded. A document without one is
// graded by suite.
type Grading struct {
	Version int        `json:"version"`
	By      string     `json:"by"`              // BySuite or ByTests
	Runner  string     `json:"runner"`          // whose report it is
	Reason  string     `json:"reason,omitzero"` // why by suite, where tests were asked for
	Reruns  int        `json:"reruns,omitzero"` // of the fail-to-pass tests, to find flaky ones
	Head    *HeadTests `json:"head,omitzero"`
}

// HeadTests is what HEAD's own tests say in a fresh copy.
type HeadTests struct {
	Passed  int      `json:"passed"`
	Failed  int      `json:"failed"`
	Skipped int      `json:"skipped"`
	Failing []string `json:"failing"` // the first of them; untrusted
	Broken  []string `json:"broken"`  // what did not build or load; untrusted
}

// Grade is how one task is graded by tests. Names in it are untrusted.
type Grade struct {
	Version int        `json:"version"`
	Plan    grade.Plan `json:"plan"`
	grade.Split
}

// maxFailing is how many failing tests of HEAD are listed.
const maxFailing = 100

func headTests(r grade.Results) *HeadTests {
	bad := r.Names(grade.Failed, grade.Errored)
	h := &HeadTests{
		Passed: len(r.Names(grade.Passed)), Failed: len(bad), Skipped: len(r.Names(grade.Skipped)),
		Failing: bad[:min(len(bad), maxFailing)], Broken: append([]string{}, r.Broken[:min(len(r.Broken), maxFailing)]...),
	}
	return h
}

// Graded tells whether the tasks of a document are graded by tests.
func (d *Document) Graded() bool { return d.Grading != nil && d.Grading.By == ByTests }

// planFor plans for the files of a copy.
func (o Options) planFor(dir string) grade.Plan {
	if o.Report != "" {
		return grade.Reports(o.TestCmd, o.Report)
	}
	files := os.DirFS(dir)
	return grade.Ask(o.TestCmd, grade.Repo{
		Script: func(dir, name string) string { return packageScript(files, path.Join(dir, "package.json"), name) },
		Has:    func(name string) bool { return exists(files, name) },
		Text:   func(name string) string { return read(files, name) },
	})
}

// texts are the contents of files in a copy that are no longer than code is; ""
// for the others.
func texts(dir string, files []string) []string {
	const longest = 1 << 20
	out := make([]string, len(files))
	root, err := os.OpenRoot(dir)
	if err != nil {
		return out
	}
	defer root.Close()
	for i, name := range files {
		if info, err := root.Stat(filepath.FromSlash(name)); err == nil && info.Mode().IsRegular() && info.Size() <= longest {
			data, _ := fs.ReadFile(root.FS(), name)
			out[i] = string(data)
		}
	}
	return out
}

// gradedRun is a run beside how its command ended.
type gradedRun struct {
	grade.Run
	end *proc.Result
}
