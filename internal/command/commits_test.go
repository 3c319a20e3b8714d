package command_test

import (
	"testing"

	"checkrein/internal/command"
)

func TestCommits(t *testing.T) {
	for text, want := range map[string]bool{
		`git commit -m "x"`:                                         true,
		`git add -A && git commit -qm x && git push`:                true,
		`git -C dir commit -m x`:                                    true,
		`git -c user.name=x --no-pager commit -m x`:                 true,
		`git --git-dir=.git --work-tree . commit`:                   true,
		"git commit -F - <<'EOF'\nwhat\nEOF":                        true,
		"git commit -m \"$(cat <<'EOF'\nIt's done (1/2\n\nEOF\n)\"": true,
		`bash -c "git commit -am x"`:                                true,
		`jj commit -m x`:                                            true,
		`hg commit -m x`:                                            true,
		`hg ci -m x`:                                                true,
		`GIT_AUTHOR_NAME=x git commit --amend --no-edit`:            true,
		`git commit -m "it's`:                                       true, // can't be read
		``:                                                          false,
		`git log --grep commit`:                                     false,
		`git commit-graph write`:                                    false,
		`git commit --dry-run`:                                      false,
		`git commit --help`:                                         false,
		`echo "git commit -m x"`:                                    false,
		`grep -rn "git commit" docs`:                                false,
		`git show commit`:                                           false,
		`ls ci`:                                                     false,
		`npm ci`:                                                    false,
		`cat commit`:                                                false,
		`echo "commit`:                                              false,
	} {
		if got := command.Commits(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestReads(t *testing.T) {
	for text, want := range map[string]bool{
		"git status":                                 true,
		"git -C x status --short && git log -3":      true,
		"cat a | grep b | sort -u | head -5":         true,
		"ls 2>/dev/null || true":                     true,
		"make_output=$(git diff); echo $make_output": true,
		"timeout 5 git diff 2>&1":                    true,
		`bash -c "git status; ls"`:                   true,
		"find . -name x -exec grep y {} +":           true,
		"for f in *; do wc -l $f; done":              true,
		"sed -n 1,5p x":                              true,
		"gh pr checks 12":                            true,
		"sleep 5; gh run view 1":                     true,
		"[[ -f x ]] && cat x":                        true,
		"git branch":                                 true,
		"git stash list":                             true,
		"":                                           false,
		"make":                                       false,
		"git status; make":                           false,
		"cat a > b":                                  false,
		"cat a >> b":                                 false,
		"git checkout x":                             false,
		"git branch -D x":                            false,
		"git stash":                                  false,
		"sed -i s/a/b/ x":                            false,
		"sort -o x x":                                false,
		"find . -name x -delete":                     false,
		"find . -exec rm {} ;":                       false,
		"ls | xargs rm":                              false,
		"ls | sh":                                    false,
		"bash x.sh":                                  false,
		"echo $(make)":                               false,
		"env A=1 make":                               false,
		"cat \"x":                                    false,
		"curl -X POST x":                             false,
		"gh pr merge 12":                             false,
		"npm test":                                   false,
	} {
		if got := command.Reads(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestTests(t *testing.T) {
	for text, want := range map[string]bool{
		"go test ./...": true,
		"cd x && go test -run Y ./z 2>&1 | tail -50": true,
		"go build ./... && go vet ./...":             true,
		"npm test":                                   true,
		"npm run test:unit -- --watch=false":         true,
		"npm run lint":                               true,
		"pnpm -C web test":                           true,
		"npx vitest run":                             true,
		"npx -y jest":                                true,
		"python -m pytest -x":                        true,
		"python3 -m unittest":                        true,
		"uv run pytest tests":                        true,
		"pytest tests/test_x.py::test_y":             true,
		"cargo test --all":                           true,
		"cargo clippy":                               true,
		"make check":                                 true,
		"make -j8":                                   true,
		"./gradlew :app:test":                        false,
		"./gradlew test":                             true,
		"mvn -q verify":                              true,
		"npx tsc --noEmit":                           true,
		"./run_tests.sh":                             true,
		"bash -c 'cd x; go test ./...'":              true,
		"timeout 60 go test ./...":                   true,
		"cmake --build out":                          true,
		"bundle exec rspec":                          true,
		"node --test":                                true,
		"":                                           false,
		"ls tests":                                   false,
		"cat test.txt":                               false,
		"grep -rn test .":                            false,
		"test -f x":                                  false,
		"[ -f test ]":                                false,
		"git checkout test":                          false,
		`echo "go test ./..."`:                       false,
		"npm install jest":                           false,
		"pip install pytest":                         false,
		"make -n --help":                             false,
		"go test \"./...":                            false,
	} {
		if got := command.Tests(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestLoosensFile(t *testing.T) {
	for path, want := range map[string]bool{
		"/home/me/.local/state/runaway-guard/a.json":  true,
		"/home/me/.local/state/runaway-guard":         true,
		"/home/me/project/.claude/runaway-guard.json": true,
		".claude/runaway-guard.json":                  true,
		"../.local/state/runaway-guard/a.json":        true,
		"/home/me/go/bin/checkrein":                   true,
		`C:\Users\me\.claude\runaway-guard.json`:      true,
		"/home/me/.local/state/other/a.json":          false,
		"/home/me/project/skills/runaway-guard/x.md":  false,
		"/home/me/project/docs/runaway-guard.md":      false,
		"/home/me/project/bin/checkrein":              false,
		"":                                            false,
	} {
		if got := command.LoosensFile(path, guarded()); got != want {
			t.Errorf("%q: %v, want %v", path, got, want)
		}
	}
}

func TestLoosensSettings(t *testing.T) {
	const entry = `"command": "/go/bin/checkrein guard hook --harness claude-code || true"`
	for _, c := range []struct {
		path, old, text string
		want            bool
	}{
		{"/home/me/.claude/settings.json", entry, "", true},
		{"/home/me/.claude/settings.json", entry, `"command": "true"`, true},
		{"/p/.claude/settings.local.json", `{`, `{"disableAllHooks": true`, true},
		{"/p/.claude/settings.json", "{}", `{"env": {"RUNAWAY_GUARD_OFF": "1"}}`, true},
		{"/home/me/.codex/hooks.json", entry, "", true},
		{"/home/me/.codex/config.toml", entry, "x", true},
		{"/home/me/.claude/settings.json", entry, entry + ",\n" + `"timeout": 10`, false},
		{"/home/me/.claude/settings.json", `"model": "x"`, `"model": "y"`, false},
		{"/home/me/.claude/settings.json", `{"disableAllHooks": true`, `{"disableAllHooks": false`, false},
		{"/home/me/.claude/settings.json", "", `{"hooks": {}}`, false},
		{"/p/docs/settings.json", entry, "", false},
		{"/p/docs/GUARD.md", entry, "", false},
		{"/p/config.toml", entry, "", false},
	} {
		if got := command.LoosensSettings(c.path, c.old, c.text, guarded()); got != c.want {
			t.Errorf("%s, %q to %q: %v, want %v", c.path, c.old, c.text, got, c.want)
		}
	}
}
