//go:build unix

package cli

import (
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"checkrein/skills"
)

// TestCommandsOfTheSkills: every command line of checkrein in the skills, in a
// code block or inline, is one that this program takes: the command is there and
// so is every flag. An agent types them as they stand.
func TestCommandsOfTheSkills(t *testing.T) {
	checked := map[string]bool{}
	for page, text := range pages(t) {
		for _, line := range commandLines(text) {
			if err := parses(line); err != nil {
				t.Errorf("%s: %s: %v", page, line, err)
			}
			words := strings.Fields(line)
			checked[strings.Join(words[:min(len(words), 3)], " ")] = true
		}
	}
	for _, must := range []string{
		"checkrein guard hook", "checkrein guard install", "checkrein guard status", "checkrein guard uninstall", "checkrein guard demo",
		"checkrein drive mine", "checkrein drive estimate", "checkrein drive run", "checkrein drive report", "checkrein drive demo",
	} {
		if !checked[must] {
			t.Errorf("no skill tells of %q, or this test does not find it", must)
		}
	}
}

// TestFlagsOfTheSkills: a flag that stands alone in a skill (`--max 20`) is one of
// this program, or one of the agents, which are named here.
func TestFlagsOfTheSkills(t *testing.T) {
	known := map[string]bool{}
	for _, name := range strings.Fields(`
		--max-budget-usd --max-turns --no-session-persistence --ephemeral --allowedTools --permission-mode --strict-mcp-config
		--mcp-config --dangerously-skip-permissions --sandbox --dangerously-bypass-approvals-and-sandbox --full-auto
		--approval-mode --skip-trust --allowed-tools --yolo --version --all
	`) {
		known[name] = true
	}
	flag := regexp.MustCompile("`(--[a-z][A-Za-z-]*)")
	found := 0
	for page, text := range pages(t) {
		for _, m := range flag.FindAllStringSubmatch(text, -1) {
			found++
			if !known[m[1]] && !anyCommand(newRootCommand(Env{}), m[1][2:]) {
				t.Errorf("%s: nothing has a flag %s", page, m[1])
			}
		}
	}
	if found < 20 {
		t.Errorf("only %d flags found", found)
	}
}

// anyCommand tells whether the command or one below it has the flag.
func anyCommand(cmd *cobra.Command, flag string) bool {
	return cmd.Flags().Lookup(flag) != nil ||
		slices.ContainsFunc(cmd.Commands(), func(sub *cobra.Command) bool { return anyCommand(sub, flag) })
}

func pages(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := fs.WalkDir(skills.Files, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			var text []byte
			text, err = skills.Files.ReadFile(name)
			all[name] = string(text)
		}
		return err
	})
	if err != nil || len(all) != 6 {
		t.Fatalf("%d pages: %v", len(all), err)
	}
	return all
}

// commandLines finds the lines of code blocks that start with checkrein, and the
// inline code that does, which may go on in the next line.
func commandLines(text string) []string {
	var all []string
	inline := regexp.MustCompile("`(checkrein [^`]+)`")
	var prose strings.Builder
	inBlock := false
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(trimmed, "```"):
			inBlock = !inBlock
		case !inBlock:
			prose.WriteString(line)
		case strings.HasPrefix(trimmed, "checkrein "):
			all = append(all, trimmed)
		}
	}
	for _, m := range inline.FindAllStringSubmatch(prose.String(), -1) {
		all = append(all, strings.Join(strings.Fields(m[1]), " "))
	}
	return all
}

// parses does all that running the line would, but for running it.
func parses(line string) error {
	words := shellWords(line)[1:]
	cmd, rest, err := newRootCommand(Env{}).Find(words)
	if err != nil || cmd.DisableFlagParsing {
		return err
	}
	if err := cmd.ParseFlags(rest); err != nil {
		return err
	}
	if err := cmd.ValidateArgs(cmd.Flags().Args()); err != nil {
		return err
	}
	return nil
}

// shellWords splits a line as a shell would, as far as the skills need it: words
// in double quotes are one, <placeholders> too. A number stands for what a user
// fills in, so that flags of every type take it.
func shellWords(line string) []string {
	line = regexp.MustCompile(`<[^>]*>`).ReplaceAllString(line, "5")
	var all []string
	for i, part := range strings.Split(line, `"`) {
		if i%2 == 1 {
			all = append(all, part)
		} else {
			all = append(all, strings.Fields(part)...)
		}
	}
	return all
}

func TestParses(t *testing.T) {
	for line, want := range map[string]bool{
		"checkrein guard install --cap 10":                true,
		"checkrein guard status --session <id> --reset":   true,
		`checkrein drive mine --test-cmd "<the command>"`: true,
		"checkrein guard hook --whatever":                 true,
		"checkrein guard install --cup 10":                false,
		"checkrein guard stats":                           false,
		"checkrein drive run now":                         false,
		"checkrein drive run --max-usd much":              false,
		"checkrein harness":                               false,
	} {
		if err := parses(line); (err == nil) != want {
			t.Errorf("%s: %v", line, err)
		}
	}
}
