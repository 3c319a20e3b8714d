package hook

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

func ownTotal(usd float64) string {
	return fmt.Sprintf(`{"type":"cost-state","sessionId":"sess-1","totalCostUSD":%g,"hasUnknownModelCost":false}`, usd)
}

func (w *world) total(want float64) {
	w.t.Helper()
	if got := w.saved().TotalUSD(); got < want-1e-6 || got > want+1e-6 {
		w.t.Errorf("$%v in all, want $%v (%+v)", got, want, w.saved().Own)
	}
}

// T13: Claude Code pays for requests that it writes nowhere (titles, compaction).
func TestWhatOnlyTheHarnessCountsIsSpent(t *testing.T) {
	w := newWorld(t)
	w.spend(3)
	w.append(ownTotal(3.5))
	w.edit()
	w.total(3.5)
	w.spend(2)
	w.edit()
	w.spent(5)
	w.total(5.5)
	w.append(ownTotal(5.75))
	w.spend(1)
	w.edit()
	w.total(6.75)
}

// T14: after /clear Claude Code's own count starts over.
func TestAnOwnCountThatStartsOverTakesNothingBack(t *testing.T) {
	w := newWorld(t)
	w.spend(3)
	w.append(ownTotal(3.5))
	w.edit()
	w.append(ownTotal(0))
	w.edit()
	w.total(3.5)
	w.spend(1)
	w.append(ownTotal(1.25))
	w.edit()
	w.total(4.75)
}

// A smaller count of its own (a price that it doesn't know) changes nothing.
func TestASmallerOwnCountTakesNothingBack(t *testing.T) {
	w := newWorld(t)
	w.spend(3)
	w.append(ownTotal(1))
	w.edit()
	w.total(3)
}

// The first read of a whole session meets the main file first, with a count that
// holds what subagents spent.
func TestAnOwnCountHoldsTheSubagents(t *testing.T) {
	w := newWorld(t)
	w.spend(3)
	w.append(ownTotal(4))
	sub := *w
	sub.transcript = filepath.Join(w.root, "sess-1", "subagents", "agent-a1.jsonl")
	makeFolder(t, filepath.Dir(sub.transcript))
	sub.append(responseRow("msg_sub", "claude-haiku-4-5", 1), closing(99))
	w.edit()
	w.spent(4)
	w.total(4)
}

// A fork begins with a copy of another session, and with its own count (seen in
// Claude Code 2.1.332: the first figure of a fork holds the other's).
func TestAForksOwnCountHoldsTheOthers(t *testing.T) {
	w := newWorld(t)
	w.spend(3)
	w.append(ownTotal(3.5))
	w.edit()
	fork := *w
	fork.transcript = filepath.Join(w.root, "sess-2.jsonl")
	fork.input = map[string]any{}
	for name, value := range w.input {
		fork.input[name] = value
	}
	fork.input["session_id"], fork.input["transcript_path"] = "sess-2", fork.transcript
	fork.append(responseRow("msg_1", "claude-haiku-4-5", 3), responseRow("msg_new", "claude-haiku-4-5", 1), ownTotal(4.5))
	fork.append(responseRow("msg_newer", "claude-haiku-4-5", 1), ownTotal(5.75), closing(7))
	fork.edit()
	s, _, err := w.store().Load("sess-2")
	w.must(err)
	if got := s.TotalUSD(); got < 2-1e-6 || got > 2.25+1e-6 {
		t.Errorf("the fork counts $%v (%+v)", got, s.Own)
	}
}

// A guess is told apart from what is known.
func TestAGuessIsCountedAndTold(t *testing.T) {
	w := newWorld(t)
	w.append(fmt.Sprintf(`{"type":"assistant","timestamp":"2026-11-30T12:00:00.000Z","message":{"id":"g","role":"assistant","model":"claude-haiku-4-5",`+
		`"stop_reason":null,"content":[{"type":"text","text":%q}],"usage":{"input_tokens":0,"output_tokens":1}}}`, strings.Repeat("abcd", 100_000)), closing(1))
	w.edit()
	w.spent(0.5)
	if got := w.saved().GuessedUSD; got < 0.499 || got > 0.5 {
		t.Errorf("$%v of it are guessed", got)
	}
}

