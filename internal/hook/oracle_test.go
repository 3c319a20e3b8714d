package hook

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"checkrein/internal/guard"
	"checkrein/internal/state"
)

// TestRecordedSessionsCostWhatTheirCLISaid counts recorded sessions by our rules
// alone, and holds that against the figure that Claude Code wrote at its end.
// What /compact asked the model stands in no record and is shown as a gap.
func TestRecordedSessionsCostWhatTheirCLISaid(t *testing.T) {
	files, _ := filepath.Glob("../harness/claudecode/testdata/transcripts/*/*.jsonl")
	held := 0
	for _, path := range files {
		name := filepath.Base(filepath.Dir(path))
		said, ok := lastOwnTotal(t, path)
		if !ok {
			continue
		}
		held++
		id := strings.TrimSuffix(filepath.Base(path), ".jsonl")
		s := guard.New(id, "claude-code", time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC))
		s.Files[path] = &guard.File{Agent: "main"}
		Refresh(state.Store{Dir: t.TempDir()}, s, true, time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC))
		gap := 0.0
		if name == "compacted" {
			gap = 2 * 0.005248 // two requests, as the scripted server answered every one
		}
		if math.Abs(s.CostUSD+gap-said) > 0.01*said {
			t.Errorf("%s: $%.6f counted, Claude Code said $%.6f", name, s.CostUSD, said)
		}
		if math.Abs(s.Own.UnseenUSD-gap) > 1e-9 {
			t.Errorf("%s: a gap of $%.6f, want $%.6f", name, s.Own.UnseenUSD, gap)
		}
	}
	if held < 6 {
		t.Errorf("%d sessions have a figure of their own", held)
	}
}

func lastOwnTotal(t *testing.T, path string) (usd float64, ok bool) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(data) {
		var rec struct {
			Type         string
			TotalCostUSD float64
		}
		if json.Unmarshal(line, &rec) == nil && rec.Type == "cost-state" {
			usd, ok = rec.TotalCostUSD, true
		}
	}
	return usd, ok
}
