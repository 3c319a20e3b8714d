package hook

import (
	"bytes"
	"os"
	"time"

	"checkrein/internal/guard"
	"checkrein/internal/harness"
	"checkrein/internal/transcript"
)

// The wait for the transcript at the end of a batch: its lines came up to 70 ms
// late in Claude Code 2.1.332, and the next thing that happens is the next request.
const (
	lateness = 200 * time.Millisecond
	glance   = 5 * time.Millisecond
)

// near is the share of a cap from which on a response may well pass it. Below it,
// which is where most sessions stay, nothing waits.
const near = 0.5

// await waits until the transcript holds the response whose calls have ended.
func (c *check) await() {
	if c.call.Event != harness.PostToolBatch || c.call.BatchEnd == "" || c.env.Sleep == nil ||
		!c.s.Limits.On(guard.StopBatches) || !c.s.Near(c.s.Limits, c.budget(), near) {
		return
	}
	c.track()
	from := map[string]int64{}
	for path, f := range c.s.Files {
		if f.Agent == c.call.Agent {
			from[path] = f.Offset
		}
	}
	c.awaitIn(from)
}

// awaitIn looks into all of an agent's files at once (a resumed session has
// several), each time from where the last look ended.
func (c *check) awaitIn(from map[string]int64) {
	for waited := time.Duration(0); waited < lateness; waited += glance {
		for path, at := range from {
			there, end, err := holds(path, at, []byte(c.call.BatchEnd))
			if there {
				return
			}
			if from[path] = end; err != nil {
				delete(from, path)
			}
		}
		if len(from) == 0 {
			return
		}
		c.env.Sleep(glance)
	}
}

// holds tells whether a line after an offset has some bytes in it, and where the
// last line ends.
func holds(path string, from int64, what []byte) (found bool, end int64, err error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = os.ErrInvalid
	}
	if err != nil {
		return false, from, err
	}
	end, err = transcript.Tail(path, from, func(_ int64, line []byte) { found = found || bytes.Contains(line, what) })
	return found, end, err
}
