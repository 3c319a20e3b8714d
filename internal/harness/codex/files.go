package codex

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"checkrein/internal/harness"
)

// maxChecked bounds the names remembered of rollouts that were looked into.
const maxChecked = 2000

// Files lists the call's rollout and the rollouts of its session's subagents
// that were not known yet. Nil when Codex keeps no rollout (--ephemeral).
//
// Codex writes each subagent to a rollout of its own, in the folder of the day
// it started, whose first line carries the root session's id. So the folders
// of the call's own rollout, of today and of yesterday are looked through, in
// local and in universal time, and each rollout written since the session
// started is opened once. Search carries what that takes from call to call.
func Files(call harness.Call, now time.Time, s *harness.Search) []harness.File {
	if call.Transcript == "" {
		return nil
	}
	files := []harness.File{{Path: call.Transcript, Agent: fileAgent(call.Transcript)}}
	if call.AgentFile != "" && call.AgentFile != call.Transcript {
		files = append(files, harness.File{Path: call.AgentFile, Agent: fileAgent(call.AgentFile)})
	}
	if s.Started == 0 {
		s.Started = startedAt(call.Transcript, s.Created)
	}
	c := children{search: s, session: call.Session, files: files, seen: make(map[string]bool, len(s.Checked))}
	for _, name := range s.Checked {
		c.seen[name] = true
	}
	for _, dir := range dayFolders(call.Transcript, now) {
		c.look(dir)
	}
	s.Checked = s.Checked[max(0, len(s.Checked)-maxChecked):]
	return c.files
}

// startedAt is when the session of the rollout at path started, in Unix
// seconds; created when the rollout does not tell.
func startedAt(path string, created float64) float64 {
	t, err := time.Parse(time.RFC3339Nano, readMeta(path).Started)
	if err != nil {
		return created
	}
	return float64(t.UnixMicro()) / 1e6
}

// dayFolders are the folders in which a subagent of the session may lie.
func dayFolders(rollout string, now time.Time) []string {
	own := filepath.Dir(rollout)
	root := filepath.Dir(filepath.Dir(filepath.Dir(own)))
	dirs := []string{own}
	for _, t := range []time.Time{now, now.Add(-24 * time.Hour)} {
		for _, t := range []time.Time{t.UTC(), t.Local()} {
			dirs = append(dirs, filepath.Join(root, t.Format("2006"), t.Format("01"), t.Format("02")))
		}
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// children gathers the rollouts of one session's subagents.
type children struct {
	search  *harness.Search
	session string
	files   []harness.File
	seen    map[string]bool
}

func (c *children) look(dir string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		name := e.Name()
		if strings.HasPrefix(name, "rollout-") && strings.HasSuffix(name, ".jsonl") && !c.seen[name] {
			c.check(filepath.Join(dir, name), e)
		}
	}
}

// check looks into one rollout. A minute of grace covers clocks and the time
// between a session's start and its first line.
func (c *children) check(path string, e os.DirEntry) {
	if c.search.Has(path) || slices.ContainsFunc(c.files, func(f harness.File) bool { return f.Path == path }) {
		return
	}
	info, err := e.Info()
	if err != nil || float64(info.ModTime().UnixMicro())/1e6 < c.search.Started-60 {
		return
	}
	m := readMeta(path)
	if m.ID == "" { // its first line is still being written: look again at the next call
		return
	}
	c.seen[e.Name()] = true
	c.search.Checked = append(c.search.Checked, e.Name())
	if m.Session == c.session && m.ID != c.session {
		c.files = append(c.files, harness.File{Path: path, Agent: fileAgent(path)})
	}
}
