package skills_test

import (
	"io/fs"
	"path"
	"regexp"
	"strings"
	"testing"

	"checkrein/skills"
)

// fields reads the front matter: top-level keys, folded and quoted values. It is
// no YAML reader; the skills keep to what it knows.
func fields(t *testing.T, text string) (front map[string]string, body string) {
	t.Helper()
	rest, ok := strings.CutPrefix(text, "---\n")
	head, body, ends := strings.Cut(rest, "\n---\n")
	if !ok || !ends {
		t.Fatal("it does not start with front matter")
	}
	front = map[string]string{}
	key := ""
	for line := range strings.Lines(head) {
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, "  ") {
			front[key] = strings.TrimSpace(front[key] + " " + strings.TrimSpace(line))
			continue
		}
		name, value, ok := strings.Cut(line, ":")
		if !ok {
			t.Fatalf("front matter: %q", line)
		}
		key = name
		front[key] = strings.Trim(strings.TrimSuffix(strings.TrimSpace(value), ">-"), `"`)
	}
	return front, body
}

// TestFrontMatter holds the skills to the limits of the Agent Skills format
// (agentskills.io/specification), which agents refuse a skill for.
func TestFrontMatter(t *testing.T) {
	found := 0
	for _, dir := range folders(t) {
		found++
		front, body := fields(t, read(t, dir+"/SKILL.md"))
		for key := range front {
			switch key {
			case "name", "description", "license", "compatibility", "metadata":
			default:
				t.Errorf("%s: the format has no %s", dir, key)
			}
		}
		if !regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`).MatchString(front["name"]) || front["name"] != dir || len(dir) > 64 {
			t.Errorf("%s: name %q", dir, front["name"])
		}
		if n := len(front["description"]); n < 100 || n > 1024 || !strings.Contains(front["description"], "Use when") {
			t.Errorf("%s: a description of %d characters: %q", dir, n, front["description"])
		}
		if n := len(front["compatibility"]); n == 0 || n > 500 {
			t.Errorf("%s: compatibility has %d characters", dir, n)
		}
		if front["license"] != "MIT" {
			t.Errorf("%s: license %q", dir, front["license"])
		}
		if n := strings.Count(body, "\n"); n > 500 {
			t.Errorf("%s: SKILL.md has %d lines; what is rarely needed belongs into references/", dir, n)
		}
	}
	if found != 2 {
		t.Errorf("%d skills", found)
	}
}

// TestReferences: SKILL.md names every page, and every page that is named is there.
func TestReferences(t *testing.T) {
	name := regexp.MustCompile("`(references/[^`]+)`")
	for _, dir := range folders(t) {
		text := read(t, dir+"/SKILL.md")
		for _, m := range name.FindAllStringSubmatch(text, -1) {
			read(t, dir+"/"+m[1])
		}
		pages, err := fs.Glob(skills.Files, dir+"/references/*")
		if err != nil || len(pages) == 0 {
			t.Errorf("%s has no pages: %v", dir, err)
		}
		for _, page := range pages {
			if !strings.Contains(text, "`references/"+path.Base(page)+"`") {
				t.Errorf("%s/SKILL.md does not name %s", dir, page)
			}
		}
	}
}

func folders(t *testing.T) []string {
	t.Helper()
	entries, err := skills.Files.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := skills.Files.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
