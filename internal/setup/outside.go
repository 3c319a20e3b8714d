package setup

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Without a wall a setup may install into the user's home or into the system, where
// it is not ours to keep and where the next setup may change it again. installed
// describes the places where package managers do that: a result is used only while
// they are as they were when it was made, and not kept when it changed them.
// Behind a wall, what a setup wrote outside the copy is a part of the result.

// installed is the hash of the names in those places; "" behind a wall.
func (c *Cache) installed() string {
	if c.outside != nil {
		return ""
	}
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
