package seal

import (
	"os"
	"path/filepath"
	"strings"

	"checkrein/internal/proc"
)

// offlineSettings are settings without which a package manager does not find what is
// in its cache: a mirror's name is part of the place.
func offlineSettings() []string {
	return []string{".cargo/config.toml", ".cargo/config", ".m2/settings.xml", ".gradle/gradle.properties", ".bundle/config", ".config/go/env"}
}

// copyOffline gives agents and tests such settings without the logins in them. Setup
// has the files themselves.
func (v *view) copyOffline() error {
	if v.start.Kind == proc.Setup || v.room.dir == "" {
		return nil
	}
	for _, sub := range offlineSettings() {
		path := filepath.Join(v.home, sub)
		text, err := os.ReadFile(path)
		if real, _ := filepath.EvalSymlinks(path); err != nil || v.hidden(real) {
			continue
		}
		if err := v.writePrivate(v.home, sub, []byte(withoutLogins(string(text))), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// withoutLogins takes out the lines that hold a login, and of Maven's settings what
// names servers.
func withoutLogins(text string) string {
	for {
		before, rest, open := strings.Cut(text, "<servers>")
		_, after, closed := strings.Cut(rest, "</servers>")
		if !open || !closed {
			break
		}
		text = before + after
	}
	var out strings.Builder
	for line := range strings.Lines(text) {
		if !login(line) {
			out.WriteString(line)
		}
	}
	return out.String()
}

func login(line string) bool {
	line = strings.ToLower(line)
	if _, rest, ok := strings.Cut(line, "://"); ok {
		host, _, _ := strings.Cut(rest, "/")
		if strings.Contains(host, "@") {
			return true
		}
	}
	for _, word := range []string{"token", "password", "passwd", "passphrase", "secret", "auth", "credential", "username", "apikey", "api_key", "__"} {
		if strings.Contains(line, word) {
			return true
		}
	}
	return false
}
