package codex

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json"
)

// ConfigFile is the file in which Codex keeps what the user trusts, from CODEX_HOME
// and the home folder.
func ConfigFile(codexHome, home string) string {
	return filepath.Join(filepath.Dir(UserSettings(codexHome, home)), "config.toml")
}

// TrustKey is what Codex 0.171.0 calls an entry by: its file, event and place.
func TrustKey(hooksFile, event string, group, index int) string {
	return fmt.Sprintf("%s:%s:%d:%d", hooksFile, snake(event), group, index)
}

// TrustHash is what Codex 0.171.0 notes when the user trusts an entry that an
// install wrote: the hash of its JSON with sorted keys and no spaces.
func TrustHash(event, command string, timeout int) (string, error) {
	data, err := json.Marshal(map[string]any{
		"event_name": snake(event),
		"hooks": []any{map[string]any{
			"async": false, "command": command, "timeout": timeout, "type": "command",
		}},
	}, json.Deterministic(true))
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:]), err
}

// Trusted is the hash that the text of config.toml holds for a key, "" for none.
// It reads no more of TOML than Codex writes there: a table of its own, or an
// inline one.
func Trusted(config []byte, key string) string {
	basic := `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(key) + `"`
	for _, spelled := range []string{basic, "'" + key + "'"} {
		_, rest, ok := bytes.Cut(config, []byte(spelled))
		if !ok {
			continue
		}
		table, _, _ := bytes.Cut(rest, []byte("\n["))
		_, value, _ := bytes.Cut(table, []byte("trusted_hash"))
		value = bytes.TrimLeft(value, "= \t")
		if len(value) > 0 && (value[0] == '"' || value[0] == '\'') {
			hash, _, _ := bytes.Cut(value[1:], value[:1])
			return string(hash)
		}
	}
	return ""
}

// snake turns PreToolUse into pre_tool_use.
func snake(event string) string {
	var out []rune
	for i, r := range event {
		if unicode.IsUpper(r) && i > 0 {
			out = append(out, '_')
		}
		out = append(out, unicode.ToLower(r))
	}
	return string(out)
}
