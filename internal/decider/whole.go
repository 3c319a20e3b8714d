package decider

import (
	"path"
	"slices"
	"strings"
)

// Whole tells whether a file decides with all that is in it. had says whether a
// file or folder was there when the agent began. A path below one that decides
// does so, too: a folder can stand in a file's place.
func Whole(file string, had func(path string) bool) bool {
	for at, b := range file + "/" {
		if b == '/' && (whole(file[:at], file) || shadows(file[:at], file, had)) {
			return true
		}
	}
	return hidesMakefile(file, had) || vendored(file, had)
}

// Lock tells whether a file is a lock file or holds checksums.
func Lock(file string) bool {
	name := path.Base(file)
	return lockFile(name) || name == "go.sum"
}

func whole(part, file string) bool {
	name := path.Base(part)
	if _, ok := formatOf(part); ok && len(part) < len(file) {
		return true
	}
	return ciFile(part, name) || lockFile(name) || packageManager(name) || runner(name) || toolchain(part, name)
}

func ciFile(file, name string) bool {
	switch name {
	case ".gitlab-ci.yml", ".travis.yml", ".cirrus.yml", ".drone.yml", ".woodpecker.yml", ".appveyor.yml", "appveyor.yml",
		"azure-pipelines.yml", "bitbucket-pipelines.yml", "Jenkinsfile", ".circleci", ".buildkite", ".woodpecker", ".gitlab-ci":
		return true
	}
	return file == ".github/workflows" || file == ".github/actions" || file == ".gitlab/ci"
}

func lockFile(name string) bool {
	switch name {
	case "package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock", "bun.lockb", "deno.lock",
		"poetry.lock", "uv.lock", "pdm.lock", "Pipfile.lock", "pixi.lock", "pylock.toml", "Cargo.lock", "Gemfile.lock", "gems.locked",
		"composer.lock", "mix.lock", "packages.lock.json", "gradle.lockfile", "buildscript-gradle.lockfile", "Package.resolved",
		"go.work.sum", "rebar.lock", "flake.lock":
		return true
	}
	return false
}

// packageManager knows settings of what installs and starts: they can put another
// shell, registry or program in the place of the usual one.
func packageManager(name string) bool {
	switch name {
	case ".npmrc", ".yarnrc", ".yarnrc.yml", ".yarn", ".pnpmfile.cjs", ".pnpmfile.mjs", "pnpmfile.js", "pnpm-workspace.yaml", ".pnp.cjs",
		".pnp.js", ".pnp.loader.mjs", "bunfig.toml", "lerna.json", "nx.json", "turbo.json", "rush.json", "uv.toml", "pip.conf", ".bundle",
		"NuGet.Config", "nuget.config", "Directory.Packages.props":
		return true
	}
	return strings.HasPrefix(name, ".env") && !environmentSample(name)
}

func environmentSample(name string) bool {
	rest := strings.TrimPrefix(name, ".env")
	if rest != "" && rest[0] != '.' && rest != "rc" {
		return true // another word
	}
	for _, word := range []string{"example", "sample", "template", "dist"} {
		if strings.HasSuffix(rest, word) {
			return true
		}
	}
	return false
}

