package drive

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"checkrein/internal/trial"
)

// warn says, before any agent starts, which settings of the repository's own
// the chosen agents will find in their copies and what those can start.
func (d *drive) warn(ctx context.Context, pending []trial.ID) {
	var files []string
	for _, a := range d.Adapters {
		if a.Found {
			files = append(files, a.Settings...)
		}
	}
	found := d.inspect(ctx, d.parents(pending), files)
	for _, file := range files {
		if what := found[file]; what != nil {
			d.emit(trial.Event{Kind: trial.Warned, Text: fmt.Sprintf(
				"the repository's own %s sets up %s, which an agent that honors it runs on this computer.", file, strings.Join(what, " and "))})
		}
	}
}

// parents are the commits that the trials start from, each once.
func (d *drive) parents(pending []trial.ID) []string {
	var out []string
	for _, id := range pending {
		if p := d.tasks[id.Task].Parent; !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

// inspect looks at those files as each commit has them, in a copy that is
// removed again. What cannot be copied shows when its trial runs.
func (d *drive) inspect(ctx context.Context, commits, files []string) map[string][]string {
	found := map[string][]string{}
	ws, err := d.repo.Copy(ctx, commits[0], "")
	if err != nil {
		return found
	}
	defer ws.Remove()
	for _, commit := range commits {
		if ctx.Err() != nil || ws.WriteFiles(ctx, commit, files) != nil {
			continue
		}
		for _, file := range files {
			if text, ok := regularFile(filepath.Join(ws.Dir, file)); ok && found[file] == nil {
				found[file] = startable(file, text)
			}
		}
	}
	return found
}

// regularFile reads a file that is no link: a link could lead to a device.
func regularFile(path string) (string, bool) {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return "", false
	}
	text, err := os.ReadFile(path)
	return string(text), err == nil
}

// startable names what a settings file can make an agent start. A file that
// cannot be read for sure counts as one that can.
func startable(file, text string) []string {
	if strings.HasSuffix(file, ".toml") {
		var out []string
		if strings.Contains(text, "[mcp_servers") {
			out = append(out, "MCP servers")
		}
		if strings.Contains(text, "[hooks") || strings.Contains(text, "[[hooks") || strings.Contains(text, "notify") {
			out = append(out, "hooks")
		}
		return out
	}
	var keys map[string]jsontext.Value
	if !parseSettings(text, &keys) {
		return []string{"something that could not be read"}
	}
	var out []string
	for _, k := range []struct{ key, name string }{
		{"hooks", "hooks"}, {"mcpServers", "MCP servers"}, {"statusLine", "a status line"}, {"apiKeyHelper", "a key helper"},
	} {
		if _, ok := keys[k.key]; ok {
			out = append(out, k.name)
		}
	}
	return out
}

// maxCommented is how much JSON with comments is understood: hujson's time grows
// with the square of what a hostile file nests, seconds from some 60 KB on.
const maxCommented = 4 << 10

func parseSettings(text string, keys *map[string]jsontext.Value) bool {
	lenient := jsontext.AllowDuplicateNames(true)
	if json.Unmarshal([]byte(text), keys, lenient) == nil {
		return true
	}
	if len(text) > maxCommented {
		return false
	}
	plain, err := hujson.Standardize([]byte(text))
	return err == nil && json.Unmarshal(plain, keys, lenient) == nil
}
