package guard

import (
	"math"
	"strings"
	"time"

	"checkrein/internal/harness"
	"checkrein/internal/price"
)

// Shared is the list of responses that any session has counted.
type Shared interface {
	// Owner is the session that counted a response; false when none has.
	Owner(response ID) (session ID, ok bool)
}

// Counter folds what transcripts gained into a session. Each response counts
// once: a file read again from the start, or a resumed session whose file
// begins with a copy of an earlier session's records, adds nothing twice.
type Counter struct {
	// Forks: this harness begins a forked session's transcript with a copy whose
	// responses keep their ids, and which may come over several reads.
	Forks bool
	// Now is the time of the count, in the zone whose days the totals over all
	// sessions go by.
	Now time.Time
	// Ahead counts a response whose end was told before the reader lets go of it,
	// which is not before the next one starts. It comes again, by the same name, and
	// counts once. The Python guard waits.
	Ahead bool
	// First is when the oldest response was paid that the count met; zero when
	// none told.
	First time.Time

	s      *Session
	prices func() *price.Table
	shared func() Shared
	typed  bool // a typed prompt in the transcript clears loop counts, for want of prompt ids in the hook's input

	seen   map[ID]struct{}     // made when the first response comes
	denied map[string]struct{} // made when the first result comes
	list   Shared              // read when a response may be a copy
	fresh  []ID
	file   *File
	copies bool // the read may meet copies of other sessions' responses, which sit at a file's beginning
	model  string
	older  float64 // USD of the responses counted that are older than the session's state
	owned  *File   // the file in which the harness's own count was met
	after  float64 // USD of what that file holds after it
}

// NewCounter starts a count. prices and shared are called only when a response
// needs them.
func NewCounter(s *Session, prices func() *price.Table, shared func() Shared, promptIDs bool) *Counter {
	return &Counter{s: s, prices: prices, shared: shared, typed: !promptIDs}
}

// Begin turns to one file, before its events are added. model is the one in
// force where a record names none.
func (c *Counter) Begin(f *File, model string) {
	c.file, c.copies, c.model = f, f.Offset == 0 || c.Forks && f.Copying, model
	f.Copying = c.copies && !f.Again
}

// Add counts one event of the file.
func (c *Counter) Add(e harness.Event) {
	key := c.file.Agent
	if e.Kind == harness.ToolCall && c.s.Limits.Rules != (Rules{}) {
		c.s.learn(key, e)
	}
	if e.Held && !(c.Ahead && e.Kind == harness.Response) {
		return
	}
	switch e.Kind {
	case harness.Response:
		c.response(e)
	case harness.ToolCall:
		c.result(key, e)
	case harness.OwnTotal:
		c.ownTotal(e.USD)
	case harness.Interrupt:
		c.s.Streaks[key] = 0
	case harness.Prompt: // somebody is there
		c.s.Streaks[key] = 0
		if a := c.s.Agents.find(key); c.typed && a != nil {
			a.turn(a.Prompt)
		}
	}
}

func (c *Counter) response(e harness.Event) {
	if !e.Time.IsZero() && (c.First.IsZero() || e.Time.Before(c.First)) {
		c.First = e.Time
	}
	if e.Model == "" {
		e.Model = c.model
	}
	if e.ID != "" {
		id := NewID("assistant:" + e.ID)
		switch {
		case c.counted(id):
			return
		case c.copies && c.copied(id):
			if !e.Held { // else it comes again
				usd, _ := c.charge(e)
				c.s.CopiedUSD += usd
			}
			return
		}
		c.seen[id], c.file.Copying = struct{}{}, false
		c.fresh = append(c.fresh, id)
	}
	usd := c.s.pay(e, c.charge)
	c.paidAt(usd, e.Time)
	c.s.Tokens += e.Usage.Tokens() - e.Usage.CacheRead
	if c.file == c.owned {
		c.after += usd
	}
	if !e.Time.IsZero() && float64(e.Time.UnixNano())/1e9 < c.s.CreatedTS {
		c.older += usd
	}
}

