package codex

import (
	"bytes"
	"io/fs"
	"path/filepath"
	"strings"

	"checkrein/internal/harness"
	"checkrein/internal/transcript"
)

// Archive is where Codex keeps its sessions.
func Archive() harness.Archive {
	return harness.Archive{Name: Name, Places: Places, Logs: Logs, Head: Head, Skim: Skim, NewReader: NewReader}
}

// Places are the folders of rollouts, the archived ones apart.
func Places(getenv func(string) string, home string) []string {
	dir := getenv("CODEX_HOME")
	if dir == "" {
		dir = filepath.Join(home, ".codex")
	}
	return []string{filepath.Join(dir, "sessions"), filepath.Join(dir, "archived_sessions")}
}

// Logs lists the rollouts below a folder. Old ones may be compressed; where both
// forms of one are there, the compressed one is left out.
func Logs(place string) (logs []harness.Log) {
	plain := map[string]bool{}
	_ = filepath.WalkDir(place, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || d.IsDir() || !strings.HasPrefix(d.Name(), "rollout-"): // an unreadable folder hides what is in it
		case strings.HasSuffix(path, ".jsonl"): // comes before its compressed form
			plain[path] = true
			logs = append(logs, harness.Log{Path: path})
		case strings.HasSuffix(path, ".jsonl.zst") && !plain[strings.TrimSuffix(path, ".zst")]:
			logs = append(logs, harness.Log{Path: path})
		}
		return nil
	})
	return logs
}

// Head reads the first line, which tells whose rollout this is.
func Head(l *harness.Log, line []byte) (done bool) {
	var (
		r      transcript.Record
		m      meta
		cwd    string
		thread string
	)
	r.Read(line, func(name []byte) {
		if string(name) == "payload" {
			r.Object(func(name []byte) {
				switch string(name) {
				case "id":
					m.ID = r.String()
				case "session_id":
					m.Session = r.String()
				case "cwd":
					cwd = r.String()
				case "source":
					thread = parentOf(&r)
				}
			})
		}
	})
	l.Project, l.Session = cwd, first(first(m.Session, thread), m.ID)
	if m.ID != l.Session {
		l.Agent = m.ID
	}
	return true
}

// parentOf is the thread that spawned a subagent, which versions before 0.130
// told here alone.
func parentOf(r *transcript.Record) (thread string) {
	r.Object(only("subagent", func() {
		r.Object(only("thread_spawn", func() {
			r.Object(only("parent_thread_id", func() { thread = r.String() }))
		}))
	}))
	return thread
}

// Skim leaves out what tells of no response: texts, and the logs of operations.
// The output of a call is most of a rollout's bytes and only tells that the
// model's part was over before it.
func Skim(line []byte, r *harness.Resume) (short []byte, again bool) {
	kind, inner := shape(line)
	switch kind {
	case "response_item":
		if isOutput(inner) {
			return []byte(outputLine), false
		}
	case "event_msg":
		if isLog(inner) {
			return nil, false
		}
	case "world_state", "compacted":
		return nil, false
	}
	if !r.Records && hasRecordMark(line) {
		r.Records, again = true, true
	}
	return line, again
}

// outputLine stands for any output of a call, without a call to give it to.
const outputLine = `{"type":"response_item","payload":{"type":"function_call_output"}}`

func isOutput(kind string) bool {
	switch kind {
	case "function_call_output", "custom_tool_call_output", "local_shell_call_output", "tool_search_output":
		return true
	}
	return false
}

// isLog tells the events that repeat what a tool or the model said. They are
// named here, rather than those that count, so that a new kind is read.
func isLog(kind string) bool {
	switch kind {
	case "item_completed", "item_started", "exec_command_begin", "exec_command_end", "exec_command_output_delta",
		"mcp_tool_call_begin", "mcp_tool_call_end", "patch_apply_begin", "patch_apply_end", "agent_message", "agent_reasoning", "user_message":
		return true
	}
	return false
}

// shape reads a line's type and its payload's where they stand in front, as
// Codex writes them; "" where they don't.
func shape(line []byte) (kind, inner string) {
	head := line[:min(len(line), 200)]
	i := bytes.Index(head, []byte(`"type":"`))
	if i < 0 {
		return "", ""
	}
	head = head[i+len(`"type":"`):]
	kind, rest := word(head)
	if after, ok := bytes.CutPrefix(rest, []byte(`,"payload":{"type":"`)); ok {
		inner, _ = word(after)
	}
	return kind, inner
}

func word(b []byte) (w string, rest []byte) {
	i := bytes.IndexByte(b, '"')
	if i < 0 {
		return "", nil
	}
	return string(b[:i]), b[i+1:]
}
