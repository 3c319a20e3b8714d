package harness

import "time"

// Adapter is what the guard needs of one harness: values and functions of its
// folder, so that the list of harnesses is data.
type Adapter struct {
	Name string
	Asks bool // a hook can put a question to the user
	// Forks: a forked session's transcript begins with a copy of the other's, with
	// the same response ids, and is written while hooks already run.
	Forks bool

	NewCall   func(Input) Call
	Files     func(Call, time.Time, *Search) []File
	Prepare   func(path string, offset int64, remembered *Resume) (Resume, error)
	NewReader func(emit func(Event), r Resume) Reader
	// NewDetailedReader's events are those of NewReader, and tool calls have a Detail.
	NewDetailedReader func(emit func(Event), r Resume) Reader
	Answer            func(a Answer, event string) []byte
	// Alone tells whether nobody watches the session, so that a question would
	// never be answered.
	Alone func(call Call, getenv func(string) string) bool
	// Level is how many agents are above the one that calls: 0 for the main agent,
	// and where it is not known. It may read a file.
	Level func(Call) int
}
