package setup

import (
	"path"
	"strings"
)

// counts tells whether a file's content is part of the key: what a package manager
// may look at, whether it was seen to read it or not. A file of the top folder
// whose name starts with a dot may be some tool's settings.
func counts(file string) bool {
	dir, name := path.Split(file)
	if dir == "" && strings.HasPrefix(name, ".") {
		return true
	}
	for folder := range strings.SplitSeq(strings.TrimSuffix(dir, "/"), "/") {
		switch folder {
		case "patches", ".yarn", ".cargo", ".bundle", ".mvn", ".config", "requirements":
			return true
		}
	}
	return manifest(name) || settings(name)
}

// manifest knows the files that name dependencies.
func manifest(name string) bool {
	switch name {
	case "package.json", "package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "pnpm-workspace.yaml", "yarn.lock", "bun.lock", "bun.lockb",
		"lerna.json", "rush.json", "bower.json", "deno.json", "deno.jsonc", "deno.lock", "binding.gyp",
		"pyproject.toml", "setup.py", "setup.cfg", "Pipfile", "Pipfile.lock", "poetry.lock", "uv.lock", "pdm.lock", "pixi.lock", "environment.yml",
		"go.mod", "go.sum", "go.work", "go.work.sum", "modules.txt", "Cargo.toml", "Cargo.lock", "Gemfile", "Gemfile.lock", "gems.rb", "gems.locked",
		"composer.json", "composer.lock", "mix.exs", "mix.lock", "rebar.config", "rebar.lock", "Podfile", "Podfile.lock", "Package.resolved", "Package.swift",
		"pom.xml", "build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts", "gradle.properties", "gradle.lockfile",
		"libs.versions.toml", "gradle-wrapper.properties", "packages.lock.json", "Directory.Packages.props", "Directory.Build.props", "global.json", "paket.lock",
		"pubspec.yaml", "pubspec.lock", "cpanfile", "cpanfile.snapshot", "stack.yaml", "stack.yaml.lock", "cabal.project", "shard.yml", "shard.lock", "conanfile.txt", "vcpkg.json":
		return true
	}
	switch path.Ext(name) {
	case ".gemspec", ".podspec", ".csproj", ".fsproj", ".cabal", ".rockspec", ".opam", ".lock":
		return true
	case ".txt", ".in":
		return strings.HasPrefix(name, "requirements") || strings.HasPrefix(name, "constraints")
	}
	return false
}

// settings knows the files that say which versions are used and where from.
func settings(name string) bool {
	switch name {
	case ".npmrc", ".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs", ".pnpmfile.mjs", ".nvmrc", ".node-version", ".python-version", ".ruby-version", ".ruby-gemset",
		".java-version", ".go-version", ".tool-versions", ".mise.toml", "mise.toml", "rust-toolchain", "rust-toolchain.toml", ".sdkmanrc", "pip.conf",
		"nuget.config", "NuGet.Config", "NuGet.config", ".bowerrc", ".condarc":
		return true
	}
	return false
}

// skipped are folders in which nothing is looked for: what is in them was installed.
func skipped(name string) bool {
	switch name {
	case "node_modules", ".venv", "venv", "bower_components", "Pods":
		return true
	}
	return false
}

// dependency tells whether a path is a folder in which package managers put what
// they fetch, or in one. has tells what else the copy has. Folders of what is
// built from the repository's own sources (dist, target, _build) are none.
func dependency(file string, has func(string) bool) bool {
	for at := file; at != "." && at != "/"; at = path.Dir(at) {
		if dependencyFolder(at, has) {
			return true
		}
	}
	return false
}

func dependencyFolder(dir string, has func(string) bool) bool {
	parent, name := path.Split(dir)
	switch name {
	case "node_modules", ".venv", "venv", "bower_components", "jspm_packages", ".pnpm-store", "Pods", ".pnp.cjs", ".pnp.loader.mjs":
		return true
	case "vendor":
		return has(parent+"composer.json") || has(parent+"go.mod")
	case "bundle":
		return path.Base(path.Clean(parent)) == "vendor"
	case "deps":
		return has(parent + "mix.exs")
	case "cache", "unplugged", "install-state.gz":
		return path.Base(path.Clean(parent)) == ".yarn"
	case "config":
		return path.Base(path.Clean(parent)) == ".bundle"
	}
	return false
}
