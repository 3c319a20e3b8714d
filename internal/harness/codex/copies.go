package codex

import (
	"fmt"
	"strconv"
	"strings"
)

// A rollout of a fork, and of a subagent that got its parent's history, begins
// with the lines of the other thread, written anew with new timestamps. They were
// paid for once, in the other thread. What tells them apart: Codex's ids are
// UUIDs of version 7, which begin with the time they were made, so a turn that is
// older than the thread is not the thread's own. Rollouts without turn ids are
// told apart by the other thread's totals; see totalID.

// thread notes whose rollout this is, and that lines of another one follow.
func (r *reader) thread(l *row) {
	switch {
	case r.resume.Thread == "":
		r.resume.Thread, r.resume.Other = l.thread, l.forked
	case l.thread != "" && l.thread != r.resume.Thread:
		r.resume.Other = l.thread
	}
}

// turn notes whether the lines that follow are the thread's own.
func (r *reader) turn(id string) {
	if older, known := r.older(id); known {
		r.resume.Copied = older
		if !older {
			r.resume.Other = ""
		}
	}
}

// older tells whether a turn was there before the thread; known is false when
// an id has no time.
func (r *reader) older(turn string) (older, known bool) {
	a, ok := madeAt(turn)
	b, alike := madeAt(r.resume.Thread)
	return a < b, ok && alike
}

// copied tells whether a line is another thread's.
func (r *reader) copied(l *row) bool {
	if older, known := r.older(l.turn); known && l.kind == usageRecord {
		return older
	}
	return r.resume.Copied
}

// madeAt is the time in a UUID of version 7, in ms since 1970 (RFC 9562, 5.7).
func madeAt(id string) (ms uint64, ok bool) {
	if len(id) != 36 || id[8] != '-' || id[14] != '7' {
		return 0, false
	}
	ms, err := strconv.ParseUint(id[:8]+id[9:13], 16, 64)
	return ms, err == nil
}

// totalID is the ID of a response that a token_count event tells of. The event
// has none, but no two of a thread have the same total and usage; in a copy they
// stay what they were.
func (r *reader) totalID(l *row) string {
	thread := r.resume.Thread
	if r.resume.Other != "" {
		thread = r.resume.Other
	}
	if thread == "" || l.total == nil {
		return ""
	}
	u := l.usage
	return strings.Join([]string{"total", thread, fmt.Sprint(*l.total, "-", u.Input, "-", u.CacheRead, "-", u.CacheWrite, "-", u.Output)}, "/")
}
