package cli_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"checkrein/internal/cli"
	"checkrein/internal/price"
)

// TestOldPrices: a table is doubted when it is more than 60 days old.
func TestOldPrices(t *testing.T) {
	checked, err := time.Parse(time.DateOnly, price.Embedded().Checked)
	if err != nil {
		t.Fatal(err)
	}
	run := func(now time.Time, args ...string) (int, string) {
		var out bytes.Buffer
		home := t.TempDir()
		env := cli.Env{
			Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out, Now: func() time.Time { return now }, Arg0: "checkrein",
			Getenv:  func(name string) string { return map[string]string{"HOME": home}[name] },
			Environ: func() []string { return []string{"HOME=" + home} },
		}
		return cli.Main(context.Background(), args, env), out.String()
	}
	const warning = "A newer checkrein may have newer ones."
	for _, c := range []struct {
		days int
		code int
		old  bool
	}{{0, 0, false}, {60, 0, false}, {61, 1, true}} {
		now := checked.AddDate(0, 0, c.days).Add(12 * time.Hour)
		if code, out := run(now, "prices", "check"); code != c.code || strings.Contains(out, warning) != c.old {
			t.Errorf("check after %d days: status %d, %q", c.days, code, out)
		}
		if code, out := run(now, "prices", "--family", "claude-opus"); code != 0 || strings.Contains(out, warning) != c.old {
			t.Errorf("list after %d days: status %d, %q", c.days, code, out)
		}
	}
}
