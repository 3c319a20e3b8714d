package claudecode

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"time"

	"checkrein/internal/harness"
	"checkrein/internal/transcript"
)

// Archive is where Claude Code keeps its sessions.
func Archive() harness.Archive {
	return harness.Archive{Name: Name, Places: Places, Logs: Logs, Head: Head, Skim: Skim, NewReader: NewReader}
}

// Places are the folders of projects. Versions around 1.0.30 kept them in
// ~/.config/claude, and did not move them when that was given up.
func Places(getenv func(string) string, home string) []string {
	if dir := getenv("CLAUDE_CONFIG_DIR"); dir != "" {
		return []string{filepath.Join(dir, "projects")}
	}
	config := getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(config) {
		config = filepath.Join(home, ".config")
	}
	return []string{filepath.Join(home, ".claude", "projects"), filepath.Join(config, "claude", "projects")}
}

// Logs lists <project>/<session>.jsonl and the subagents' transcripts that lie
// in <project>/<session>/subagents, whose main transcript may be gone. Copies
// that Claude Code put aside (.orphaned-, .superseded-) are left out.
func Logs(place string) (logs []harness.Log) {
	projects, _ := os.ReadDir(place)
	for _, p := range projects {
		dir := filepath.Join(place, p.Name())
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			session, plain := strings.CutSuffix(e.Name(), ".jsonl")
			switch {
			case e.IsDir():
				logs = appendSubagents(logs, dir, e.Name())
			case plain && !strings.Contains(session, ".orphaned-") && !strings.Contains(session, ".superseded-"):
				logs = append(logs, harness.Log{Path: filepath.Join(dir, e.Name()), Session: session})
			}
		}
	}
	return logs
}

func appendSubagents(logs []harness.Log, dir, session string) []harness.Log {
	main := filepath.Join(dir, session+".jsonl")
	for _, f := range Files(harness.Call{Transcript: main}, time.Time{}, nil)[1:] {
		logs = append(logs, harness.Log{Path: f.Path, Session: session, Agent: f.Agent})
	}
	return logs
}

// Head finds the working folder, which most records carry.
func Head(l *harness.Log, line []byte) (done bool) {
	if !bytes.Contains(line, []byte(`"cwd"`)) {
		return false
	}
	var r transcript.Record
	r.Read(line, func(name []byte) {
		if string(name) == "cwd" {
			l.Project = r.String()
		}
	})
	return l.Project != ""
}

// Skim leaves out what is no assistant record: nothing else has a usage, and
// inside texts its quotes would be escaped. Most bytes of a transcript are tool
// results, whose record begins with its type before the text comes.
func Skim(line []byte, _ *harness.Resume) (short []byte, again bool) {
	if bytes.Contains(line[:min(len(line), 400)], []byte(`,"type":"user","message":{`)) {
		return nil, false
	}
	if bytes.Contains(line, []byte(`"usage"`)) {
		return line, false
	}
	return nil, false
}
