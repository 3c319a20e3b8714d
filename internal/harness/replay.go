package harness

// Replay is what a harness's transcripts mean to somebody who plays them: which
// sessions they are, and how the harness would have asked its hook.
type Replay struct {
	Archive
	Adapter Adapter

	// Key tells sessions apart where their ids may not; nil where ids do.
	Key func(Log) string
	// ShortID is how many characters of an id tell sessions apart for people; 0 for
	// all of them.
	ShortID int

	// PaidFirst: the hook is told what a response cost before its calls run. Else it
	// knows that once the next request is sent.
	PaidFirst bool
	// Batches: a hook runs when the calls of a response are over.
	Batches bool
	// PerAgent: hooks of a subagent name its own transcript, and its own turns. Else
	// those of the main agent, for whose prompt it works.
	PerAgent bool
	// Hooked tells whether a hook is asked about a call that is one.
	Hooked func(Event) bool
}
