package setup

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"checkrein/internal/proc"
)

// format is the version of what is kept and of the rules for it.
const format = 1

// facts are what a setup depends on, seen or not.
type facts struct {
	Format  int
	Command string
	Sealed  string // how, "" for not
	OS      []string
	User    int
	Env     []string
	Tools   []string
	Files   []input
}

// input is one path of a copy and what it holds.
type input struct {
	Path string `json:"path"`
	Hash string `json:"hash"`
}

// key is the same for copies in which a setup command finds the same manifests.
func (c *Cache) key(dir string, cmd proc.Command) (string, error) {
	files, err := manifestsIn(dir)
	if err != nil {
		return "", err
	}
	sealed := ""
	if c.outside != nil {
		sealed = "sealed " + c.outside.Manner()
	}
	return facts{
		Format: format, Command: cmd.Shell, Sealed: sealed, OS: system(), User: os.Geteuid(),
		Env: lasting(cmd.Env), Tools: tools(cmd.Env), Files: files,
	}.key()
}

func (f facts) key() (string, error) {
	text, err := json.Marshal(f, json.Deterministic(true))
	return digest(text)[:32], err
}

// digest is the hash of a text in hex digits.
func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// manifestsIn reads every file of a copy that counts.
func manifestsIn(dir string) (files []input, err error) {
	err = filepath.WalkDir(dir, func(full string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel := relative(dir, full)
		switch {
		case d.IsDir() && (rel == ".git" || skipped(d.Name())):
			return fs.SkipDir
		case d.IsDir() || !counts(rel):
			return nil
		}
		sum, err := content(full)
		files = append(files, input{rel, sum})
		return err
	})
	return files, err
}

func relative(dir, full string) string {
	return filepath.ToSlash(strings.TrimPrefix(strings.TrimPrefix(full, dir), string(filepath.Separator)))
}

// content is the hash of what a path holds: a file's bytes and whether it can be
// run, where a link leads, the names in a folder.
func content(full string) (string, error) {
	info, err := os.Lstat(full)
	if err != nil {
		return "", err
	}
	switch info.Mode().Type() {
	case fs.ModeSymlink:
		to, err := os.Readlink(full)
		return digest([]byte("link " + to)), err
	case fs.ModeDir:
		entries, err := os.ReadDir(full)
		return listing(entries, nil), err
	case 0:
		text, err := os.ReadFile(full)
		return digest(append([]byte("file "+executable(info)), text...)), err
	}
	return "special " + info.Mode().Type().String(), nil
}

func executable(info fs.FileInfo) string {
	if info.Mode().Perm()&0o100 != 0 {
		return "x\n"
	}
	return "\n"
}

// listing is the hash of the names in a folder, without some.
func listing(entries []fs.DirEntry, without func(name string) bool) string {
	var text strings.Builder
	for _, e := range entries {
		if without == nil || !without(e.Name()) {
			text.WriteString(e.Type().String() + e.Name() + "\x00")
		}
	}
	return digest([]byte("folder " + text.String()))
}

// system names the operating system.
func system() []string {
	release, _ := os.ReadFile("/etc/os-release") // missing elsewhere than on Linux
	return []string{runtime.GOOS, runtime.GOARCH, digest(release)}
}

// lasting is an environment without what differs between terminals.
func lasting(env []string) []string {
	out := slices.DeleteFunc(slices.Clone(env), func(entry string) bool {
		switch name, _, _ := strings.Cut(entry, "="); name {
		case "TERM", "COLORTERM", "NO_COLOR", "PWD", "SHLVL", "_":
			return true
		}
		return false
	})
	slices.Sort(out)
	return slices.Compact(out)
}

// tools are the programs that a setup may use, as they are now. A shim is the same
// whatever version it starts, so the files count in which version managers keep
// their choice, and so do the user's settings of package managers.
func tools(env []string) (out []string) {
	for _, name := range []string{
		"sh", "node", "npm", "npx", "yarn", "yarnpkg", "pnpm", "bun", "deno", "corepack", "python", "python3", "pip", "pip3", "uv", "poetry", "pipenv", "pdm",
		"ruby", "gem", "bundle", "go", "cargo", "rustc", "java", "mvn", "gradle", "php", "composer", "elixir", "mix", "erl", "dotnet", "make", "cmake", "gcc",
		"cc", "g++", "clang", "swift", "pod", "dart", "perl", "cpanm", "git",
	} {
		if at := lookUp(name, value(env, "PATH")); at != "" {
			out = append(out, stamp(at))
		}
	}
	home := value(env, "HOME")
	for _, name := range []string{
		".pyenv/version", ".rbenv/version", ".nodenv/version", ".goenv/version", ".jenv/version", ".tool-versions", ".config/mise/config.toml",
		".rustup/settings.toml", ".volta/tools/user/platform.json", ".nvm/alias/default", ".asdfrc", ".default-npm-packages", ".npmrc", ".yarnrc", ".yarnrc.yml",
		".config/pip/pip.conf", ".pip/pip.conf", ".config/uv/uv.toml", ".config/pypoetry/config.toml", ".cargo/config.toml", ".bundle/config", ".gemrc",
		".m2/settings.xml", ".gradle/gradle.properties", ".config/composer/config.json", ".config/go/env", ".config/pnpm/rc",
	} {
		if home != "" {
			out = append(out, stamp(filepath.Join(home, name)))
		}
	}
	return out
}

// stamp is a file's identity without its content; "" for one that is not there.
func stamp(file string) string {
	real, err := filepath.EvalSymlinks(file)
	if err != nil {
		return ""
	}
	info, err := os.Stat(real)
	if err != nil {
		return ""
	}
	text, _ := json.Marshal([]any{file, real, info.Size(), info.ModTime().UnixNano()}) // strings and numbers can't fail
	return string(text)
}

func lookUp(name, list string) string {
	for _, dir := range filepath.SplitList(list) {
		at := filepath.Join(dir, name)
		if info, err := os.Stat(at); err == nil && filepath.IsAbs(dir) && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0 {
			return at
		}
	}
	return ""
}

func value(env []string, name string) string {
	for _, entry := range slices.Backward(env) {
		if val, ok := strings.CutPrefix(entry, name+"="); ok {
			return val
		}
	}
	return ""
}
