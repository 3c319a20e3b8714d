//go:build unix

package cli

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"checkrein/internal/board"
	"checkrein/internal/drive"
	"checkrein/internal/redact"
)

// reportOptions say how a drive command reports.
type reportOptions struct {
	json bool
	out  string
}

func (o *reportOptions) flags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&o.json, "json", false, "print JSON instead of Markdown")
	cmd.Flags().StringVar(&o.out, "out", "", "write the Markdown to this `file`, too")
}

// emit prints the report, as Markdown or JSON; the file always gets Markdown.
func (o *reportOptions) emit(markdown string, data any, env Env) error {
	text := markdown
	if o.json {
		var err error
		if text, err = indented(data); err != nil {
			return fmt.Errorf("writing the report as JSON: %w", err)
		}
	}
	if _, err := io.WriteString(env.Stdout, text); err != nil {
		return err
	}
	if o.out == "" {
		return nil
	}
	if err := os.WriteFile(o.out, []byte(markdown), 0o666); err != nil {
		return bad("writing the report: %s", redact.Line(err.Error(), 300))
	}
	return nil
}

func newDriveReportCommand(env Env) *cobra.Command {
	var o reportOptions
	var results string
	cmd := &cobra.Command{
		Use:   "report",
		Short: "Print the scoreboard of the recorded runs",
		Long: `Prints the scoreboard: passes, dollars for each pass, minutes and the size of the
changes, by harness and by task. Harnesses are compared on the tasks that every one
of them finished, and stand in rank order: most passes, then the lowest cost per pass.

Exit status: 0 done; 2 bad flags or files.`,
		Example: `  checkrein drive report
  checkrein drive report --json
  checkrein drive report --out scoreboard.md`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			records, err := drive.ReadRecords(results)
			if err != nil {
				return bad("%s", redact.Line(err.Error(), 300))
			}
			b := board.New(records, drive.Known, prices(env).Checked)
			return o.emit(b.Markdown(), b, env)
		},
	}
	cmd.Flags().StringVar(&results, "results", defaultResults, "results `file` from drive run")
	o.flags(cmd)
	return cmd
}
