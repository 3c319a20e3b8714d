package setup

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Outside the copy, a setup finds what the user has installed, and leaves alone what
// is there already. Without a wall it may also install there itself, where it is not
// ours to keep and where the next setup may change it again.
//
// So a result is used only while those places are as they were when it was made, and
// none is kept when they changed meanwhile. Package caches only grow, as a rule: what
// was in them must still be there. Behind a wall, what a setup wrote outside is a part
// of the result.

// installed is the hash of the names in the places where package managers install.
func installed() string {
	home, _ := os.UserHomeDir() // without one there is less to look at
	var text strings.Builder
	for _, pattern := range installPlaces(home, os.Getenv("PATH"), os.Getenv("GEM_HOME")) {
		found, _ := filepath.Glob(pattern) // the patterns are well-formed
		for _, dir := range found {
			describe(&text, dir)
		}
	}
	return digest([]byte(text.String()))
}

func describe(text *strings.Builder, dir string) {
	entries, _ := os.ReadDir(dir) // what can't be read can't have changed by us
	for _, e := range entries {
		if e.Name() == "__pycache__" {
			continue
		}
		if info, err := e.Info(); err == nil {
			text.WriteString(dir + "/" + e.Name() + " " + strconv.FormatInt(info.ModTime().UnixNano(), 10) + "\x00")
		}
	}
}

func installPlaces(home, list, gems string) (out []string) {
	prefixes := []string{"/usr", "/usr/local", "/opt/homebrew", filepath.Join(home, ".local"), filepath.Join(home, ".npm-global")}
	for _, dir := range filepath.SplitList(list) {
		if filepath.Base(dir) == "bin" {
			prefixes = append(prefixes, filepath.Dir(dir))
		}
	}
	for _, of := range []string{".pyenv/versions/*", ".nvm/versions/node/*", ".rbenv/versions/*", ".volta/tools/image/*/*", ".asdf/installs/*/*", ".local/share/mise/installs/*/*"} {
		prefixes = append(prefixes, filepath.Join(home, of))
	}
	slices.Sort(prefixes)
	for _, prefix := range slices.Compact(prefixes) {
		for _, of := range []string{"lib/python*/site-packages", "lib/python*/dist-packages", "lib/node_modules", "lib/ruby/gems/*/gems"} {
			out = append(out, filepath.Join(prefix, of))
		}
	}
	for _, of := range []string{".local/bin", ".cargo/bin", "go/bin", ".gem/ruby/*/gems", ".local/share/gem/ruby/*/gems", ".mix/archives", ".composer/vendor", ".config/composer/vendor", ".dotnet/tools", ".pub-cache/bin"} {
		out = append(out, filepath.Join(home, of))
	}
	out = append(out, "/usr/local/bin", "/var/lib/gems/*/gems")
	if gems != "" {
		out = append(out, filepath.Join(gems, "gems"))
	}
	return out
}

// errMany is too long a list of packages to be kept.
var errMany = errors.New("the package caches hold too much")

const maxPackages = 50_000

// packages are the packages in the caches that programs are run from. Caches of
// downloads are not among them: what was installed from them is a copy.
func packages(env []string) (out []string, err error) {
	for dir, depth := range packageCaches(env) {
		if err := below(dir, depth, &out); err != nil {
			return nil, err
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// packageCaches maps folders to how deep the names of packages lie.
func packageCaches(env []string) map[string]int {
	home, out := value(env, "HOME"), map[string]int{}
	add := func(base string, depths map[string]int) {
		for sub, depth := range depths {
			if filepath.IsAbs(base) {
				out[filepath.Join(base, sub)] = depth
			}
		}
	}
	add(home, map[string]int{
		"go/pkg/mod": 4, ".cargo/registry/src": 2, ".cargo/git/checkouts": 2, ".m2/repository": 4, ".gradle/caches": 4, ".gradle/wrapper": 2, ".ivy2/cache": 2,
		".nuget/packages": 2, ".gem/ruby": 3, ".hex/packages": 2, ".mix": 3, ".cabal/packages": 2, ".cabal/store": 2, ".stack/snapshots": 3, ".stack/programs": 2,
		".opam": 3, ".pub-cache/hosted": 2, ".konan": 1, ".local/share/virtualenvs": 1, ".local/share/pnpm": 3, ".cache/ms-playwright": 1, ".cache/puppeteer": 2, ".cache/Cypress": 2,
		".cache/electron": 1, ".cache/deno": 2, ".cache/coursier": 4, ".cache/pypoetry/virtualenvs": 1, ".cache/pre-commit": 1, ".local/share/uv": 3,
	})
	add(value(env, "GOPATH"), map[string]int{"pkg/mod": 4})
	add(value(env, "GOMODCACHE"), map[string]int{"": 4})
	add(value(env, "CARGO_HOME"), map[string]int{"registry/src": 2, "git/checkouts": 2})
	add(value(env, "GRADLE_USER_HOME"), map[string]int{"caches": 4})
	add(value(env, "NUGET_PACKAGES"), map[string]int{"": 2})
	add(value(env, "PLAYWRIGHT_BROWSERS_PATH"), map[string]int{"": 1})
	return out
}

// below lists what is in a folder, down to a depth.
func below(dir string, depth int, out *[]string) error {
	entries, _ := os.ReadDir(dir) // what can't be read is not there for a setup either
	for _, e := range entries {
		full := filepath.Join(dir, e.Name())
		if *out = append(*out, full); len(*out) > maxPackages {
			return errMany
		}
		if depth > 1 && e.IsDir() {
			if err := below(full, depth-1, out); err != nil {
				return err
			}
		}
	}
	return nil
}

// stand tells whether paths are still there.
func stand(paths []string) bool {
	return !slices.ContainsFunc(paths, func(path string) bool {
		_, err := os.Lstat(path)
		return err != nil
	})
}
