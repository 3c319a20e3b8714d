package geminicli

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"

	"checkrein/internal/harness"
	"checkrein/internal/transcript"
)

// Archive is where Gemini CLI keeps its sessions.
func Archive() harness.Archive {
	return harness.Archive{
		Name: harness.GeminiCLI, Places: Places, Logs: Logs, Head: Head, Skim: harness.Holding(`"tokens"`), NewReader: NewReader,
		Whole: func(path string) bool { return strings.HasSuffix(path, ".json") },
	}
}

// Places is the folder of what Gemini CLI keeps of projects. Its own variable
// stands for the home folder.
func Places(getenv func(string) string, home string) []string {
	if dir := getenv("GEMINI_CLI_HOME"); dir != "" {
		home = dir
	}
	return []string{filepath.Join(home, ".gemini", "tmp")}
}

// Logs lists <project>/chats/session-*.jsonl (.json in older versions) and the
// subagents' chats in <project>/chats/<session>.
func Logs(place string) (logs []harness.Log) {
	projects, _ := os.ReadDir(place)
	for _, p := range projects {
		folder := filepath.Join(place, p.Name())
		chats := filepath.Join(folder, "chats")
		entries, _ := os.ReadDir(chats)
		from := len(logs)
		for _, e := range entries {
			switch {
			case e.IsDir():
				logs = appendSubagents(logs, filepath.Join(chats, e.Name()))
			case strings.HasPrefix(e.Name(), "session-") && isChat(e.Name()):
				logs = append(logs, harness.Log{Path: filepath.Join(chats, e.Name()), Session: stem(e.Name())})
			}
		}
		if len(logs) > from {
			root := projectRoot(folder)
			for i := range logs[from:] {
				logs[from+i].Project = root
			}
		}
	}
	return logs
}

func appendSubagents(logs []harness.Log, dir string) []harness.Log {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if isChat(e.Name()) {
			logs = append(logs, harness.Log{Path: filepath.Join(dir, e.Name()), Session: filepath.Base(dir), Agent: stem(e.Name())})
		}
	}
	return logs
}

func isChat(name string) bool {
	return strings.HasSuffix(name, ".jsonl") || strings.HasSuffix(name, ".json")
}

func stem(name string) string { return strings.TrimSuffix(name, filepath.Ext(name)) }

// projectRoot is the working folder that a project's folder belongs to. Its name
// is a short name, or in older versions the hash of the path.
func projectRoot(folder string) string {
	if text, err := os.ReadFile(filepath.Join(folder, ".project_root")); err == nil {
		return strings.TrimSpace(string(text))
	}
	text, err := os.ReadFile(filepath.Join(filepath.Dir(filepath.Dir(folder)), "projects.json"))
	if err != nil {
		return ""
	}
	var r transcript.Record
	name, root := filepath.Base(folder), ""
	r.Read(text, func(member []byte) {
		if string(member) != "projects" {
			return
		}
		r.Object(func(path []byte) {
			sum := sha256.Sum256(path)
			if r.String() == name || hex.EncodeToString(sum[:]) == name {
				root = string(path)
			}
		})
	})
	return root
}

// Head reads a chat's header, or all of an older chat. A subagent's session is
// the one whose folder it lies in.
func Head(l *harness.Log, line []byte) (done bool) {
	var r transcript.Record
	session, kind := "", ""
	r.Read(line, func(name []byte) {
		switch string(name) {
		case "sessionId":
			session = r.String()
		case "kind":
			kind = r.String()
		}
	})
	switch {
	case session == "" || l.Agent != "":
	case kind == "subagent":
		l.Session, l.Agent = session, session
	default:
		l.Session = session
	}
	return true
}
