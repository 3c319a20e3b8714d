package task

import (
	"io/fs"
	"regexp"
	"strings"
	"sync"
)

// detectTools finds what the build tools of other languages say, which the Python
// program does not look at.
func detectTools(files, top fs.FS) (cmd, source string) {
	for _, find := range []func(files, top fs.FS) (cmd, source string){rake, rails, rspec, mix, maven, gradle, phpunit, dotnet} {
		if cmd, source = find(files, top); cmd != "" {
			return cmd, source
		}
	}
	return "", ""
}

// testTask is a task named test in a Rakefile: one by hand, or those that the
// libraries of Rake and Minitest make under that name unless they are given another.
var testTask = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^\s*(?:task\s*\(?\s*(?::test\b|["']test["']|test:)|(?:Rake::TestTask|Minitest::TestTask)\.(?:new|create)\b(?:\s*\(?\s*(?:do\b|\{|:test\b|["']test["']|$)))`)
})

func rake(files, top fs.FS) (cmd, source string) {
	for _, name := range []string{"Rakefile", "rakefile", "Rakefile.rb"} {
		if testTask().MatchString(read(files, name)) {
			return bundled(files, top) + "rake test", name + " test task"
		}
	}
	return "", ""
}

// rails: an application's Rakefile loads its tasks from elsewhere.
func rails(files, _ fs.FS) (cmd, source string) {
	if isFile(files, "bin/rails") && isFile(files, "test/test_helper.rb") {
		return "bin/rails test", "bin/rails"
	}
	return "", ""
}

func rspec(files, top fs.FS) (cmd, source string) {
	for _, name := range []string{".rspec", "spec/spec_helper.rb"} {
		if isFile(files, name) {
			return bundled(files, top) + "rspec", name
		}
	}
	return "", ""
}

// bundled is how a program of a Gemfile's gems is started.
func bundled(places ...fs.FS) string {
	for _, files := range places {
		if isFile(files, "Gemfile") {
			return "bundle exec "
		}
	}
	return ""
}

func mix(files, _ fs.FS) (cmd, source string) {
	if isFile(files, "mix.exs") {
		return "mix test", "mix.exs"
	}
	return "", ""
}

func maven(files, _ fs.FS) (cmd, source string) {
	switch {
	case !isFile(files, "pom.xml"):
		return "", ""
	case isFile(files, "mvnw"):
		return "./mvnw -B test", "pom.xml"
	}
	return "mvn -B test", "pom.xml"
}

func gradle(files, _ fs.FS) (cmd, source string) {
	for _, name := range []string{"build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"} {
		switch {
		case !isFile(files, name):
		case isFile(files, "gradlew"):
			return "./gradlew test", name
		default:
			return "gradle test", name
		}
	}
	return "", ""
}

func phpunit(files, _ fs.FS) (cmd, source string) {
	for _, name := range []string{"phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml"} {
		if isFile(files, name) {
			return "vendor/bin/phpunit", name
		}
	}
	return "", ""
}

// dotnet: in a folder with one of these files dotnet takes it, with several it asks.
func dotnet(files, _ fs.FS) (cmd, source string) {
	entries, _ := fs.ReadDir(files, ".")
	var found []string
	for _, e := range entries {
		for _, ending := range []string{".sln", ".slnx", ".csproj", ".fsproj"} {
			if strings.HasSuffix(e.Name(), ending) {
				found = append(found, e.Name())
			}
		}
	}
	if len(found) != 1 {
		return "", ""
	}
	return "dotnet test", found[0]
}
