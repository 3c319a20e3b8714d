package harness

// Search is what finding a session's transcripts remembers between two hook
// calls. Files fills and changes it; the caller keeps it with the session.
type Search struct {
	Known   func(path string) bool // in: the session has this transcript already; nil means none
	Created float64                // in: when the session's state was made, Unix seconds
	Started float64                // Codex: when the session started, Unix seconds; 0 until it is known
	Checked []string               // Codex: names of the rollouts looked into, oldest first
}

// Has tells whether path is known already.
func (s *Search) Has(path string) bool { return s.Known != nil && s.Known(path) }
