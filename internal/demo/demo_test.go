package demo_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"checkrein/internal/demo"
)

// build makes the program under test.
func build(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "checkrein.exe") // the ending is needed on Windows and does no harm elsewhere
	if out, err := exec.Command("go", "build", "-o", path, "checkrein/cmd/checkrein").CombinedOutput(); err != nil {
		t.Fatalf("building checkrein: %v\n%s", err, out)
	}
	return path
}

func TestEveryWireFires(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("RUNAWAY_GUARD_OFF", "1") // the user's own settings must not reach the demo
	fired := map[string][]demo.Outcome{}
	var commands []string
	err := demo.Run(t.Context(), demo.Options{
		Program: build(t), Env: os.Environ(),
		Emit: func(e demo.Event) {
			switch {
			case e.Kind == demo.KindCall && e.Outcome != demo.Runs:
				fired[e.Chapter] = append(fired[e.Chapter], e.Outcome)
			case e.Kind == demo.KindCommand || e.Kind == demo.KindPrompt:
				commands = append(commands, e.Input)
			}
		},
	})
	if err != nil {
		t.Error(err)
	}
	want := map[string][]demo.Outcome{
		"loop": {demo.Blocked}, "failures": {demo.Asked}, "spend": {demo.Warned, demo.TurnEnded, demo.TurnEnded},
	}
	if diff := cmp.Diff(want, fired); diff != "" {
		t.Errorf("what fired, by chapter (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"guard status --session demo", "checkrein guard allow"}, commands); diff != "" {
		t.Errorf("commands (-want +got):\n%s", diff)
	}
	if left, _ := os.ReadDir(os.Getenv("TMPDIR")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestSilentGuardIsNoticed: a program that answers nothing, as a hook whose
// binary is broken does, is not taken for one that works.
func TestSilentGuardIsNoticed(t *testing.T) {
	silent, err := exec.LookPath("true")
	if err != nil {
		t.Fatal(err)
	}
	wrong := 0
	err = demo.Run(t.Context(), demo.Options{Program: silent, Emit: func(e demo.Event) { wrong = e.Wrong }})
	if !errors.Is(err, demo.ErrUnexpected) || wrong != 6 {
		t.Errorf("Run = %v with %d wrong, want %v with 6", err, wrong, demo.ErrUnexpected)
	}
}

// TestClosedPipeLeavesNothing: the reader of `guard demo | head -1` goes away.
func TestClosedPipeLeavesNothing(t *testing.T) {
	temp := t.TempDir()
	cmd := exec.Command(build(t), "guard", "demo")
	cmd.Env = append(os.Environ(), "TMPDIR="+temp)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	_ = out.Close()
	if err := cmd.Wait(); err == nil {
		t.Error("it ended as if all had been told")
	}
	if left, _ := os.ReadDir(temp); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestText(t *testing.T) {
	var b bytes.Buffer
	text := demo.Text{Out: &b, Width: 40}
	for _, e := range []demo.Event{
		{Kind: demo.KindChapter, Title: "Loop."},
		{Kind: demo.KindCall, Tool: "Bash", Input: "make", Expected: demo.Blocked, Outcome: demo.Blocked, Text: "one two three four five six seven", SpentUSD: 0.5},
		{Kind: demo.KindCall, Tool: "Bash", Input: "make", Expected: demo.Runs, Outcome: demo.Blocked, Text: "not again"},
		{Kind: demo.KindCommand, Input: "guard status", Text: "a\n\nb\n"},
		{Kind: demo.KindEnd, Calls: 2, Millis: 4.25, Wrong: 1},
	} {
		text.Event(e)
	}
	want := `
1. Loop.
    $0.50  Bash  make                     BLOCKED
           one two three four five six
           seven
    $0.00  Bash  make                     BLOCKED
           EXPECTED: runs
  $ checkrein guard status
    a

    b

2 tool calls, 4.2 ms each in the hook (median, process start included).
Answers that were not as they should be: 1.
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	if strings.Contains(b.String(), "\x1b") {
		t.Error("colours where none were asked for")
	}
}
