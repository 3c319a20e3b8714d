package codex

import (
	"checkrein/internal/harness"
	"checkrein/internal/transcript"
)

// meta is what the first line of a rollout tells of its thread.
type meta struct {
	ID      string // the thread's own id
	Session string // the root session's id; the same for all its subagents
	Started string // when the thread started, RFC 3339
	Depth   int    // how deep below the main agent it was started; 0 for the main one
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
		case "source":
			m.Depth = depth(r)
		}
	})
}

// depth is that of a spawned agent: source.subagent.thread_spawn.depth.
func depth(r *transcript.Record) (n int) {
	r.Object(only("subagent", func() {
		r.Object(only("thread_spawn", func() {
			r.Object(only("depth", func() {
				if deep, ok := r.Int(); ok && deep > 0 && deep < 1000 {
					n = int(deep)
				}
			}))
		}))
	}))
	return n
}

// Level reads how deep below the main agent the one that calls was started.
func Level(call harness.Call) int {
	if !call.Sub || call.Transcript == "" {
		return 0
	}
	return max(1, readMeta(call.Transcript).Depth)
}
