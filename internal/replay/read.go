package replay

import (
	"math"
	"slices"
	"strings"
	"time"

	"checkrein/internal/harness"
	"checkrein/internal/history"
)

// recording is what the files of one session hold.
type recording struct {
	lanes    []*lane
	problems []error
}

// lane is the events of one file, in its order.
type lane struct {
	path   string
	agent  string // as the hook names it
	sub    bool
	events []harness.Event
	starts []int64 // where each line starts
}

func (s *session) read() (rec recording) {
	main := s.logs[0].Path
	for _, l := range s.logs {
		lane := &lane{path: l.Path, sub: l.Agent != "", agent: s.call(main, l).Agent}
		if err := lane.read(s.Replay); err != nil {
			rec.problems = append(rec.problems, err)
		}
		rec.lanes = append(rec.lanes, lane)
	}
	return rec
}

// call is a hook call of the agent of a log.
func (s *session) call(main string, l harness.Log) harness.Call {
	in := harness.Input{Event: harness.PreToolUse, Session: s.id, Transcript: main, Agent: l.Agent, Dir: s.project}
	if s.PerAgent {
		in.Transcript = l.Path
	}
	return s.Adapter.NewCall(in)
}

// read takes the events of a file that is complete.
func (l *lane) read(from harness.Replay) error {
	resume, err := l.prepare(from)
	if err != nil {
		return err
	}
	reader := from.Adapter.NewDetailedReader(func(e harness.Event) { l.events = append(l.events, e) }, resume)
	var end int64
	err = history.Lines(l.path, math.MaxInt64, func(start int64, line []byte) {
		l.starts = append(l.starts, start)
		reader.Line(start, line)
		end = start + int64(len(line)) + 1
	})
	reader.Close(end, true)
	return err
}

// prepare is what a reader must know before it begins.
func (l *lane) prepare(from harness.Replay) (resume harness.Resume, err error) {
	if !strings.HasSuffix(l.path, ".zst") {
		return from.Adapter.Prepare(l.path, 0, &harness.Resume{})
	}
	err = history.Lines(l.path, math.MaxInt64, func(_ int64, line []byte) {
		_, _ = from.Skim(line, &resume)
	})
	return harness.Resume{Records: resume.Records}, err
}

// line is the number of the line that starts at an offset, from 1 on.
func (l *lane) line(start int64) int {
	n, found := slices.BinarySearch(l.starts, start)
	if !found {
		return 0
	}
	return n + 1
}

// moment is one event with when it counts and where it is from.
type moment struct {
	at    time.Time
	lane  *lane
	event harness.Event
}

// inOrder puts the events of all files in order of their times. Those of one file
// keep their order, and one without a time follows the one before.
func (rec recording) inOrder(began time.Time) []moment {
	var all []moment
	for _, l := range rec.lanes {
		at := began
		for _, e := range l.events {
			if e.Time.After(at) {
				at = e.Time
			}
			all = append(all, moment{at, l, e})
		}
		l.events = nil
	}
	slices.SortStableFunc(all, func(a, b moment) int { return a.at.Compare(b.at) })
	return all
}