// runner knows settings of test runners, and what they load by itself, beyond
// those that class.go of package task calls tests.
func runner(name string) bool {
	switch name {
	case "conftest.py", "sitecustomize.py", "usercustomize.py", "noxfile.py", "pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml",
		"tox.ini", "tox.toml", "hatch.toml", ".coveragerc", "nose.cfg", ".noserc", "unittest.cfg", "nose2.cfg", "behave.ini", ".behaverc",
		".rspec", ".rspec-local", "Rakefile", "rakefile", "Rakefile.rb", "rakelib", ".simplecov", "phpunit.xml", "phpunit.xml.dist",
		"phpunit.dist.xml", "codeception.yml", "behat.yml", ".taprc", "testem.js", "testem.json", "Taskfile.yml", "Taskfile.yaml",
		"Taskfile.dist.yml", "Taskfile.dist.yaml", "nextest.toml", "xunit.runner.json", "CTestTestfile.cmake",
		"CTestCustom.cmake", "CTestConfig.cmake", ".bazelrc":
		return true
	}
	if strings.HasSuffix(name, ".pth") || strings.HasSuffix(name, ".runsettings") {
		return true
	}
	stem, rest, dotted := strings.Cut(strings.TrimPrefix(name, "."), ".")
	switch stem {
	case "mocharc", "nycrc", "c8rc", "swcrc", "babelrc":
		return name[0] == '.'
	case "jest", "vitest", "vite", "ava", "karma", "playwright", "cypress", "nyc", "babel", "wdio", "jasmine", "qunit", "ember-cli-build":
		return dotted && slices.ContainsFunc(strings.Split(rest, "."), settingsWord) // jest.unit.config.js, too
	case "setupTests", "setup-tests", "jest-setup", "vitest-setup", "test-setup", "setup-jest", "setup-vitest":
		return dotted
	}
	return false
}

func settingsWord(word string) bool {
	switch word {
	case "config", "conf", "setup", "preset", "workspace", "projects":
		return true
	}
	return false
}

// toolchain knows what chooses the compiler, the interpreter or the build tool.
func toolchain(file, name string) bool {
	switch name {
	case "rust-toolchain", "rust-toolchain.toml", "go.work", ".mvn", "mvnw", "mvnw.cmd", "gradlew", "gradlew.bat",
		"gradle.properties", "Directory.Build.props", "Directory.Build.targets", "Directory.Build.rsp", "global.json",
		".node-version", ".nvmrc", ".tool-versions", "mise.toml", ".mise.toml", ".python-version", ".ruby-version", ".java-version",
		".sdkmanrc":
		return true
	}
	dir := path.Base(path.Dir(file))
	return dir == ".cargo" && strings.HasPrefix(name, "config") || dir == "gradle" && name == "wrapper"
}

// shadows tells whether a new file or folder stands where the name of a test
// runner is looked for first: Python's and Ruby's programs look in the folder
// they are started in, in src and in lib.
func shadows(part, file string, had func(string) bool) bool {
	dir, name := path.Split(part)
	if dir != "" && dir != "src/" && dir != "lib/" {
		return false
	}
	stem := strings.TrimSuffix(name, path.Ext(name))
	return runnerModule(stem, path.Ext(name), path.Ext(file)) && !had(dir+stem) && !had(dir+stem+".py") && !had(dir+stem+".rb")
}

// runnerModule knows the modules of test runners. ext is that of a module in one
// file, and inside that of a file in a module's folder.
func runnerModule(stem, ext, inside string) bool {
	switch stem {
	case "pytest", "_pytest", "pluggy", "iniconfig", "unittest", "unittest2", "doctest", "nose", "nose2", "tox", "nox", "coverage",
		"hypothesis", "xmlrunner", "runpy", "behave":
		return ext == ".py" || ext == ".so" || ext == "" && (inside == ".py" || inside == ".so")
	case "rspec", "minitest":
		return ext == ".rb" || ext == "" && inside == ".rb"
	case "rake", "bundler", "simplecov":
		return ext == ".rb"
	}
	return false
}

// hidesMakefile tells whether a new make file goes before one that was there.
func hidesMakefile(file string, had func(string) bool) bool {
	dir, name := path.Split(file)
	if !isMake(name) || had(file) {
		return false
	}
	for _, other := range []string{"GNUmakefile", "makefile", "Makefile", "justfile", "Justfile", ".justfile"} {
		if other != name && had(dir+other) && strings.HasSuffix(strings.ToLower(other), "makefile") == strings.HasSuffix(strings.ToLower(name), "makefile") {
			return true
		}
	}
	return false
}
