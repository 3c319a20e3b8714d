package state

import (
	"bytes"
	"fmt"
	"os"
	"time"

	"checkrein/internal/guard"
	"checkrein/internal/redact"
)

const (
	errorLog    = "errors.log"
	maxErrorLog = 256 << 10 // bytes; a fuller log starts over
)

// LogError adds one line to the error log: when, where in the program, what.
// It never fails: there is nobody to tell.
func (s Store) LogError(where string, problem any, now time.Time) {
	if s.Make() != nil {
		return
	}
	path := s.path(errorLog)
	flags := os.O_CREATE | os.O_WRONLY | os.O_APPEND
	if info, err := os.Stat(path); err == nil {
		if !info.Mode().IsRegular() {
			return
		}
		if info.Size() > maxErrorLog {
			flags |= os.O_TRUNC
		}
	}
	f, err := os.OpenFile(path, flags, 0o600)
	if err != nil {
		return
	}
	_, _ = fmt.Fprintf(f, "%s %s %s\n", guard.Stamp(now), redact.Line(where, 80), redact.Line(fmt.Sprint(problem), 200))
	_ = f.Close()
}

// ErrorsLogged counts the lines of the error log.
func (s Store) ErrorsLogged() int {
	data := readPlain(s.path(errorLog))
	lines := 0
	for line := range bytes.Lines(data) {
		if len(bytes.TrimSpace(line)) > 0 {
			lines++
		}
	}
	return lines
}
