package checkrein_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"checkrein/internal/harness/claudecode"
	"checkrein/internal/install"
	"checkrein/skills"
)

const pluginFolder = "plugins/checkrein"

// pluginHooks is the plugin's hooks file, no member left out.
type pluginHooks struct {
	Description string `json:"description"`
	Hooks       map[string][]struct {
		Hooks []pluginHook `json:"hooks"`
	} `json:"hooks"`
}

type pluginHook struct {
	Type    string `json:"type"`
	Command string `json:"command"`
	Timeout int    `json:"timeout"`
}

func readJSON(t *testing.T, path string, into any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, into, json.RejectUnknownMembers(true))
	}
	if err != nil {
		t.Fatalf("reading %s: %v", path, err)
	}
}

func readPluginHooks(t *testing.T) pluginHooks {
	t.Helper()
	var file pluginHooks
	readJSON(t, pluginFolder+"/hooks/hooks.json", &file)
	return file
}

// TestPluginHooks: the plugin registers what install registers in a settings file
// of a current Claude Code: the same command, by name and only where it is there,
// for the same events. Versions before 2.1.101, which know no PostToolBatch, load the
// plugin's skills and none of its hooks, and nothing of the user's is lost (2.1.100).
func TestPluginHooks(t *testing.T) {
	file := readPluginHooks(t)
	var events []string
	command := "command -v checkrein >/dev/null 2>&1 && " + install.Command("checkrein", claudecode.Name)
	for event, groups := range file.Hooks {
		events = append(events, event)
		if len(groups) != 1 || !slices.Equal(groups[0].Hooks, []pluginHook{{"command", command, 10}}) {
			t.Errorf("%s: %+v", event, groups)
		}
	}
	want := claudecode.HookEvents("2.1.332")
	slices.Sort(want)
	slices.Sort(events)
	if diff := cmp.Diff(want, events); diff != "" {
		t.Errorf("events (-install +plugin):\n%s", diff)
	}
}

// TestPluginCommandNeverBlocks: a status other than 0 could block the tool call, and
// any output could be an answer.
func TestPluginCommandNeverBlocks(t *testing.T) {
	command := readPluginHooks(t).Hooks["PreToolUse"][0].Hooks[0].Command
	for name, program := range map[string]string{
		"no program": "", "one that fails": "exit 2", "one that is killed": "kill -9 $$", "one that can't start": "#!/no/such/shell",
	} {
		dir := t.TempDir()
		if program != "" {
			if program[0] != '#' {
				program = "#!/bin/sh\n" + program
			}
			if err := os.WriteFile(filepath.Join(dir, "checkrein"), []byte(program+"\n"), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.Command("/bin/sh", "-c", command)
		cmd.Env = []string{"PATH=" + dir}
		if out, err := cmd.Output(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v, %q", name, err, out)
		}
	}
}

// TestPluginSkills: the plugin has the program's skills, not copies of them.
func TestPluginSkills(t *testing.T) {
	n := 0
	err := fs.WalkDir(skills.Files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		n++
		want, err := skills.Files.ReadFile(name)
		if err != nil {
			return err
		}
		got, err := os.ReadFile(filepath.Join(pluginFolder, "skills", name))
		if diff := cmp.Diff(string(want), string(got)); diff != "" || err != nil {
			t.Errorf("%s: %v %s", name, err, diff)
		}
		return nil
	})
	if err != nil || n == 0 {
		t.Fatal(n, err)
	}
	links, err := os.ReadDir(pluginFolder + "/skills")
	if err != nil {
		t.Fatal(err)
	}
	for _, link := range links {
		if link.Type() != fs.ModeSymlink {
			t.Errorf("%s is no link", link.Name())
		}
	}
}

// TestMarketplace: the manifest at the top leads to the plugin. The plugin has no
// version: Claude Code then takes the commit for it, so every commit is an update.
func TestMarketplace(t *testing.T) {
	var market struct {
		Name        string            `json:"name"`
		Description string            `json:"description"`
		Owner       map[string]string `json:"owner"`
		Plugins     []struct {
			Name        string   `json:"name"`
			Source      string   `json:"source"`
			Description string   `json:"description"`
			Category    string   `json:"category"`
			Keywords    []string `json:"keywords"`
		} `json:"plugins"`
	}
	var plugin struct {
		Name        string            `json:"name"`
		Description string            `json:"description"`
		Author      map[string]string `json:"author"`
		License     string            `json:"license"`
		Keywords    []string          `json:"keywords"`
	}
	readJSON(t, ".claude-plugin/marketplace.json", &market)
	readJSON(t, pluginFolder+"/.claude-plugin/plugin.json", &plugin)
	if len(market.Plugins) != 1 || market.Plugins[0].Source != "./"+pluginFolder || market.Plugins[0].Name != plugin.Name {
		t.Errorf("%+v does not lead to %+v", market.Plugins, plugin)
	}
	if plugin.License != "MIT" || plugin.Description == "" {
		t.Errorf("%+v", plugin)
	}
}
