package drive

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"checkrein/internal/harness"
	"checkrein/internal/price"
)

// Each agent gets its own credentials and no others; tests get none.
func TestCredentials(t *testing.T) {
	environ := []string{
		"HOME=/nowhere", "ANTHROPIC_API_KEY=a", "OPENAI_API_KEY=o", "GEMINI_API_KEY=g", "AWS_SECRET_ACCESS_KEY=w", "GITHUB_TOKEN=t",
		"CLAUDE_CODE_SESSION_ID=s", "CLAUDE_CODE_SSE_PORT=1", "CODEX_SANDBOX=1", "HTTPS_PROXY=p", "SSL_CERT_FILE=c", "MINE=m", "OTHER=x",
	}
	s := Surroundings{Environ: environ, Extra: []string{"MINE"}, Prices: price.Embedded(), Now: time.Now}
	common := []string{"HTTPS_PROXY", "SSL_CERT_FILE", "HOME", "MINE", "RUNAWAY_GUARD_OFF"}
	for name, own := range map[string]string{
		harness.ClaudeCode: "ANTHROPIC_API_KEY", harness.Codex: "OPENAI_API_KEY", harness.GeminiCLI: "GEMINI_API_KEY",
	} {
		if diff := cmp.Diff(sorted(append(slices.Clone(common), own)), names(s.agentEnv(s.Adapter(name, "")))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if diff := cmp.Diff(sorted([]string{"HTTPS_PROXY", "SSL_CERT_FILE", "HOME", "MINE"}), names(s.testEnv())); diff != "" {
		t.Errorf("tests (-want +got):\n%s", diff)
	}
	s.Environ = append(environ, "CLAUDE_CODE_USE_BEDROCK=1")
	if got := names(s.agentEnv(s.Adapter(harness.ClaudeCode, ""))); !slices.Contains(got, "AWS_SECRET_ACCESS_KEY") {
		t.Errorf("on Bedrock Claude Code gets %v", got)
	}
}

func names(env []string) []string {
	var out []string
	for _, entry := range env {
		name, _, _ := strings.Cut(entry, "=")
		out = append(out, name)
	}
	return sorted(out)
}

func sorted(list []string) []string {
	slices.Sort(list)
	return list
}

// The tokens of a whole run are no long prompt.
func TestRunsArePricedWithoutLongPromptRates(t *testing.T) {
	s := Surroundings{Prices: price.Embedded(), Now: func() time.Time { return time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC) }}
	a := s.Adapter(harness.Codex, "gpt-6-sol")
	if usd, ok := a.PriceSum(harness.Usage{Input: 150_000, CacheRead: 3_000_000, CacheWrite: 150_000, Output: 50_000}, "gpt-6-sol"); !ok || usd != 1.775 {
		t.Errorf("a long run costs %v, %v, want 1.775", usd, ok)
	}
}