// ownTotal takes the harness's own count.
func (c *Counter) ownTotal(usd float64) {
	c.s.Own.add(usd)
	c.owned, c.after = c.file, 0
}

// Older is what was counted so far for responses from before the guard met the
// session, in USD.
func (c *Counter) Older() float64 { return c.older }

func (c *Counter) counted(id ID) bool {
	if c.seen == nil {
		c.seen = c.s.countedIDs()
	}
	_, ok := c.seen[id]
	return ok
}

// copied tells whether another session has counted a response. The last one of
// a copy is held back with what follows it, and a read may come before the copy
// is written, so the search goes on from read to read until the file has a
// response of its own.
func (c *Counter) copied(id ID) bool {
	if c.list == nil {
		c.list = c.shared()
	}
	owner, ok := c.list.Owner(id)
	return ok && owner != NewID(c.s.ID)
}

// result follows the failure streak. A neutral end neither counts nor ends it,
// and the calls the guard itself blocked are left out.
func (c *Counter) result(key string, e harness.Event) {
	if c.deniedByUs(e.ID) {
		return
	}
	switch e.Result {
	case harness.Failed:
		if c.s.Limits.On(ChangingFailures) && !c.s.unchanged(key, e) {
			c.s.Streaks[key] = 0
		}
		c.s.Streaks[key]++
	case harness.Succeeded, harness.Refused:
		c.s.Streaks[key] = 0
	}
}

func (c *Counter) deniedByUs(call string) bool {
	if c.denied == nil {
		c.denied = make(map[string]struct{}, len(c.s.DeniedIDs))
		for _, id := range c.s.DeniedIDs {
			c.denied[id] = struct{}{}
		}
	}
	_, ok := c.denied[call]
	return ok
}

// Close ends the count and returns the responses it added, for the shared list.
func (c *Counter) Close() []ID {
	if c.owned != nil {
		unseen := c.s.Own.UnseenUSD
		c.s.Own.compare(c.s.CostUSD-c.after, c.s.CopiedUSD)
		c.paidAt(c.s.Own.UnseenUSD-unseen, c.Now)
	}
	if len(c.fresh) == 0 {
		return nil
	}
	var b strings.Builder
	b.WriteString(c.s.Counted)
	for _, id := range last(c.fresh, maxCounted) {
		b.WriteString(id.String())
	}
	const digits = 2 * len(ID{})
	all := b.String()
	c.s.Counted = all[max(0, len(all)-maxCounted*digits):]
	return c.fresh
}

// countedIDs reads the ids, 16 hex digits each, that Counted strings together.
func (s *Session) countedIDs() map[ID]struct{} {
	const digits = 2 * len(ID{})
	ids := make(map[ID]struct{}, len(s.Counted)/digits+64)
	for i := 0; i+digits <= len(s.Counted); i += digits {
		if id, ok := parseID(s.Counted[i : i+digits]); ok {
			ids[id] = struct{}{}
		}
	}
	return ids
}

// maxDays is how many days a session keeps what it paid of.
const maxDays = 70

// paidAt adds what was paid at a time, or now where a record does not tell, to
// the day's total and to the latest minutes.
func (c *Counter) paidAt(usd float64, at time.Time) {
	if c.Now.IsZero() || usd <= 0 {
		return
	}
	if at.IsZero() {
		at = c.Now
	}
	c.s.noteRate(usd, at, c.Now)
	if at.Unix() < c.s.Installed || at.Before(c.Now.AddDate(0, 0, -maxDays)) {
		return
	}
	if c.s.Days == nil {
		c.s.Days = map[string]int64{}
	}
	c.s.Days[at.In(c.Now.Location()).Format(time.DateOnly)] += int64(math.Round(usd * 1e9))
}
