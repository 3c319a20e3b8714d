package trial

import "time"

// Event is one step of a run, as the append-only event log keeps it. Its Kind
// says which of the other fields are set. The live view and the summary are
// readers of these; results.jsonl holds what Recorded and Recovered carry, see
// [Logged].
type Event struct {
	At   time.Time `json:"at"`
	Kind Kind      `json:"event"`
	Run  string    `json:"run,omitzero"`   // the trial's run; "" for steps of the whole command
	ID   ID        `json:"trial,omitzero"` // with Run

	Label    string   `json:"label,omitzero"`        // Planned: the harness
	Subject  string   `json:"subject,omitzero"`      // Planned: safe to show
	Number   int      `json:"number,omitzero"`       // Planned: place among those to run, from 1
	Of       int      `json:"of,omitzero"`           // Opened, Planned: how many are to run
	Before   int      `json:"done,omitzero"`         // Opened: trials that earlier commands finished
	Cap      float64  `json:"cap_usd,omitzero"`      // Opened, Recorded
	Spent    float64  `json:"spent_usd,omitzero"`    // Opened, Recorded: counted so far
	USD      float64  `json:"usd,omitzero"`          // Reserved, Spending, Charged, Recovered
	Source   string   `json:"source,omitzero"`       // Charged
	Seconds  float64  `json:"seconds,omitzero"`      // AgentEnded, Scored
	Exit     *int     `json:"exit,omitzero"`         // AgentEnded, Scored
	TimedOut bool     `json:"timed_out,omitzero"`    // AgentEnded, Scored
	Lines    int      `json:"lines,omitzero"`        // Captured
	Files    int      `json:"files,omitzero"`        // Captured
	Reused   bool     `json:"setup_reused,omitzero"` // Prepared, Scored: the setup command did not run, because what it leaves was there
	Text     string   `json:"text,omitzero"`         // Opened: the results file. Skipped: the fix. Warned: the warning. Safe to show
	Harness  string   `json:"harness,omitzero"`      // Skipped
	Left     int      `json:"left,omitzero"`         // CapReached, Closed: trials not started. Skipped: those left out
	Record   *Record  `json:"record,omitzero"`       // Recorded, Recovered
	Missing  []string `json:"missing,omitzero"`      // Opened: harnesses that are not installed
}

// Kind is the kind of an event.
type Kind string

// The events, in the order in which a trial goes through them.
const (
	Opened       Kind = "opened"        // a run command began
	Warned       Kind = "warned"        // something the user should know before agents start
	Recovered    Kind = "recovered"     // a run that a killed command left was taken care of
	Planned      Kind = "planned"       // a trial is next
	Reserved     Kind = "reserved"      // its money is set aside
	Copied       Kind = "copied"        // its copy is there
	Prepared     Kind = "prepared"      // its copy is set up
	AgentStarted Kind = "agent-started" // the agent runs
	Spending     Kind = "spending"      // the agent reported spend
	AgentEnded   Kind = "agent-ended"   // it and all it started are gone
	Charged      Kind = "charged"       // the cap counts it
	Captured     Kind = "captured"      // its changes are saved
	Scored       Kind = "scored"        // the tests have decided
	Recorded     Kind = "recorded"      // the result is written
	Skipped      Kind = "skipped"       // a harness's other trials are left out
	Closed       Kind = "closed"        // the run command is over
	Stopping     Kind = "stopping"      // the user stopped the command: what runs is being ended
	CapReached   Kind = "cap-reached"   // nothing is left to spend
)

// Summary is what one run command did.
type Summary struct {
	Results      string            `json:"results_file"` // safe to show
	Cap          float64           `json:"max_usd"`
	Runs         int               `json:"runs"`
	AlreadyDone  int               `json:"already_done"`
	StoppedAtCap bool              `json:"stopped_at_cap"`
	NotStarted   int               `json:"not_started"`
	Spent        float64           `json:"spent_usd"` // all commands together, to the hundredth of a cent
	Skipped      map[string]string `json:"skipped"`   // harness to fix
	NotInstalled []string          `json:"not_installed"`
	Recovered    int               `json:"recovered"` // runs that a killed command had left
	Reused       int               `json:"setups_reused,omitzero"`
}

// Take folds one event into the summary.
func (s *Summary) Take(e Event) {
	if e.Reused {
		s.Reused++
	}
	switch e.Kind {
	case Opened:
		s.Results, s.Cap, s.AlreadyDone, s.Spent = e.Text, e.Cap, e.Before, e.Spent
		s.NotInstalled, s.Skipped = append([]string{}, e.Missing...), map[string]string{}
	case Recovered:
		s.Recovered++
	case Recorded:
		s.Runs++
		s.Spent = e.Spent
	case Skipped:
		s.Skipped[e.Harness] = e.Text
	case CapReached:
		s.StoppedAtCap, s.NotStarted = true, e.Left
	case Closed:
		s.Spent = Round(e.Spent, 4)
	}
}
