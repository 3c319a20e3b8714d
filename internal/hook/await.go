package hook

import (
	"bytes"
	"os"
	"time"

	"checkrein/internal/guard"
	"checkrein/internal/harness"
	"checkrein/internal/transcript"
)

// The wait for the transcript at the end of a batch: Claude Code 2.1.332 writes
// its lines every 100 ms, and the next thing that happens is the next request.
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
	looked := map[string]int64{}
	for waited := time.Duration(0); waited < lateness && !c.responded(looked); waited += glance {
		c.env.Sleep(glance)
	}
}

// responded looks into all of the agent's files, each from where the last look
// ended. A resumed session has several, and a new agent's may be late as a whole.
func (c *check) responded(looked map[string]int64) bool {
	c.track()
	for path, f := range c.s.Files {
		if f.Agent != c.call.Agent {
			continue
		}
		there, end := holds(path, max(looked[path], f.Offset), []byte(c.call.BatchEnd))
		if there {
			return true
		}
		looked[path] = end
	}
	return false
}

// holds tells whether a line after an offset has some bytes in it, and where the
// last line ends. One that can't be read holds nothing.
func holds(path string, from int64, what []byte) (found bool, end int64) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false, from
	}
	end, err = transcript.Tail(path, from, func(_ int64, line []byte) { found = found || bytes.Contains(line, what) })
	if err != nil {
		end = from
	}
	return found, end
}
