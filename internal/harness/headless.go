package harness

import (
	"strings"
	"unicode/utf8"
)

// Gemini CLI, as flags and records spell it.
const GeminiCLI = "gemini-cli"

// Headless is what the test drive must know to run one harness without a
// person at the keyboard and to read what it printed.
type Headless struct {
	Name    string // as flags and records spell it
	Label   string // as people read it
	Program string // the program on PATH

	// LowModel and HighModel are the models an estimate assumes for a short and
	// a long run where none is pinned; "" when there is nothing to assume.
	LowModel, HighModel string
	ReportsCost         bool // its output carries dollars, so any model can be priced
	ReportsWhileRunning bool // its output prices responses as they come, so a run can be ended at its reservation
	RunsUnpriced        bool // may run, on request, though its cost cannot be measured

	// Env names the variables that are this harness's credentials and its own
	// settings. A name ending in * stands for every variable that starts so.
	Env []string
	// EnvWhen names those of a cloud that is used only where a variable says so.
	EnvWhen []Cloud
	// NotEnv names the exceptions to Env: the handles of a session that is
	// running now, which a trial must never reach.
	NotEnv []string

	// Own is what it needs of the user's home where the rest is hidden.
	Own Own
	// Settings are the files, as paths in a repository, with which that makes the
	// harness start programs of the repository's choice.
	Settings []string
	// Config reads what the harness's own settings say of a run; nil when no run
	// depends on them. The variables come by name, files by path, "" for neither.
	Config func(getenv, file func(string) string) Config

	// Command is the argument list for one run, the program first.
	Command func(Job) []string
	// Files are what the command needs beside it, as name to content; nil for none.
	Files func(Job) map[string]string
	// Read starts reading one run's output.
	Read func(Reading) Output
	// Uses are the tool calls in one line of a run's output.
	Uses func(line []byte) []ToolUse
}

// Own is what a harness needs of the user's home: its login and its settings, not
// its sessions, which tell of the user's other work.
type Own struct {
	Dir      string   // its folder in the home
	Var      string   // the variable that puts the folder elsewhere
	Login    []string // files in the folder that the harness renews
	Settings []string // files and folders that it only has to read
}

// Config is what a harness's settings say of a run.
type Config struct {
	Model   string   // the model where none is asked for; "" when they name none
	KeyVars []string // the variables that hold keys of its providers
}

// Cloud is a cloud that can serve a harness's models: its credentials are the
// harness's only where the variable On is set.
type Cloud struct {
	On  string
	Env []string
}

// Job is one headless run, as a harness's command line is asked for it.
type Job struct {
	Prompt  string
	TestCmd string  // the repository's test command, which the agent may run
	Budget  float64 // dollars this run may spend; 0 or less for none given
	Model   string  // the model to use; "" for the harness's own choice
	Dir     string  // the folder that holds Files, never the agent's copy
}

// Reading is what a reader of output must know beside the output.
type Reading struct {
	TestCmd string
	Model   string // the model asked for, where the output names none
	// Price is the cost in dollars of one response's tokens; false when the
	// model has no price.
	Price func(u Usage, model string) (float64, bool)
	// PriceSum is the cost of many responses' tokens together, none of which
	// had a prompt long enough for a dearer tier.
	PriceSum func(u Usage, model string) (float64, bool)
}

// Output reads what one run printed, line by line, without the newline.
type Output interface {
	Line(line []byte)
	// Outcome is what the lines so far say. It may be asked at any time.
	Outcome() Outcome
}

// How a cost is known, as records spell it.
const (
	Reported   = "reported"   // the harness said so
	FromTokens = "tokens"     // its tokens times the price table
	Partial    = "partial"    // the responses seen before it was stopped, priced
	Unmeasured = "unmeasured" // a high estimate, because nothing could be read
	Unpriced   = "unpriced"   // it has no price, and counts nothing
)

// What cut a run short, other than the agent and its time limit.
const (
	ByHook   = "hook"   // a hook ended it
	ByBudget = "budget" // its own spend limit ended it
)

