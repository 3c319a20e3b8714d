package harness_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"checkrein/internal/harness"
)

func TestCommandParts(t *testing.T) {
	for in, want := range map[string][]string{
		"go test ./...":          {"go test ./..."},
		"npm ci && npm test":     {"npm ci", "npm test"},
		"a; b || c | d":          {"a", "b", "c", "d"},
		"  ":                     nil,
		"cd x && ./run 'a b' -v": {"cd x", "./run 'a b' -v"},
		"make 2>&1 | tee log":    {"make 2>&1", "tee log"},
	} {
		if diff := cmp.Diff(want, harness.CommandParts(in)); diff != "" {
			t.Errorf("CommandParts(%q) (-want +got):\n%s", in, diff)
		}
	}
}

func TestFix(t *testing.T) {
	h := harness.Headless{Label: "Codex", Program: "codex"}
	for in, want := range map[string]string{
		"Failed to authenticate. API Error: 401":                "sign in: run codex once",
		"unexpected status 401 Unauthorized: invalid x-api-key": "sign in: run codex once",
		"Invalid API key · Fix external API key":                "sign in: run codex once",
		"API key not valid. Please pass a valid API key.":       "sign in: run codex once",
		"This model requires a newer version of Codex.":         "upgrade Codex",
		"sh: 1: codex: command not found":                       "install Codex, or put codex on PATH",
		`exec: "codex": executable file not found in $PATH`:     "install Codex, or put codex on PATH",
		"Missing environment variable: `SCRIPTED_KEY`.":         "set SCRIPTED_KEY, and pass it on with --env SCRIPTED_KEY",
		"stream disconnected":                                   "",
		"":                                                      "",
		"Reached maximum budget ($0.01)":                        "",
	} {
		if got := h.Fix(in); got != want {
			t.Errorf("Fix(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestUsageAdd(t *testing.T) {
	fast := harness.Usage{Output: 1, WebSearches: 2, Terms: harness.Terms{Fast: true}}
	if got := (harness.Usage{}).Add(fast).Add(fast); got != (harness.Usage{Output: 2, WebSearches: 4, Terms: fast.Terms}) {
		t.Errorf("two alike: %+v", got)
	}
	if got := fast.Add(harness.Usage{}); got != fast {
		t.Errorf("and nothing: %+v", got)
	}
	if got := fast.Add(harness.Usage{Input: 3}); got != (harness.Usage{Input: 3, Output: 1, WebSearches: 2}) {
		t.Errorf("two under other terms: %+v", got)
	}
	if got := (harness.Usage{WebSearches: -1, Output: 1 << 41, Input: 5}).Sane(); got != (harness.Usage{Input: 5}) {
		t.Errorf("broken counts: %+v", got)
	}
}
