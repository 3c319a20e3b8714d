package decider

import (
	"slices"
	"strconv"
	"strings"
)

// tomlFormat reads TOML; rules are the dotted paths below which everything
// decides. A * stands for any one key, and a key that ends in * for its starts.
func tomlFormat(rules []string) format {
	return format{
		split:   func(text []byte) ([]part, bool) { return splitTOML(text, rules) },
		decides: func(name string) bool { return strings.HasPrefix(name, decided) },
		show: func(name string) string {
			return "[" + strings.Trim(strings.ReplaceAll(name, "\x01", " "), decided) + "]"
		},
	}
}

// decided marks the names of parts that decide, so that none which merely looks
// like one does.
const decided = "\x00"

func pyproject() []string {
	return []string{
		"tool.pytest*", "tool.tox", "tool.nox", "tool.coverage", "tool.unittest", "tool.nose2", "tool.ward", "tool.behave",
		"tool.hatch.envs", "tool.poe", "tool.taskipy", "tool.pdm.scripts", "tool.pdm.resolution", "tool.rye.scripts", "tool.pixi.tasks",
		"tool.pixi.feature.*.tasks", "tool.uv.sources", "tool.uv.override-dependencies",
		"project.optional-dependencies.test*", "dependency-groups.test*", "project.entry-points.pytest11", "tool.poetry.plugins.pytest11",
	}
}

func cargo() []string {
	return []string{
		"test", "bench", "lib.test", "lib.harness", "lib.doctest", "bin.test", "bin.harness", "example.test", "example.harness",
		"dev-dependencies", "target.*.dev-dependencies", "package.autotests", "package.autobenches", "profile.test", "patch", "replace",
		"workspace.members", "workspace.exclude", "workspace.default-members",
	}
}

func scripts() []string { return []string{"scripts", "tasks", "feature.*.tasks"} }

// below tells whether a path is at or below a rule's, and above whether a rule's
// is below the path.
func below(rules []string, path []string) bool {
	return slices.ContainsFunc(rules, func(rule string) bool {
		keys := strings.Split(rule, ".")
		return len(path) >= len(keys) && fits(keys, path)
	})
}

func above(rules []string, path []string) bool {
	return slices.ContainsFunc(rules, func(rule string) bool {
		keys := strings.Split(rule, ".")
		return len(path) < len(keys) && fits(keys, path)
	})
}

// fits compares as many keys as both have.
func fits(rule, path []string) bool {
	for i := range min(len(rule), len(path)) {
		start, open := strings.CutSuffix(rule[i], "*")
		if open && !strings.HasPrefix(path[i], start) || !open && rule[i] != path[i] {
			return false
		}
	}
	return true
}

// splitTOML cuts a text into statements. A table that decides is one part with all
// that is in it; of other tables each key is one. Comments and blank lines
// between statements belong to nobody.
func splitTOML(text []byte, rules []string) ([]part, bool) {
	t := tomlText{text: string(text)}
	var parts []part
	var table []string
	whole := false // the table decides
	count := map[string]int{}
	for t.at < len(t.text) {
		from := t.at
		kind, path, ok := t.statement()
		if !ok {
			return nil, false
		}
		piece := text[from:t.at:t.at] // adding to it must not write into the text
		switch {
		case kind == tomlBlank:
			parts = append(parts, part{text: piece})
		case kind == tomlTable || kind == tomlArray:
			table, whole = path, below(rules, path)
			if kind == tomlArray && !whole { // each entry by its number
				count[dotted(path)]++
				table = append(slices.Clone(path[:len(path)-1]), path[len(path)-1]+"\x01"+strconv.Itoa(count[dotted(path)]))
			}
			parts = append(parts, part{name: tomlName(whole, path), text: piece})
		case whole:
			parts = appendTo(parts, tomlName(true, table), piece)
		default:
			full := append(slices.Clone(table), path...)
			plain := unnumbered(full)
			is := below(rules, plain) || t.inline && above(rules, plain)
			parts = append(parts, part{name: tomlName(is, full), text: piece})
		}
	}
	return parts, true
}

// appendTo adds a key to its table, with the blanks between them.
func appendTo(parts []part, name string, piece []byte) []part {
	i := len(parts) - 1
	for parts[i].name != name {
		i--
	}
	for _, blank := range parts[i+1:] {
		parts[i].text = append(parts[i].text, blank.text...)
	}
	parts[i].text = append(parts[i].text, piece...)
	return parts[:i+1]
}

func tomlName(decides bool, path []string) string {
	if decides {
		return decided + dotted(path)
	}
	return "\x02" + dotted(path)
}

func dotted(path []string) string { return strings.Join(path, ".") }

func unnumbered(path []string) []string {
	out := make([]string, len(path))
	for i, key := range path {
		out[i], _, _ = strings.Cut(key, "\x01")
	}
	return out
}
