package task

// Limits of a commit that can become a task.
const (
	MaxFiles = 30
	MaxLines = 1000 // added plus deleted
)

// Why a commit is no candidate.
const (
	FirstCommit = "first commit" // no parent to start from
	TooLarge    = "too large"
	NoSource    = "no source changes"
	NoTests     = "no test changes"
	Unreadable  = "missing objects" // a damaged clone
	Elsewhere   = "outside the path"
)

// Change is what a rule must know of a commit.
type Change struct {
	Commit  string
	Parents []string
	Paths   []string // every path it changes
	Long    bool     // it changes more than MaxLines lines
	Damaged bool     // its changes can't be read
}

// CandidateOf makes a candidate of a commit, or says why it is none. Lines are
// counted later, only for those that are needed.
func (r Rules) CandidateOf(c Change) (cand Candidate, why string) {
	if len(c.Parents) == 0 {
		return cand, FirstCommit
	}
	cand = Candidate{Commit: c.Commit, Parent: c.Parents[0], HiddenTests: []string{}, GoldFiles: []string{}}
	source := false
	for _, path := range c.Paths {
		class := r.ClassOf(path)
		source = source || class == Source
		if class == Test {
			cand.HiddenTests = append(cand.HiddenTests, path)
		} else {
			cand.GoldFiles = append(cand.GoldFiles, path)
		}
	}
	switch {
	case c.Damaged:
		return cand, Unreadable
	case len(c.Paths) > MaxFiles || c.Long:
		return cand, TooLarge
	case !source:
		return cand, NoSource
	case len(cand.HiddenTests) == 0:
		return cand, NoTests
	}
	return cand, ""
}

// goldLines adds up the lines of a commit's source and other files.
func (r Rules) goldLines(lines map[string]int) int {
	sum := 0
	for path, n := range lines {
		if class := r.ClassOf(path); class == Source || class == Other {
			sum += n
		}
	}
	return sum
}
