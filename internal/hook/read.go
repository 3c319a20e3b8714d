package hook

import (
	"cmp"
	"os"
	"slices"

	"checkrein/internal/guard"
	"checkrein/internal/harness"
	"checkrein/internal/transcript"
)

// read folds what the session's transcripts gained into its counts.
func (c *check) read() (counter *guard.Counter, err error) {
	was := c.s.TotalUSD()
	counter = c.count()
	if fresh := counter.Close(); fresh != nil {
		err = c.store.Share(c.s.ID, fresh)
	}
	c.paid = c.s.TotalUSD() != was
	return counter, err
}

// count reads every transcript of the session. A file that can't be read is
// passed over: the loop rule works from the call alone.
func (c *check) count() *guard.Counter {
	c.track()
	counter := guard.NewCounter(c.s, c.prices(), c.shared, c.call.Prompt != "")
	counter.Forks, counter.Now, counter.Ahead = c.Forks, c.now, c.s.Limits.Rules != (guard.Rules{})
	for _, path := range c.paths() {
		c.readFile(counter, path, c.s.Files[path])
	}
	c.answered(counter)
	c.ended(counter)
	return counter
}

// answered counts the response that the call itself tells of. A rollout without
// ids of responses would tell it again.
func (c *check) answered(counter *guard.Counter) {
	f := c.s.Files[c.call.Transcript]
	if c.call.Response == nil || c.call.Transcript != "" && (f == nil || !f.Records) {
		return
	}
	e := *c.call.Response
	e.Time = c.now
	if f != nil {
		e.Usage.Terms.Tier = f.Tier
	}
	counter.Begin(&guard.File{Agent: c.call.Agent, Seen: true, Offset: 1}, c.call.Model)
	counter.Add(e)
}

// ended takes the calls that the call itself tells of. The transcript will tell
// them again.
func (c *check) ended(counter *guard.Counter) {
	counter.Begin(&guard.File{Agent: c.call.Agent, Seen: true, Offset: 1}, c.call.Model)
	for _, e := range c.call.Batch {
		counter.Add(e)
	}
}

func (c *check) shared() guard.Shared { return c.store.ReadShared() }

// track adds the transcripts that have come to the session since the last call.
func (c *check) track() {
	search := harness.Search{
		Known:   func(path string) bool { return c.s.Files[path] != nil },
		Created: c.s.CreatedTS, Checked: c.s.CodexChecked,
	}
	if c.s.CodexStarted != nil {
		search.Started = *c.s.CodexStarted
	}
	for _, f := range c.Files(c.call, c.now, &search) {
		if c.s.Files[f.Path] == nil {
			c.s.Files[f.Path] = &guard.File{Agent: f.Agent}
		}
	}
	c.s.CodexChecked = search.Checked
	if search.Started != 0 {
		c.s.CodexStarted = &search.Started
	}
}

// paths are the session's transcripts, the one that this call names first.
func (c *check) paths() []string {
	paths := make([]string, 0, len(c.s.Files))
	for path := range c.s.Files {
		paths = append(paths, path)
	}
	slices.SortFunc(paths, func(a, b string) int {
		if (a == c.call.Transcript) != (b == c.call.Transcript) {
			if a == c.call.Transcript {
				return -1
			}
			return 1
		}
		return cmp.Compare(a, b)
	})
	return paths
}

func (c *check) readFile(counter *guard.Counter, path string, f *guard.File) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return
	}
	size, final := info.Size(), c.final(path, f)
	if size == f.Size && (!final || size == f.Offset) {
		return
	}
	if size < f.Offset { // replaced by a shorter one: read it again from the start
		*f = guard.File{Agent: f.Agent, Seen: true, Again: true}
	}
	resume, err := c.Prepare(path, f.Offset, remembered(f))
	if err != nil {
		return
	}
	counter.Begin(f, c.call.Model)
	reader := c.NewReader(counter.Add, resume)
	end, err := transcript.Tail(path, f.Offset, reader.Line)
	if err != nil {
		return
	}
	f.Offset, resume = reader.Close(end, final)
	f.Size, f.Seen = size, true
	keep(f, resume)
}

// remembered is nil for a file that the Python guard read, which kept less.
func remembered(f *guard.File) *harness.Resume {
	if !f.Seen && f.Offset > 0 {
		return nil
	}
	return &harness.Resume{Model: f.Model, Records: f.Records, Total: f.Total, Thread: f.Thread, Other: f.Other, Copied: f.Copied, Tier: f.Tier}
}

func keep(f *guard.File, r harness.Resume) {
	f.Model, f.Records, f.Total = r.Model, r.Records, r.Total
	f.Thread, f.Other, f.Copied, f.Tier = r.Thread, r.Other, r.Copied, r.Tier
}

// final reports whether a file's last response is complete: its agent has
// stopped, or the session has ended.
func (c *check) final(path string, f *guard.File) bool {
	switch c.call.Event {
	case harness.SessionEnd:
		return true
	case harness.Stop:
		return f.Agent == c.call.Agent
	case harness.SubagentStop:
		if c.call.AgentFile != "" {
			return path == c.call.AgentFile
		}
		return f.Agent == c.call.Agent
	}
	return false
}
