package claudecode

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"checkrein/internal/harness"
)

// Files lists the session's transcripts that exist now, the main one first
// whether it exists or not: <session>.jsonl, <session>/subagents/agent-<id>.jsonl
// and, for workflow agents, one folder deeper. Nil when the harness keeps none.
// It costs one folder read when there are no workflows.
func Files(call harness.Call, _ time.Time, _ *harness.Search) []harness.File {
	if call.Transcript == "" {
		return nil
	}
	files := []harness.File{{Path: call.Transcript, Agent: mainAgent}}
	sub := filepath.Join(strings.TrimSuffix(call.Transcript, ".jsonl"), "subagents")
	entries, _ := os.ReadDir(sub)
	files = appendAgents(files, sub, entries)
	for _, e := range entries {
		if e.Name() == "workflows" {
			files = appendWorkflows(files, filepath.Join(sub, "workflows"))
		}
	}
	return appendStopped(files, call.AgentFile)
}

func appendWorkflows(files []harness.File, root string) []harness.File {
	folders, _ := os.ReadDir(root)
	for _, f := range folders {
		dir := filepath.Join(root, f.Name())
		entries, _ := os.ReadDir(dir)
		files = appendAgents(files, dir, entries)
	}
	return files
}

func appendAgents(files []harness.File, dir string, entries []os.DirEntry) []harness.File {
	for _, e := range entries {
		if agent, ok := agentOf(e.Name()); ok {
			files = append(files, harness.File{Path: filepath.Join(dir, e.Name()), Agent: agent})
		}
	}
	return files
}

// appendStopped adds the transcript that SubagentStop names, should it lie
// where the folders do not show it.
func appendStopped(files []harness.File, path string) []harness.File {
	agent, ok := agentOf(filepath.Base(path))
	if !ok {
		return files
	}
	for _, f := range files {
		if f.Path == path {
			return files
		}
	}
	return append(files, harness.File{Path: path, Agent: agent})
}

// agentOf is the id in the name of a subagent's transcript. Workflows keep
// other files (journal.jsonl) beside these.
func agentOf(name string) (agent string, ok bool) {
	rest, ok := strings.CutPrefix(name, "agent-")
	if !ok {
		return "", false
	}
	return strings.CutSuffix(rest, ".jsonl")
}

// mainTranscript is the session's own transcript for a path that may be a
// subagent's: <session>/subagents[/workflows/<id>]/agent-<id>.jsonl.
func mainTranscript(path string) string {
	if !strings.HasPrefix(filepath.Base(path), "agent-") {
		return path
	}
	dir := filepath.Dir(path)
	for range 3 {
		if filepath.Base(dir) == "subagents" {
			return filepath.Dir(dir) + ".jsonl"
		}
		dir = filepath.Dir(dir)
	}
	return path
}
