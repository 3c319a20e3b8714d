package replay

import (
	"bytes"
	"cmp"
	"os"
	"slices"
	"time"

	"checkrein/internal/harness"
	"checkrein/internal/history"
)

// session is one recorded session and its files.
type session struct {
	harness.Replay
	id      string
	project string
	began   time.Time
	changed time.Time // when the last of its files was written
	alone   bool      // nobody watched, as far as the transcript tells
	size    int64
	logs    []harness.Log // the main agent's first, where it is there
}

// find looks for the sessions of all harnesses.
func (r *run) find() {
	for _, a := range sources(r.o.Harness) {
		found := map[string]*session{}
		for _, place := range a.Places(r.o.Getenv, r.o.Home) {
			for _, l := range a.Logs(place) {
				r.add(found, a, l)
			}
		}
	}
	r.sessions = slices.DeleteFunc(r.sessions, func(s *session) bool { return s.changed.Before(r.o.Since) })
}

// inOrder puts those that are to be played in order of their beginning. A fork
// begins like the session that it copies, which was mostly written to before.
func (r *run) inOrder() {
	for _, s := range r.sessions {
		s.begin()
	}
	slices.SortStableFunc(r.sessions, func(a, b *session) int {
		return cmp.Or(a.began.Compare(b.began), a.changed.Compare(b.changed), cmp.Compare(a.id, b.id))
	})
}

func (r *run) add(found map[string]*session, a harness.Replay, l harness.Log) {
	info, err := os.Stat(l.Path)
	if err != nil || !info.Mode().IsRegular() {
		return
	}
	if l.Session == "" { // the path does not tell
		head(a, &l)
	}
	key := l.Session
	if a.Key != nil {
		key = a.Key(l)
	}
	s := found[key]
	if s == nil {
		s = &session{Replay: a, id: l.Session}
		found[key] = s
		r.sessions = append(r.sessions, s)
	}
	s.size += info.Size()
	if info.ModTime().After(s.changed) {
		s.changed = info.ModTime()
	}
	if l.Agent == "" {
		s.logs = slices.Insert(s.logs, 0, l)
	} else {
		s.logs = append(s.logs, l)
	}
}

// maxHead is how much of a file is looked at for what it belongs to, in bytes.
const maxHead = 64 << 10

func head(a harness.Replay, l *harness.Log) {
	done := false
	_ = history.Lines(l.Path, maxHead, func(_ int64, line []byte) {
		done = done || a.Head(l, line)
	})
}

// begin reads the start of the session's first file.
func (s *session) begin() {
	l, done := s.logs[0], false
	_ = history.Lines(l.Path, maxHead, func(_ int64, line []byte) {
		done = done || s.Head(&l, line)
		s.alone = s.alone || unwatched(line)
		if at, ok := stampIn(line); ok && (s.began.IsZero() || at.Before(s.began)) {
			s.began = at
		}
	})
	if s.project = l.Project; s.began.IsZero() {
		s.began = s.changed
	}
}

// unwatched tells a line of a session that was started by a program: the records of
// claude -p, and the first line of codex exec.
func unwatched(line []byte) bool {
	return bytes.Contains(line, []byte(`"entrypoint":"sdk`)) ||
		bytes.Contains(line, []byte(`"session_meta"`)) && bytes.Contains(line, []byte(`"source":"exec"`))
}

// stampIn is the time of a line, which both harnesses write in the same way.
func stampIn(line []byte) (time.Time, bool) {
	_, rest, ok := bytes.Cut(line, []byte(`"timestamp":"`))
	text, _, ends := bytes.Cut(rest, []byte(`"`))
	if !ok || !ends || len(text) > 40 {
		return time.Time{}, false
	}
	at, err := time.Parse(time.RFC3339Nano, string(text))
	return at, err == nil
}

// choose leaves out the older sessions where only so much may be read.
func (r *run) choose() {
	first := len(r.sessions)
	byAge := slices.Clone(r.sessions)
	slices.SortStableFunc(byAge, func(a, b *session) int { return a.changed.Compare(b.changed) })
	for first > 0 && (r.o.MaxBytes == 0 || r.bytes+byAge[first-1].size <= r.o.MaxBytes) {
		first--
		r.bytes += byAge[first].size
	}
	out := map[*session]bool{}
	for _, s := range byAge[:first] {
		out[s] = true
	}
	r.left = first
	r.sessions = slices.DeleteFunc(r.sessions, func(s *session) bool { return out[s] })
}
