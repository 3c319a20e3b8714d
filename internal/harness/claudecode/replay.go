package claudecode

import (
	"path/filepath"
	"strings"

	"checkrein/internal/harness"
)

// Replay is how Claude Code's sessions are played. Two folders may hold sessions of
// one id.
func Replay() harness.Replay {
	return harness.Replay{Archive: Archive(), Adapter: Adapter(), Key: sessionFolder, ShortID: 8, Batches: true, Hooked: hooked}
}

// sessionFolder is the folder that bears the session's name, beside its transcript.
func sessionFolder(l harness.Log) string {
	dir := strings.TrimSuffix(l.Path, ".jsonl")
	for l.Agent != "" && filepath.Base(dir) != l.Session && dir != filepath.Dir(dir) {
		dir = filepath.Dir(dir)
	}
	return dir
}

// hooked: what a tool refuses by itself, no hook is asked about (2.1.332).
func hooked(e harness.Event) bool {
	return e.Result != harness.Failed || e.Detail == nil || !strings.HasPrefix(e.Detail.Text, "<tool_use_error>")
}
