package checkrein_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"checkrein/internal/harness"
	"checkrein/internal/harness/claudecode"
	"checkrein/internal/harness/codex"
)

// TestFormats: the readers make of the samples in docs/FORMATS.md what the page
// says. A block of events belongs to the block of lines before it, and both to
// the harness of the heading above.
func TestFormats(t *testing.T) {
	const page = "docs/FORMATS.md"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	checked, sample := 0, ""
	for _, b := range fences(t, page) {
		switch b.language {
		case "jsonl":
			sample = b.text
		case "events":
			got := events(headingAbove(lines, b.line), sample)
			if diff := cmp.Diff(strings.TrimSpace(b.text), got); diff != "" {
				t.Errorf("%s:%d: (-page +reader)\n%s", page, b.line, diff)
			}
			checked++
		}
	}
	if checked < 4 {
		t.Errorf("only %d samples found", checked)
	}
}

func headingAbove(lines []string, line int) string {
	for i := line - 1; i >= 0; i-- {
		if name, ok := strings.CutPrefix(lines[i], "## "); ok {
			return name
		}
	}
	return ""
}

func events(heading, sample string) string {
	var all []string
	emit := func(e harness.Event) { all = append(all, eventLine(e)) }
	reader := claudecode.NewReader(emit, harness.Resume{})
	if heading == "Codex" {
		reader = codex.NewReader(emit, harness.Resume{Records: strings.Contains(sample, `"token_usage_record"`)})
	}
	at := int64(0)
	for line := range strings.Lines(sample) {
		reader.Line(at, []byte(strings.TrimSuffix(line, "\n")))
		at += int64(len(line))
	}
	reader.Close(at, true)
	return strings.Join(all, "\n")
}

func eventLine(e harness.Event) string {
	switch e.Kind {
	case harness.Prompt:
		return "prompt"
	case harness.Interrupt:
		return "interrupt"
	case harness.ToolCall:
		result := [...]string{"pending", "succeeded", "failed", "neutral", "refused"}[e.Result]
		if e.Invalid {
			result += " invalid"
		}
		return fmt.Sprintf("call %s %s %s", e.ID, e.Tool, result)
	}
	u := e.Usage
	line := fmt.Sprintf("response %s %s", e.ID, e.Model)
	for _, part := range []struct {
		name   string
		tokens int64
	}{{"input", u.Input}, {"cache read", u.CacheRead}, {"cache write", u.CacheWrite}} {
		if part.tokens > 0 {
			line += fmt.Sprintf(" %s %d", part.name, part.tokens)
		}
	}
	if u.CacheWrite1h > 0 {
		line += fmt.Sprintf(" (1h %d)", u.CacheWrite1h)
	}
	return line + fmt.Sprintf(" output %d", u.Output)
}
