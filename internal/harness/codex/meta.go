package codex

import "checkrein/internal/transcript"

// meta is what the first line of a rollout tells of its thread.
type meta struct {
	ID      string // the thread's own id
	Session string // the root session's id; the same for all its subagents
	Started string // when the thread started, RFC 3339
}

// readMeta reads the first line of the rollout at path; everything is empty
// when there is no such line yet, or it is something else.
func readMeta(path string) meta {
	line, err := transcript.First(path)
	if err != nil {
		return meta{}
	}
	var (
		r    transcript.Record
		m    meta
		kind string
	)
	ok := r.Read(line, func(name []byte) {
		switch string(name) {
		case "type":
			kind = r.String()
		case "payload":
			m.read(&r)
		}
	})
	if !ok || kind != "session_meta" {
		return meta{}
	}
	return m
}

func (m *meta) read(r *transcript.Record) {
	r.Object(func(name []byte) {
		switch string(name) {
		case "id":
			m.ID = r.String()
		case "session_id":
			m.Session = r.String()
		case "timestamp":
			m.Started = r.String()
		}
	})
}
