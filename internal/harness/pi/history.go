// Package pi knows where the coding agent pi keeps its sessions, and reads what
// they paid for.
package pi

import (
	"os"
	"path/filepath"
	"strings"

	"checkrein/internal/harness"
	"checkrein/internal/transcript"
)

// Archive is where pi keeps its sessions.
func Archive() harness.Archive {
	return harness.Archive{Name: harness.Pi, Places: Places, Logs: Logs, Head: Head, Skim: harness.Holding(`"usage"`), NewReader: NewReader}
}

// Places are the folder of sessions in pi's own folder, and the one that a
// variable puts in its place: sessions from before that was set stay where they
// were. A session folder that only pi's settings or --session-dir name is not
// looked into, nor are the databases that newer versions can be told to write.
func Places(getenv func(string) string, home string) (places []string) {
	if dir := getenv("PI_CODING_AGENT_SESSION_DIR"); dir != "" {
		places = append(places, inHome(dir, home))
	}
	own := filepath.Join(home, ".pi", "agent")
	if dir := getenv("PI_CODING_AGENT_DIR"); dir != "" {
		own = inHome(dir, home)
	}
	return append(places, filepath.Join(own, "sessions"))
}

// inHome takes the ~ that pi takes in these variables.
func inHome(dir, home string) string {
	if rest, ok := strings.CutPrefix(dir, "~"); ok && (rest == "" || rest[0] == '/') {
		return filepath.Join(home, rest)
	}
	return dir
}

// Logs lists <project>/<time>_<session>.jsonl; in a folder that the user chose,
// sessions lie without one of a project.
func Logs(place string) (logs []harness.Log) {
	entries, _ := os.ReadDir(place)
	for _, e := range entries {
		path := filepath.Join(place, e.Name())
		if !e.IsDir() {
			logs = appendSession(logs, path)
			continue
		}
		sessions, _ := os.ReadDir(path)
		for _, s := range sessions {
			if !s.IsDir() {
				logs = appendSession(logs, filepath.Join(path, s.Name()))
			}
		}
	}
	return logs
}

func appendSession(logs []harness.Log, path string) []harness.Log {
	name, ok := strings.CutSuffix(filepath.Base(path), ".jsonl")
	if !ok {
		return logs
	}
	_, id, ok := strings.Cut(name, "_")
	if !ok {
		id = name
	}
	return append(logs, harness.Log{Path: path, Session: id})
}

// Head reads the header, which is the first line. A fork's header has its own id
// and folder, and names the file it was made from (parentSession, branchedFrom in
// files of version 1), which tells nothing that its responses don't.
func Head(l *harness.Log, line []byte) (done bool) {
	var r transcript.Record
	kind, id, folder := "", "", ""
	r.Read(line, func(name []byte) {
		switch string(name) {
		case "type":
			kind = r.String()
		case "id":
			id = r.String()
		case "cwd":
			folder = r.String()
		}
	})
	if kind == "session" {
		l.Project = folder
		if id != "" {
			l.Session = id
		}
	}
	return true
}
