package seal

import (
	"os"
	"path/filepath"

	"checkrein/internal/proc"
)

// userHome is a new folder with the toolchains and package caches of the user's
// own in it.
func (v *view) userHome() {
	v.private(v.home)
	for _, sub := range cacheFolders() {
		v.cache(filepath.Join(v.home, ".cache", sub))
	}
	for _, sub := range packageFolders() {
		v.cache(filepath.Join(v.home, sub))
	}
	for _, sub := range toolFolders() {
		v.tools(filepath.Join(v.home, sub))
	}
	if gopath := value(v.start.Env, "GOPATH"); filepath.IsAbs(gopath) {
		v.cache(filepath.Join(gopath, "pkg"))
	}
	if cargo := value(v.start.Env, "CARGO_HOME"); filepath.IsAbs(cargo) {
		v.private(cargo)
		v.cache(filepath.Join(cargo, "registry"))
		v.cache(filepath.Join(cargo, "git"))
		v.tools(filepath.Join(cargo, "bin"))
	}
}

// cacheVariable tells whether a variable names a folder that a build writes to.
func cacheVariable(name string) bool {
	switch name {
	case "GOCACHE", "GOMODCACHE", "npm_config_cache", "NPM_CONFIG_CACHE", "PIP_CACHE_DIR", "UV_CACHE_DIR", "YARN_CACHE_FOLDER", "CCACHE_DIR", "SCCACHE_DIR",
		"DENO_DIR", "GEM_HOME", "PLAYWRIGHT_BROWSERS_PATH", "CYPRESS_CACHE_FOLDER", "PUPPETEER_CACHE_DIR", "NUGET_PACKAGES", "COMPOSER_CACHE_DIR":
		return true
	}
	return false
}

// cacheFolders are those of package managers and compilers in a cache folder.
func cacheFolders() []string {
	return []string{
		"go-build", "pip", "uv", "pypoetry", "pdm", "yarn", "pnpm", "node", "deno", "puppeteer", "ms-playwright", "Cypress", "electron", "node-gyp",
		"ccache", "sccache", "bazel", "bazelisk", "coursier", "composer", "pre-commit", "zig", "rebar3", "mix", "ruby-build", "hex",
	}
}

// packageFolders are the package caches of a home folder: exact folders, because
// many lie beside a login (.npmrc, .m2/settings.xml, .cargo/credentials.toml).
func packageFolders() []string {
	return []string{
		"go/pkg", ".npm/_cacache", ".yarn/berry/cache", ".pnpm-store", ".local/share/pnpm", ".cargo/registry", ".cargo/git", ".m2/repository", ".m2/wrapper",
		".gradle/caches", ".gradle/wrapper", ".ivy2/cache", ".sbt/boot", ".nuget/packages", ".gem/ruby", ".bundle/cache", ".hex/packages", ".mix",
		".cabal/packages", ".cabal/store", ".stack/snapshots", ".stack/programs", ".opam", ".pub-cache/hosted", ".bun/install/cache", ".konan",
	}
}

// toolFolders are the toolchains of a home folder.
func toolFolders() []string {
	return []string{
		"go/bin", "sdk", ".local/bin", ".local/lib", ".local/opt", ".local/pipx", ".local/share/claude", ".local/share/uv", ".local/share/mise", ".local/share/fnm",
		".local/share/pipx", ".local/share/virtualenvs", ".local/share/gem", ".local/share/rtx", ".nvm", ".fnm", ".volta", ".n", ".nodenv", ".cargo/bin", ".cargo/env",
		".rustup", ".pyenv", ".rbenv", ".rubies", ".rvm", ".asdf", ".sdkman", ".jenv", ".goenv", ".gvm", ".bun/bin", ".deno/bin", ".npm-global", ".npm-packages",
		".ghcup", ".cabal/bin", ".elan", ".juliaup", ".dotnet", "miniconda3", "anaconda3", "miniforge3", ".miniconda3", ".opencode/bin", ".claude/local",
	}
}

// managerSettings are the settings of package managers, logins to registries
// included: a setup command downloads what the tests need.
func managerSettings() []string {
	return []string{
		".npmrc", ".yarnrc", ".yarnrc.yml", ".config/pnpm", ".config/pip", ".pip", ".config/uv", ".config/pypoetry", ".cargo/config.toml", ".cargo/config",
		".cargo/credentials.toml", ".m2/settings.xml", ".m2/settings-security.xml", ".gradle/gradle.properties", ".gradle/init.d", ".bundle/config",
		".gem/credentials", ".config/composer", ".composer", ".nuget/NuGet", ".config/go", ".hex/hex.config",
	}
}

// own is what the command has of the user's own settings. Files that the command
// may only read are copied later, so that it can change its copy.
func (v *view) own() {
	if v.start.Kind == proc.Setup {
		for _, sub := range managerSettings() {
			v.read(filepath.Join(v.home, sub))
		}
	}
	for _, own := range v.start.Own {
		if dir := filepath.Dir(own.Path); !within(v.home, dir) {
			v.private(dir)
		}
		real, err := filepath.EvalSymlinks(own.Path)
		if err != nil {
			continue
		}
		info, err := os.Stat(real)
		switch {
		case err != nil:
		case own.Write:
			v.add(own.Path, writes, real)
		case info.IsDir() || v.room.dir == "":
			v.add(own.Path, reads, real)
		}
	}
}

// copySettings gives the command its own copy of settings files.
func (v *view) copySettings() error {
	for _, own := range v.start.Own {
		info, err := os.Stat(own.Path)
		if own.Write || v.room.dir == "" || err != nil || !info.Mode().IsRegular() {
			continue
		}
		if err := v.copySetting(own.Path, info.Mode().Perm()|0o600); err != nil {
			return err
		}
	}
	return nil
}

func (v *view) copySetting(path string, mode os.FileMode) error {
	base := v.home
	if !within(base, path) {
		base = filepath.Dir(path)
	}
	rel, err := filepath.Rel(base, path)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil // not readable for the agent either
	}
	return v.writePrivate(base, rel, text, mode)
}

// writePrivate puts a file into a private folder.
func (v *view) writePrivate(base, rel string, text []byte, mode os.FileMode) error {
	to := filepath.Join(v.room.upper(base), "new", rel)
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	return os.WriteFile(to, text, mode)
}