// Outcome is what the output of one run says.
type Outcome struct {
	Cost     *float64 // dollars; nil when unknown
	Source   string   // how Cost is known; "" when it is nil
	Usage    *Usage   // all tokens; nil when none were reported
	Model    string   // the model that cost most; "" when unknown
	Turns    *int     // requests to the model; nil when unknown
	Denials  int      // tool calls refused
	Error    string   // the harness's own words for what went wrong; untrusted
	CutShort string   // ByHook, ByBudget, or ""
	Worked   bool     // a model did work
	TestRuns *int     // the agent's own runs of the test command; nil when unknown
	TestsBad *int     // how many of them failed
}

// CommandParts are the simple commands inside a compound shell command, such as
// the two of "npm ci && npm test". Permission rules match each on its own.
func CommandParts(command string) []string {
	one := strings.NewReplacer("&&", "\n", "||", "\n", ";", "\n", "|", "\n").Replace(command)
	var parts []string
	for p := range strings.SplitSeq(one, "\n") {
		if p = strings.TrimSpace(p); p != "" {
			parts = append(parts, p)
		}
	}
	return parts
}

// Add puts the tokens of v on top of u. The sum keeps the terms that both were
// charged under; the price of a sum is an estimate where they differ.
func (u Usage) Add(v Usage) Usage {
	sum := Usage{
		Input: u.Input + v.Input, CacheRead: u.CacheRead + v.CacheRead,
		CacheWrite: u.CacheWrite + v.CacheWrite, CacheWrite1h: u.CacheWrite1h + v.CacheWrite1h,
		Output: u.Output + v.Output, Reasoning: u.Reasoning + v.Reasoning,
		WebSearches: u.WebSearches + v.WebSearches, Terms: u.Terms,
	}
	switch {
	case u == Usage{}:
		sum.Terms = v.Terms
	case u.Terms != v.Terms && v != Usage{}:
		sum.Terms = Terms{}
	}
	return sum
}

// Sane is u with counts that cannot be read as none: below zero, or more than a
// trillion. A broken count must not make room under a cap, nor fill it.
func (u Usage) Sane() Usage {
	for _, n := range []*int64{&u.Input, &u.CacheRead, &u.CacheWrite, &u.CacheWrite1h, &u.Output, &u.Reasoning, &u.WebSearches} {
		if *n < 0 || *n > 1<<40 {
			*n = 0
		}
	}
	return u
}

// Fix is what to do about an error that will come back on every task (a login
// to renew, a version to replace, a program that is missing), or "" for an
// error of one run. The error is the harness's own words; nothing of it but a
// variable's name is repeated.
func (h Headless) Fix(err string) string {
	text := strings.ToLower(err)
	switch {
	case missingVariable(err) != "":
		name := missingVariable(err)
		return "set " + name + ", and pass it on with --env " + name
	case anyOf(text, "authenticat", "oauth", "not logged in", "please login", "please log in", "please signin",
		"please sign in", "invalid api key", "unauthorized", "api key not valid", "auth method", "must specify the gemini_api_key"):
		return "sign in: run " + h.Program + " once"
	case anyOf(text, "newer version", "please upgrade", "update required"):
		return "upgrade " + h.Label
	case anyOf(text, "no such file or directory", "command not found", "executable file not found", "program not found"):
		return "install " + h.Label + ", or put " + h.Program + " on PATH"
	}
	return ""
}

func anyOf(text string, words ...string) bool {
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

// missingVariable is the environment variable that an error says is not set.
// Trials start from a short list of variables, so one that a custom provider
// needs may have to be named.
func missingVariable(err string) string {
	_, rest, ok := cutFold(err, "missing environment variable")
	if !ok {
		return ""
	}
	rest = strings.TrimLeft(rest, " :`'\"")
	end := strings.IndexFunc(rest, func(r rune) bool {
		return r != '_' && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	if end < 0 {
		end = len(rest)
	}
	return rest[:min(end, 60)]
}

func cutFold(s, sep string) (before, after string, found bool) {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "?")
	}
	i := strings.Index(strings.ToLower(s), sep)
	if i < 0 || i+len(sep) > len(s) {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}
