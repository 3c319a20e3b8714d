package demo

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
)

const (
	sessionID  = "demo"
	model      = "claude-opus-5-5"
	perMillion = 5 // dollars for a million tokens written to the model's 5-minute cache
)

// session is the made-up Claude Code session: a home folder, a project, and a
// transcript that grows.
type session struct {
	home, project, transcript string
	prompts, calls            int
}

func newSession(home string) (*session, error) {
	s := &session{
		home: home, project: filepath.Join(home, "project"),
		transcript: filepath.Join(home, ".claude", "projects", "project", sessionID+".jsonl"),
	}
	for _, dir := range []string{s.project, filepath.Dir(s.transcript)} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// environ is the caller's environment with this home, and without settings and
// sessions of the caller's own.
func (s *session) environ(env []string) []string {
	var kept []string
	for _, v := range env {
		name, _, _ := strings.Cut(v, "=")
		if name != "HOME" && name != "USERPROFILE" && name != "XDG_STATE_HOME" &&
			!strings.HasPrefix(name, "RUNAWAY_GUARD_") && !strings.HasPrefix(name, "CLAUDE_") {
			kept = append(kept, v)
		}
	}
	// The demo spends dollars within a second, without an edit.
	kept = append(kept, "RUNAWAY_GUARD_RATE_USD=0", "RUNAWAY_GUARD_NO_PROGRESS_USD=0")
	return append(kept, "HOME="+s.home, "USERPROFILE="+s.home, "XDG_STATE_HOME="+filepath.Join(s.home, "state"))
}

type record map[string]any

func (s *session) prompt(text string) error {
	s.prompts++
	return s.write("user", "", record{"role": "user", "content": text})
}

// call writes the response that makes a tool call and returns the call's id and
// what Claude Code sends to the hook about it.
func (s *session) call(st step) (id string, input []byte, err error) {
	s.calls++
	id = fmt.Sprintf("toolu_%02d", s.calls)
	arguments := record{"file_path": filepath.Join(s.project, st.input)}
	if st.tool == "Bash" {
		arguments = record{"command": st.input}
	}
	err = s.write("assistant", "", record{
		"id": fmt.Sprintf("msg_%02d", s.calls), "role": "assistant", "model": model,
		"content": []record{{"type": "tool_use", "id": id, "name": st.tool, "input": arguments}},
		"usage":   record{"input_tokens": 0, "cache_creation_input_tokens": int(st.usd * 1_000_000 / perMillion), "output_tokens": 0},
	})
	if err != nil {
		return "", nil, err
	}
	input, err = json.Marshal(record{
		"hook_event_name": "PreToolUse", "session_id": sessionID, "transcript_path": s.transcript, "cwd": s.project,
		"prompt_id": fmt.Sprintf("prompt_%d", s.prompts), "permission_mode": "acceptEdits",
		"tool_name": st.tool, "tool_input": arguments, "tool_use_id": id,
	})
	return id, input, err
}

// typed is what Claude Code sends to the hook about a prompt, before anything is
// sent to the model.
func (s *session) typed(prompt string) ([]byte, error) {
	s.prompts++
	return json.Marshal(record{
		"hook_event_name": "UserPromptSubmit", "session_id": sessionID, "transcript_path": s.transcript, "cwd": s.project,
		"prompt_id": fmt.Sprintf("prompt_%d", s.prompts), "permission_mode": "acceptEdits", "prompt": prompt,
	})
}

// result writes how a call ended.
func (s *session) result(id string, st step, a answer) error {
	text, denial, failed := "ok", "", false
	switch {
	case a.outcome == Blocked || a.outcome == TurnEnded:
		text, failed = "PreToolUse:"+st.tool+" hook error: "+a.text, true
	case a.outcome == Asked:
		text, denial, failed = "The user said no.", "user-rejected", true
	case st.fails:
		text, failed = "Exit code 1", true
	}
	return s.write("user", denial, record{"role": "user", "content": []record{
		{"type": "tool_result", "tool_use_id": id, "is_error": failed, "content": text},
	}})
}

// write appends one record to the transcript. denial tells why a call did not
// run, "" when it did.
func (s *session) write(kind, denial string, message record) error {
	whole := record{
		"type": kind, "sessionId": sessionID, "cwd": s.project,
		"timestamp": time.Now().UTC().Format(time.RFC3339Nano), "message": message,
	}
	if denial != "" {
		whole["toolDenialKind"] = denial
	}
	line, err := json.Marshal(whole, json.Deterministic(true))
	if err != nil {
		return err
	}
	f, err := os.OpenFile(s.transcript, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	return err
}
