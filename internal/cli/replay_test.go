package cli_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"checkrein/internal/cli"
)

// TestReplayStopped: Ctrl-C ends a replay with the exit code of a signal and
// without half a report.
func TestReplayStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	home := t.TempDir()
	var out, said strings.Builder
	code := cli.Main(ctx, []string{"guard", "replay"}, cli.Env{
		Stdout: &out, Stderr: &said, Now: time.Now,
		Getenv:  func(name string) string { return map[string]string{"HOME": home}[name] },
		Environ: func() []string { return nil },
	})
	if code != 130 || !strings.Contains(said.String(), "stopped; nothing was changed") || out.Len() > 0 {
		t.Errorf("exit code %d, %q, %q", code, out.String(), said.String())
	}
}
