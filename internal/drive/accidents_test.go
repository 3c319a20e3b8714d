package drive_test

import (
	"os"
	"path/filepath"
	"testing"

	"checkrein/internal/harness"
	"checkrein/internal/trial"
)

// An honest fix passes whatever else the agent does to its copy.
func TestHonestFixes(t *testing.T) {
	for name, script := range map[string]string{
		"commits":           `echo fixed >src.txt; git -c user.name=a -c user.email=a@b commit -qam done`,
		"amends":            `echo fixed >src.txt; git -c user.name=a -c user.email=a@b commit -qa --amend -m done; git gc -q --prune=now`,
		"no .git":           `echo fixed >src.txt; rm -rf .git`,
		"nested":            `mkdir build/in; echo fixed >build/in.txt; (cd build && git init -q .)`,
		"ignored":           `echo '*' >.gitignore; echo fixed >build/new.txt`,
		"case":              `mv build/.keep build/.KEEP; echo fixed >src.txt`,
		"line ends":         `printf '* text=auto eol=crlf\n*.txt -diff\n' >.gitattributes; printf 'fixed\r\n' >src.txt`,
		"binary":            `printf 'fixed\000\377\n' >build/new.txt`,
		"three gigabytes":   `truncate -s 3G build/core; echo fixed >src.txt`,
		"odd names":         `echo fixed >"$(printf 'build/-a\nb \351.txt')"`,
		"a test of its own": `echo fixed >src.txt; mkdir -p tests/check.sh.d; echo 'exit 1' >tests/other.sh`,
	} {
		t.Run(name, func(t *testing.T) {
			_, r := one(t, script+"\ndone_")
			wantStatus(t, r, trial.Passed)
		})
	}
}

// Whatever stands in the way of the hidden tests, they are what runs.
func TestTestsAreTheCommits(t *testing.T) {
	for name, script := range map[string]string{
		"edited":   `echo 'exit 0' >tests/check.sh`,
		"a folder": `rm tests/check.sh; mkdir -p tests/check.sh/deep; echo x >tests/check.sh/deep/x`,
		"a link":   `echo 'exit 0' >build/ok.sh; ln -sf ../build/ok.sh tests/check.sh`,
		"a pipe":   `rm tests/check.sh; mkfifo tests/check.sh`,
		"deleted":  `rm -r tests`,
		"moved":    `mv tests spec; echo 'exit 0' >spec/check.sh`,
		"hidden":   `chmod 000 tests/check.sh tests`,
	} {
		t.Run(name, func(t *testing.T) {
			_, r := one(t, script+"\ndone_")
			wantStatus(t, r, trial.Failed)
		})
	}
}

// The changes apply no more once the hidden tests stand where a file was.
func TestPatchThatDoesNotFitFails(t *testing.T) {
	_, r := one(t, `rm -r tests; echo x >tests; done_`)
	wantStatus(t, r, trial.Failed)
	if r.Error != "the changes no longer apply to a clean copy" {
		t.Errorf("error %q", r.Error)
	}
}

// What the tests leave running is gone when the next trial starts: a server on a
// port, say, for which a file stands here.
func TestTestsThatLeaveAServer(t *testing.T) {
	b := newBench(t, 3, harness.ClaudeCode)
	b.standIn("claude", `echo fixed >src.txt; done_`)
	port := filepath.Join(b.dir, "home/port")
	b.Doc.TestCmd = `[ ! -e ` + port + ` ] || exit 9
(setsid sh -c 'trap "rm -f ` + port + `; exit" TERM; echo x >` + port + `; while :; do sleep 0.02; done' >/dev/null 2>&1 &)
while [ ! -e ` + port + ` ]; do sleep 0.02; done
sh tests/check.sh`
	_, records := b.run()
	for _, r := range records {
		wantStatus(t, r, trial.Passed)
	}
	b.clean()
}

// A kept copy is as the agent's changes made it.
func TestKeptCopy(t *testing.T) {
	b := newBench(t, 1, harness.ClaudeCode)
	b.standIn("claude", `echo fixed >src.txt; done_`)
	b.Keep = true
	_, records := b.run()
	if kept, err := os.ReadFile(filepath.Join(records[0].Workspace, "src.txt")); err != nil || string(kept) != "fixed\n" {
		t.Errorf("the kept copy: %q, %v", kept, err)
	}
}
