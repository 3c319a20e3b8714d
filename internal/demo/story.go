package demo

// Outcome is what came of a tool call.
type Outcome string

// What may come of a tool call.
const (
	Runs      Outcome = "runs"       // the guard said nothing
	Warned    Outcome = "warned"     // it runs, and the user reads a message
	Asked     Outcome = "asked"      // the user is asked whether it runs
	Blocked   Outcome = "blocked"    // it does not run, and the agent is told why
	TurnEnded Outcome = "turn ended" // it does not run, and the agent's turn is over
)

// chapter is a part of the story with a point of its own.
type chapter struct {
	name, title string
	prompt      string // typed by the user before it; "" when the turn goes on
	steps       []step
}

// step is one tool call, or what the user types: a command, or a prompt for the
// guard.
type step struct {
	tool, input string
	fails       bool    // the call, when it runs
	usd         float64 // what the response with this call costs
	want        Outcome
	command     []string
	typed       string
}

// Costs of one response, in dollars. A response is counted at the call after
// it, so a wire that looks at spend fires one call later.
const (
	cheap = 0.09
	dear  = 2.30
)

func bash(command string, want Outcome) step {
	return step{tool: "Bash", input: command, usd: cheap, want: want}
}

func failing(command string) step {
	s := bash(command, Runs)
	s.fails = true
	return s
}

func costly(tool, input string, want Outcome) step {
	return step{tool: tool, input: input, usd: dear, want: want}
}

// story holds to the guard's defaults: a $10 cap with a warning at 80%, three
// identical calls, five failures.
func story() []chapter {
	return []chapter{
		{
			name: "quiet", title: "Work as usual: the guard says nothing.", prompt: "Fix the failing deploy.",
			steps: []step{
				{tool: "Read", input: "deploy.yml", usd: cheap, want: Runs},
				{tool: "Edit", input: "deploy.yml", usd: cheap, want: Runs},
				bash("go test ./...", Runs),
			},
		},
		{
			name: "loop", title: "Loop: the same call a third time, with nothing changed in between.",
			steps: []step{
				bash("make deploy", Runs),
				{tool: "Read", input: "deploy.log", usd: cheap, want: Runs},
				bash("make deploy", Runs),
				bash("make deploy", Blocked),
				{tool: "Edit", input: "deploy.yml", usd: cheap, want: Runs},
				bash("make deploy", Runs), // something has changed
			},
		},
		{
			name: "failures", title: "Failures: five in a row, and the user is asked before the next call.",
			steps: []step{
				failing("curl -f localhost:8080"), failing("docker ps"), failing("systemctl status app"),
				failing("journalctl -u app"), failing("ss -ltnp"), bash("make restart", Asked),
			},
		},
		{
			name: "spend", title: "Spend: a warning at 80% of the cap, and the end of the turn at the cap.",
			prompt: "No. Look at the whole repository instead.",
			steps: []step{
				costly("Read", "src/a.go", Runs), costly("Read", "src/b.go", Runs), costly("Read", "src/c.go", Runs),
				costly("Read", "src/d.go", Warned), costly("Read", "src/e.go", TurnEnded), bash("ls", TurnEnded),
			},
		},
		{
			name: "allow", title: "The cap is yours to lift: the user looks, says so in one prompt, and the session goes on.",
			steps: []step{
				{command: []string{"guard", "status", "--session", sessionID}},
				{typed: "checkrein guard allow"},
				bash("git status", Runs),
			},
		},
	}
}
