package codex

import (
	"bytes"

	"checkrein/internal/harness"
	"checkrein/internal/transcript"
)

// Prepare tells what a reader must know before it reads the rollout at path on
// from offset; remembered is what the last read returned. It looks through the
// new bytes for a token_usage_record once more: whether there is one decides
// how every line before it counts. With nothing remembered the old bytes are
// read too, once.
func Prepare(path string, offset int64, remembered *harness.Resume) (harness.Resume, error) {
	var r harness.Resume
	switch {
	case remembered != nil:
		r = *remembered
	case offset > 0:
		var err error
		if r, err = Recover(path, offset); err != nil {
			return r, err
		}
	}
	if r.Records {
		return r, nil
	}
	var err error
	r.Records, err = transcript.Matches(path, offset, 256, hasRecordMark)
	return r, err
}

// Recover reads from the rollout's lines before offset what a reader would
// have remembered there, for a state that did not keep it.
func Recover(path string, offset int64) (harness.Resume, error) {
	r := newReader(func(harness.Event) {}, harness.Resume{})
	_, err := transcript.Between(path, 0, offset, func(start int64, line []byte) {
		if hasRecordMark(line) {
			r.resume.Records = true
		}
		var l row
		if mayCarry(line) && l.read(&r.walk, line) {
			r.carry(&l)
		}
	})
	return r.resume, err
}

// mayCarry tells cheaply whether a line can hold what a reader remembers.
func mayCarry(line []byte) bool {
	return bytes.Contains(line, []byte(`"token_count"`)) ||
		bytes.Contains(line, []byte(`"session_meta"`)) ||
		bytes.Contains(line, []byte(`"task_started"`)) ||
		bytes.Contains(line, []byte(`"turn_context"`)) ||
		bytes.Contains(line, []byte(`"thread_settings_applied"`))
}

// hasRecordMark tells whether "type": "token_usage_record" stands in b as a
// member. Inside texts the quotes would be escaped.
func hasRecordMark(b []byte) bool {
	const value, member = `"token_usage_record"`, `"type"`
	for {
		i := bytes.Index(b, []byte(value))
		if i < 0 {
			return false
		}
		before := bytes.TrimRight(b[:i], " \t\r\n")
		if before, ok := bytes.CutSuffix(before, []byte(":")); ok &&
			bytes.HasSuffix(bytes.TrimRight(before, " \t\r\n"), []byte(member)) {
			return true
		}
		b = b[i+len(value):]
	}
}
