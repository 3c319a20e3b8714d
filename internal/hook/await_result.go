package hook

import (
	"errors"
	"time"
)

// awaitResult waits for the result of a call before, when that alone tells a poll
// from a loop, or a failure more from a success: the transcript's lines can be as
// late as at the end of a batch.
func (c *check) awaitResult() (failed error) {
	if !c.before() || c.env.Sleep == nil || c.call.Transcript == "" {
		return nil
	}
	for waited := time.Duration(0); waited < lateness && c.s.Unsure(c.call); waited += glance {
		c.env.Sleep(glance)
		_, err := c.read()
		failed = errors.Join(failed, err, c.pay())
	}
	return failed
}
