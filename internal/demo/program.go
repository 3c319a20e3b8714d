package demo

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
)

// program is checkrein, started as a process of its own for every call.
type program struct {
	ctx  context.Context
	path string
	env  []string
	dir  string
}

func (p program) run(input []byte, args ...string) (string, error) {
	cmd := exec.CommandContext(p.ctx, p.path, args...)
	var stdout, stderr bytes.Buffer
	cmd.Env, cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = p.env, p.dir, bytes.NewReader(input), &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return stdout.String(), fmt.Errorf("running checkrein %s: %w: %s", commandLine(args), err, stderr.String())
	}
	return stdout.String(), nil
}

// spent is what the guard had counted at the last call, 0 before its first
// session. The list tells that; the report on one session counts on.
func (p program) spent() float64 {
	var list struct {
		Sessions []struct {
			Spent float64 `json:"spent_usd"`
		} `json:"sessions"`
	}
	printed, _ := p.run(nil, "guard", "status", "--list", "--json")
	if json.Unmarshal([]byte(printed), &list) != nil || len(list.Sessions) == 0 {
		return 0
	}
	return list.Sessions[0].Spent
}

func commandLine(args []string) string { return strings.Join(args, " ") }

// answer is what the hook said about a call.
type answer struct {
	outcome Outcome
	text    string // for the agent when the call is blocked, else for the user
}

// read understands the hook's output as Claude Code does.
func read(printed string) answer {
	var said struct {
		Specific struct {
			Event    string `json:"hookEventName"`
			Decision string `json:"permissionDecision"`
			Reason   string `json:"permissionDecisionReason"`
		} `json:"hookSpecificOutput"`
		Continue *bool  `json:"continue"`
		Message  string `json:"systemMessage"`
	}
	if json.Unmarshal([]byte(printed), &said) != nil || said.Specific.Event != "PreToolUse" {
		said.Specific.Decision = "" // Claude Code ignores a decision without the event's name
	}
	switch {
	case said.Specific.Decision == "deny" && said.Continue != nil && !*said.Continue:
		return answer{TurnEnded, said.Specific.Reason}
	case said.Specific.Decision == "deny":
		return answer{Blocked, said.Specific.Reason}
	case said.Specific.Decision == "ask":
		return answer{Asked, said.Specific.Reason}
	case said.Message != "":
		return answer{Warned, said.Message}
	}
	return answer{outcome: Runs}
}

// readStop is why a prompt is not sent; "" when it is.
func readStop(printed string) string {
	var said struct {
		Continue *bool  `json:"continue"`
		Reason   string `json:"stopReason"`
	}
	if json.Unmarshal([]byte(printed), &said) != nil || said.Continue == nil || *said.Continue {
		return ""
	}
	return said.Reason
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func median(all []time.Duration) float64 {
	if len(all) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(all))
	return millis(sorted[len(sorted)/2])
}