// Codex tells the tokens of each response to a hook, before its rollout does.
func TestAResponseThatTheHookTellsIsCountedOnce(t *testing.T) {
	w := newWorld(t)
	w.args = []string{"--harness", "codex"}
	w.transcript = filepath.Join(w.root, "rollout-1.jsonl")
	w.input["transcript_path"], w.input["turn_id"], w.input["model"] = w.transcript, "t1", "gpt-5.5"
	record := func(id string) string {
		return fmt.Sprintf(`{"type":"token_usage_record","payload":{"response_id":%q,"usage":{"input_tokens":200000,"output_tokens":0}}}`, id)
	}
	tell := func(id string) {
		w.run(w.raw("", `null`, "hook_event_name", "PostModelRequest", "response_id", id, "status", "completed",
			"token_usage", map[string]any{"input_tokens": 200000, "cached_input_tokens": 0, "output_tokens": 0}))
	}
	w.append(`{"type":"session_meta","payload":{"id":"sess-1"}}`, record("r1"))
	tell("r1")
	w.spent(1)
	tell("r2")
	w.spent(2)
	w.append(record("r2"))
	w.edit()
	w.spent(2)
}

// Codex's terminal takes service tier "priority" where the user tries a new model,
// and says so in thread_settings_applied only (0.171.0): the session was priced at
// half of what it cost.
func TestTheServiceTierOfCodexIsPaid(t *testing.T) {
	for _, told := range []bool{false, true} {
		w := newWorld(t)
		w.args = []string{"--harness", "codex"}
		w.transcript = filepath.Join(w.root, "rollout-1.jsonl")
		w.input["transcript_path"], w.input["turn_id"], w.input["model"] = w.transcript, "t1", "gpt-6.1-sol"
		w.append(`{"type":"session_meta","payload":{"id":"sess-1"}}`,
			`{"timestamp":"2026-11-30T12:00:00Z","type":"event_msg","payload":{"type":"thread_settings_applied","thread_settings":{"model":"gpt-6.1-sol","service_tier":"priority"}}}`,
			`{"type":"token_usage_record","payload":{"response_id":"r0","usage":{"input_tokens":0,"output_tokens":0}}}`)
		w.edit()
		if told {
			w.run(w.raw("", `null`, "hook_event_name", "PostModelRequest", "response_id", "r1", "token_usage",
				map[string]any{"input_tokens": 100000, "cached_input_tokens": 0, "output_tokens": 100000}))
		}
		w.append(`{"timestamp":"2026-11-30T12:00:00Z","type":"token_usage_record","payload":{"response_id":"r1","usage":{"input_tokens":100000,"output_tokens":100000}}}`)
		w.edit()
		w.spent(2.4)
		w.append(`{"timestamp":"2026-11-30T12:00:00Z","type":"event_msg","payload":{"type":"thread_settings_applied","thread_settings":{"model":"gpt-6.1-sol"}}}`,
			`{"timestamp":"2026-11-30T12:00:00Z","type":"token_usage_record","payload":{"response_id":"r2","usage":{"input_tokens":100000,"output_tokens":100000}}}`)
		w.edit()
		w.spent(3.6)
	}
}

// An older rollout has no ids of responses: what the hook tells would count twice.
func TestAResponseThatTheHookTellsNeedsARolloutWithIds(t *testing.T) {
	w := newWorld(t)
	w.args = []string{"--harness", "codex"}
	w.transcript = filepath.Join(w.root, "rollout-1.jsonl")
	w.input["transcript_path"], w.input["turn_id"], w.input["model"] = w.transcript, "t1", "gpt-5.5"
	w.append(`{"type":"session_meta","payload":{"id":"sess-1"}}`,
		`{"type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"total_tokens":200000},"last_token_usage":{"input_tokens":200000}}}}`)
	w.run(w.raw("", `null`, "hook_event_name", "PostModelRequest", "response_id", "r1", "token_usage", map[string]any{"input_tokens": 200000}))
	w.spent(1)
}

// T15: a side thread (/btw) repeats its parent's message.
func TestASideThreadRepeatsItsParent(t *testing.T) {
	w := newWorld(t)
	row := strings.Replace(responseRow("msg_1", "claude-haiku-4-5", 3), `"type":"assistant"`, `"type":"assistant","requestId":"q"`, 1)
	w.append(row, strings.Replace(row, `"requestId"`, `"isSidechain":true,"requestId"`, 1), closing(1))
	w.edit()
	w.spent(3)
}

// T18: the main file and a subagent's both hold a response.
func TestAResponseInTwoFilesOfASession(t *testing.T) {
	w := newWorld(t)
	w.spend(3)
	sub := *w
	sub.transcript = filepath.Join(w.root, "sess-1", "subagents", "agent-a1.jsonl")
	makeFolder(t, filepath.Dir(sub.transcript))
	sub.append(responseRow("msg_1", "claude-haiku-4-5", 3), responseRow("msg_2", "claude-haiku-4-5", 1), closing(2))
	w.edit()
	w.spent(4)
}
