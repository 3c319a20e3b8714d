package decider

import (
	"path"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// TestScripts are the lines of those scripts of a package.json whose names speak
// of tests.
func TestScripts(manifest []byte) string {
	var doc struct {
		Scripts map[string]string `json:"scripts"`
	}
	if json.Unmarshal(manifest, &doc, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) != nil {
		return ""
	}
	var lines []string
	for name, line := range doc.Scripts {
		if name == "pretest" || name == "posttest" || slices.ContainsFunc(humps(name), testWord) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// Called tells whether a test command starts a file as its script, or names it to
// a test runner as its settings. A program of an interpreter (node x.js) counts
// when its name speaks of tests: it can be the code under test otherwise.
func Called(line, file string) bool {
	elsewhere := strings.Contains(line, "cd ")
	for _, simple := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune("&|;()\n", r) }) {
		words := commandWords(simple)
		for i, word := range words {
			name := path.Clean(word)
			if (name == file || elsewhere && strings.HasSuffix(file, "/"+name)) && (starts(words[:i], word) || configures(words[:i], word)) {
				return true
			}
		}
	}
	return false
}

// commandWords are the words of a command, without quotes and variables, and with
// flags apart from their values.
func commandWords(text string) (out []string) {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\r'\"`", r) }) {
		name, value, joined := strings.Cut(word, "=")
		switch {
		case !joined:
			out = append(out, word)
		case strings.HasPrefix(name, "-"):
			out = append(out, name, value)
		}
	}
	return out
}

// starts tells whether a word behind others is the script that they start.
func starts(before []string, word string) bool {
	program := "sh"
	for _, w := range before {
		if !launcher(w) && !strings.HasPrefix(w, "-") {
			return false
		}
		if launcher(w) {
			program = w
		}
	}
	if shell(program) {
		return len(before) > 0 || strings.Contains(word, "/")
	}
	stem := strings.TrimSuffix(path.Base(word), path.Ext(word))
	return slices.ContainsFunc(humps(stem), testWord)
}

func shell(name string) bool {
	switch path.Base(name) {
	case "sh", "bash", "dash", "zsh", "ksh", "fish", "env", "exec", "time", "source", ".":
		return true
	}
	return false
}

func launcher(name string) bool {
	switch path.Base(name) {
	case "node", "tsx", "ts-node", "bun", "deno", "run", "python", "python3", "ruby", "perl", "php", "pwsh", "lua", "Rscript":
		return true
	}
	return shell(name)
}

// configures tells whether a word is the settings that a runner's flag names.
func configures(before []string, word string) bool {
	if len(before) < 2 {
		return false
	}
	switch before[len(before)-1] {
	case "-c", "--config", "--configFile", "--rcfile", "--opts", "--configuration", "--setupFiles", "--setupFilesAfterEnv", "--globalSetup",
		"--globalTeardown", "--testRunner", "--runner", "--transform", "--reporter", "--reporters", "--env-file":
	default:
		return false
	}
	return path.Ext(word) != "" && slices.ContainsFunc(before, testRunner)
}

func testRunner(word string) bool {
	switch name := path.Base(word); name {
	case "karma", "playwright", "cypress", "wdio", "jasmine", "qunit", "nyc", "c8", "node", "behave", "behat", "codecept", "nose2":
		return true
	default:
		return testWord(name)
	}
}
