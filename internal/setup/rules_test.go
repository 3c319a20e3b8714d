package setup

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWhatCounts(t *testing.T) {
	for file, want := range map[string]bool{
		"package.json": true, "packages/a/package.json": true, "pnpm-lock.yaml": true, "api/requirements-dev.txt": true, "Gemfile.lock": true,
		".npmrc": true, "web/.npmrc": true, ".tool-versions": true, ".unheard-of": true, "patches/x+1.0.0.patch": true, ".yarn/releases/yarn.cjs": true,
		"go.sum": true, "lib/x.gemspec": true, "flake.lock": true, "requirements/base.txt": true, "web/.unheard-of": false,
		"src/index.js": false, "README.md": false, "test/a.test.js": false, "notes.txt": false, "src/package.go": false,
	} {
		if got := counts(file); got != want {
			t.Errorf("%s counts: %v", file, got)
		}
	}
}

func TestDependencyFolders(t *testing.T) {
	has := func(file string) bool { return slices.Contains([]string{"php/composer.json", "mix.exs"}, file) }
	for file, want := range map[string]bool{
		"node_modules": true, "packages/a/node_modules/x/index.js": true, ".venv/bin/python": true, "vendor/bundle/ruby": true, "php/vendor/autoload.php": true,
		"deps/jason": true, ".yarn/cache/x.zip": true, ".pnp.cjs": true, ".bundle/config": true,
		"vendor/x": false, "vendor": false, "sub/deps/x": false, "_build/dev": false, "dist/index.js": false, "target/debug": false, "cache/x": false, "node_modules.txt": false,
	} {
		if got := dependency(file, has); got != want {
			t.Errorf("%s is a dependency: %v", file, got)
		}
	}
}

// A change of anything that a setup may depend on is another key.
func TestKey(t *testing.T) {
	base := func() facts {
		return facts{Format: 1, Command: "npm ci", OS: []string{"linux"}, User: 1, Env: []string{"CI=1"}, Tools: []string{"node 20"}, Files: []input{{"package.json", "a"}}}
	}
	key := func(change func(*facts)) string {
		f := base()
		change(&f)
		k, err := f.key()
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	same := key(func(*facts) {})
	if same != key(func(*facts) {}) || len(same) != 32 {
		t.Errorf("the same facts have the keys %s and %s", same, key(func(*facts) {}))
	}
	for name, change := range map[string]func(*facts){
		"command": func(f *facts) { f.Command = "npm install" }, "sealed": func(f *facts) { f.Sealed = "sealed" }, "system": func(f *facts) { f.OS[0] = "darwin" },
		"user": func(f *facts) { f.User = 2 }, "variable": func(f *facts) { f.Env[0] = "CI=2" }, "toolchain": func(f *facts) { f.Tools[0] = "node 22" },
		"lock file": func(f *facts) { f.Files[0].Hash = "b" }, "new manifest": func(f *facts) { f.Files = append(f.Files, input{"a/package.json", "a"}) },
		"moved manifest": func(f *facts) { f.Files[0].Path = "b/package.json" }, "format": func(f *facts) { f.Format++ },
	} {
		if key(change) == same {
			t.Errorf("another %s has the same key", name)
		}
	}
	if diff := cmp.Diff([]string{"A=1", "B=2"}, lasting([]string{"TERM=x", "B=2", "PWD=/x", "A=1", "A=1"})); diff != "" {
		t.Errorf("the environment that counts (-want +got):\n%s", diff)
	}
}

func TestJudge(t *testing.T) {
	has := func(file string) bool {
		return slices.Contains([]string{"package.json", "packages/a", "src", ".git/config"}, file)
	}
	type want struct {
		scope  scope
		roots  []string
		edited []string
	}
	for name, c := range map[string]struct {
		changes []change
		want    want
	}{
		"nothing":            {nil, want{scope: sameKey}},
		"node_modules":       {[]change{{"node_modules", added}, {"node_modules/x", added}, {"packages/a/node_modules", added}}, want{sameKey, []string{"node_modules", "packages/a/node_modules"}, nil}},
		"gems":               {[]change{{"vendor", added}, {"vendor/bundle", added}, {"vendor/bundle/x", added}}, want{sameKey, []string{"vendor"}, nil}},
		"gems and more":      {[]change{{"vendor", added}, {"vendor/bundle", added}, {"vendor/x", added}}, want{sameTree, []string{"vendor"}, nil}},
		"a build":            {[]change{{"dist", added}, {"dist/x", added}, {"node_modules", added}}, want{sameTree, []string{"dist", "node_modules"}, nil}},
		"an empty folder":    {[]change{{"logs", added}}, want{sameTree, []string{"logs"}, nil}},
		"an edit":            {[]change{{"src/version.js", edited}}, want{sameTree, nil, []string{"src/version.js"}}},
		"into sources":       {[]change{{"src/gen.js", added}}, want{sameTree, []string{"src/gen.js"}, nil}},
		"a removal":          {[]change{{"node_modules", added}, {"package-lock.json", removed}}, want{scope: never}},
		"git settings":       {[]change{{".git/config", edited}, {"node_modules", added}}, want{sameKey, []string{"node_modules"}, []string{".git/config"}}},
		"other parts of git": {[]change{{".git/refs/heads/x", added}}, want{scope: never}},
		"a commit":           {[]change{{".git/HEAD", edited}}, want{scope: never}},
	} {
		got := judge(c.changes, has)
		if diff := cmp.Diff(c.want, want{got.scope, got.roots, got.edited}, cmp.AllowUnexported(want{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
