package cli_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// A harness that closed its end of the pipe ended the hook by SIGPIPE, which is
// another status than 0.
func TestTheHookEndsWithStatus0WhenNobodyReadsItsAnswer(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = write.Close() }()
	if err := read.Close(); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Cmd{
		Path: program, Args: []string{"checkrein", "guard", "hook"}, Stdout: write,
		Stdin: strings.NewReader(`{"hook_event_name":"PreToolUse","cursor_version":"1"}`),
	}
	if err := cmd.Run(); err != nil {
		t.Error(err)
	}
}
