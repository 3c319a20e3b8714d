package codex

import (
	"path/filepath"
	"strings"

	"checkrein/internal/harness"
)

// config reads the user's config.toml.
func config(getenv, file func(string) string) harness.Config {
	return ReadConfig(file(ConfigPath(getenv("CODEX_HOME"), getenv("HOME"))))
}

// ConfigPath is where Codex keeps config.toml, from its CODEX_HOME and the
// user's home folder.
func ConfigPath(codexHome, home string) string {
	if codexHome == "" {
		codexHome = filepath.Join(home, ".codex")
	}
	return filepath.Join(codexHome, "config.toml")
}

// ReadConfig finds the top-level model and the providers' env_key values in the text
// of a config.toml. It reads only
// single-line string values, which is how they are written, and passes over
// everything else: multi-line strings are skipped whole, so text inside one is
// never taken for a key.
func ReadConfig(text string) harness.Config {
	var c harness.Config
	table, closing := "", ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if closing != "" {
			if strings.Contains(line, closing) {
				closing = ""
			}
			continue
		}
		if strings.HasPrefix(line, "[") {
			table = line
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		key, value = strings.Trim(strings.TrimSpace(key), `"'`), strings.TrimSpace(value)
		closing = opensMultiline(value)
		text, ok := stringValue(value)
		switch {
		case !ok || text == "":
		case key == "model" && table == "" && c.Model == "":
			c.Model = text
		case key == "env_key" && strings.HasPrefix(table, "[model_providers"):
			c.KeyVars = append(c.KeyVars, text)
		}
	}
	return c
}

// opensMultiline is the delimiter of a multi-line string that starts in value
// and does not end there; "" when there is none.
func opensMultiline(value string) string {
	for _, quotes := range [...]string{`"""`, `'''`} {
		if rest, ok := strings.CutPrefix(value, quotes); ok && !strings.Contains(rest, quotes) {
			return quotes
		}
	}
	return ""
}

// stringValue reads a one-line string. A string with escapes is left alone: no
// model id or variable name needs one.
func stringValue(value string) (string, bool) {
	if len(value) < 2 || (value[0] != '"' && value[0] != '\'') || strings.HasPrefix(value, `"""`) || strings.HasPrefix(value, "'''") {
		return "", false
	}
	text, _, ok := strings.Cut(value[1:], value[:1])
	if !ok || (value[0] == '"' && strings.Contains(text, `\`)) {
		return "", false
	}
	return text, true
}
