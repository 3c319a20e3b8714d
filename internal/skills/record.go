package skills

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"checkrein/internal/settings"
)

// recordName is the record of what this program wrote, in the skill's folder. Its
// lines are those of sha256sum: `sha256sum -c .checkrein.sha256` tells which files
// were changed.
const recordName = ".checkrein.sha256"

func hash(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// parseRecord passes over lines it does not understand and names that lead out of
// the folder: a project's record comes with a clone.
func parseRecord(f settings.File) map[string]string {
	if !f.Exists {
		return nil
	}
	recorded := map[string]string{}
	for line := range strings.Lines(string(f.Text)) {
		sum, name, ok := strings.Cut(strings.TrimRight(line, "\r\n"), "  ")
		if ok && len(sum) == 2*sha256.Size && inside(name) {
			recorded[name] = sum
		}
	}
	return recorded
}

func inside(name string) bool {
	return name != "" && name != recordName && name == path.Clean(name) && !path.IsAbs(name) &&
		name != ".." && !strings.HasPrefix(name, "../") && !strings.ContainsAny(name, "\\:\x00")
}

func formatRecord(recorded map[string]string) []byte {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(recorded)) {
		fmt.Fprintf(&b, "%s  %s\n", recorded[name], name)
	}
	return []byte(b.String())
}
