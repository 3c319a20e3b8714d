package claudecode

import (
	"os"
	"path/filepath"
	"strings"

	"checkrein/internal/harness"
	"checkrein/internal/transcript"
)

// Level reads how deep below the main agent a subagent was started: spawnDepth
// in agent-<id>.meta.json beside its transcript (seen in 2.1.197 and 2.1.332).
// The hook's input tells only the subagent's id.
func Level(call harness.Call) (level int) {
	if !call.Sub || call.Agent != filepath.Base(call.Agent) {
		return 0
	}
	folder := filepath.Join(strings.TrimSuffix(call.Transcript, ".jsonl"), "subagents")
	data, err := os.ReadFile(filepath.Join(folder, "agent-"+call.Agent+".meta.json"))
	if err != nil {
		return 1
	}
	level = 1
	var r transcript.Record
	r.Read(data, func(name []byte) {
		if string(name) == "spawnDepth" {
			if n, ok := r.Int(); ok && n > 0 && n < 1000 {
				level = int(n)
			}
		}
	})
	return level
}
