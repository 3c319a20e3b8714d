//go:build e2e

package e2e

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"checkrein/e2e/modelserver"

	"github.com/google/go-cmp/cmp"
)

// The tasks in the history of the test's repository. The bodies of the hidden
// tests have words in them that no agent may ever see.
const (
	sumSubject   = "Add the numbers in sum"
	greetSubject = "Greet people by their name"
	testCommand  = "sh tests/run.sh"
	hiddenWord   = "hidden-from-agents"
)

// driveFolder is where the test drive keeps its files, below HOME.
const driveFolder = "project/.harness-test-drive"

// newDriveHome is a home whose repository has two tasks in its history, where
// all three agents find the model and none has to retry for long.
func newDriveHome(t *testing.T, s modelserver.Script) *home {
	t.Helper()
	h := newHome(t, s)
	h.patience = 10 * time.Minute // one command runs six agents, on a machine that may be busy
	h.write("tmp/keep", "")
	h.env = []string{
		"TMPDIR=" + filepath.Join(h.dir, "tmp"),
		"ANTHROPIC_BASE_URL=" + h.model.URL, "ANTHROPIC_API_KEY=dummy",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_TELEMETRY=1", "DISABLE_AUTOUPDATER=1", "DISABLE_ERROR_REPORTING=1",
		"SCRIPTED_KEY=dummy", "GOOGLE_GEMINI_BASE_URL=" + h.model.URL, "GEMINI_API_KEY=dummy",
	}
	h.configureCodex(codexModel, "")
	h.configureGemini()
	h.addHistory()
	return h
}

// addHistory commits a program, its tests, and two fixes with their tests.
func (h *home) addHistory() {
	h.t.Helper()
	h.write("project/src/sum.sh", sumWrong)
	h.write("project/src/greet.sh", greetWrong)
	h.commit("Write the programs")
	h.write("project/tests/run.sh", "set -e\nfor t in tests/*_test.sh; do sh \"$t\"; done\n")
	h.write("project/tests/files_test.sh", "test -f src/sum.sh && test -f src/greet.sh\n")
	h.commit("Test that they are there")
	h.write("project/src/sum.sh", sumRight)
	h.write("project/tests/sum_test.sh", "# "+hiddenWord+"\ntest \"$(sh src/sum.sh 2 3)\" = 5\n")
	h.commit(sumSubject + "\n\nIt took the second from the first.\n\nSigned-off-by: Dev <dev@example.com>")
	h.write("project/src/greet.sh", greetRight)
	h.write("project/tests/greet_test.sh", "# "+hiddenWord+"\ntest \"$(sh src/greet.sh Ada)\" = 'hello Ada'\n")
	h.commit(greetSubject)
}

func (h *home) commit(message string) {
	h.t.Helper()
	h.run(nil, "git", "add", ".").ok()
	h.run(nil, "git", "-c", "user.name=Dev", "-c", "user.email=dev@example.com", "commit", "-q", "-m", message).ok()
}

// drive runs `checkrein drive …`, which must succeed.
func (h *home) drive(args ...string) output {
	h.t.Helper()
	return h.run(nil, append([]string{kit.checkrein, "drive"}, args...)...).ok()
}

// mine finds both tasks, newest first.
func (h *home) mine() {
	h.t.Helper()
	h.drive("mine", "--validate", "--test-cmd", testCommand)
	var doc struct {
		Tasks []struct {
			Subject   string   `json:"subject"`
			Hidden    []string `json:"hidden_tests"`
			Validated bool     `json:"validated"`
		} `json:"tasks"`
	}
	h.decode(h.read(driveFolder+"/tasks.json"), &doc)
	var got []string
	for _, task := range doc.Tasks {
		got = append(got, fmt.Sprint(task.Subject, task.Hidden, " ", task.Validated))
	}
	if diff := cmp.Diff([]string{
		greetSubject + "[tests/greet_test.sh] true", sumSubject + "[tests/sum_test.sh] true",
	}, got); diff != "" {
		h.t.Fatalf("the tasks: %s", diff)
	}
}

func (h *home) decode(text string, into any) {
	h.t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		h.t.Fatalf("reading %q: %v", text, err)
	}
}

// tree describes every file below a folder of HOME, but for those under skip:
// what kind it is, when it was changed, and what is in it.
func (h *home) tree(name, skip string) map[string]string {
	h.t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(filepath.Join(h.dir, name), func(path string, d fs.DirEntry, err error) error {
		rel := strings.TrimPrefix(path, h.dir+"/")
		switch {
		case os.IsNotExist(err):
			return nil
		case err != nil:
			return err
		case rel == skip:
			return filepath.SkipDir
		}
		all[rel], err = describe(path, d)
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return all
}

func describe(path string, d fs.DirEntry) (string, error) {
	info, err := d.Info()
	if err != nil || d.IsDir() {
		return d.Type().String(), err
	}
	text, err := os.ReadFile(path)
	return fmt.Sprintf("%v %v %x", info.Mode(), info.ModTime(), sha256.Sum256(text)), err
}
