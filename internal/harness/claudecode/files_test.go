package claudecode

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"checkrein/internal/harness"

	"github.com/google/go-cmp/cmp"
)

func touch(t *testing.T, paths ...string) {
	t.Helper()
	for _, path := range paths {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	main := filepath.Join(dir, "s.jsonl")
	sub := filepath.Join(dir, "s", "subagents")
	touch(t, main, filepath.Join(sub, "agent-a1.jsonl"), filepath.Join(sub, "agent-a1.meta.json"), filepath.Join(sub, "notes.jsonl"),
		filepath.Join(sub, "workflows", "w1", "agent-b2.jsonl"), filepath.Join(sub, "workflows", "w1", "journal.jsonl"),
		filepath.Join(sub, "workflows", "stray.jsonl"), filepath.Join(dir, "other", "subagents", "agent-x.jsonl"))
	found := []harness.File{
		{Path: main, Agent: "main"},
		{Path: filepath.Join(sub, "agent-a1.jsonl"), Agent: "a1"},
		{Path: filepath.Join(sub, "workflows", "w1", "agent-b2.jsonl"), Agent: "b2"},
	}
	elsewhere := filepath.Join(dir, "elsewhere", "agent-c3.jsonl")
	for _, c := range []struct {
		name string
		call harness.Call
		want []harness.File
	}{
		{"no transcript", harness.Call{}, nil},
		{"session", harness.Call{Transcript: main}, found},
		{"a subagent stopped", harness.Call{Transcript: main, AgentFile: found[1].Path}, found},
		{"a subagent elsewhere stopped", harness.Call{Transcript: main, AgentFile: elsewhere}, append(slices.Clip(found), harness.File{Path: elsewhere, Agent: "c3"})},
		{"something else stopped", harness.Call{Transcript: main, AgentFile: "/etc/passwd"}, found},
		{"not yet written", harness.Call{Transcript: filepath.Join(dir, "new.jsonl")}, []harness.File{{Path: filepath.Join(dir, "new.jsonl"), Agent: "main"}}},
		{"no jsonl", harness.Call{Transcript: filepath.Join(dir, "s")}, append([]harness.File{{Path: filepath.Join(dir, "s"), Agent: "main"}}, found[1:]...)},
	} {
		if diff := cmp.Diff(c.want, Files(c.call, time.Time{}, &harness.Search{})); diff != "" {
			t.Errorf("%s: -want +got\n%s", c.name, diff)
		}
	}
}
