//go:build unix

package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"checkrein/internal/drive"
	"checkrein/internal/live"
	"checkrein/internal/redact"
	"checkrein/internal/status"
	"checkrein/internal/trial"
)

func newDriveEstimateCommand(env Env) *cobra.Command {
	var o reportOptions
	var tasks, harness, model string
	cmd := &cobra.Command{
		Use:   "estimate",
		Short: "Count the runs and estimate what they cost",
		Long: `Says which harnesses are on this computer, how many runs the tasks make, and what
they may cost at API list prices. It runs nothing and spends nothing.

Exit status: 0 done; 2 bad flags or files.`,
		Example: `  checkrein drive estimate
  checkrein drive estimate --harness claude-code,codex --json`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			doc, err := loadTasks(tasks)
			if err != nil {
				return err
			}
			around := surroundings(env, nil)
			adapters, err := chooseAdapters(harness, model, around)
			if err != nil {
				return err
			}
			est := trial.NewEstimate(drive.Validated(doc), adapters, around.Prices.Checked, showModel)
			text := estimateText(est)
			if line := rejectedLine(doc); line != "" {
				text += "- " + line
			}
			return o.emit(text, est, env)
		},
	}
	cmd.Flags().StringVar(&tasks, "tasks", defaultTasks, "tasks `file` from drive mine")
	cmd.Flags().StringVar(&harness, "harness", strings.Join(drive.Names(), ","), "`names`, with commas between")
	completesList(cmd, "harness", drive.Names()...)
	cmd.Flags().StringVar(&model, "model", "", "pin models: harness=model `pairs`, with commas between")
	o.flags(cmd)
	return cmd
}

func showModel(model string) string { return redact.Line(model, 60) }

func estimateText(est trial.Estimate) string {
	var page strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&page, format+"\n", args...) }
	line("**%s**\n", estimateHeadline(est))
	line("| Harness | Found on this computer | Runs | Per run | Total | Priced as |\n|---|---|---|---|---|---|")
	var missing []string
	for _, r := range est.Harnesses {
		line("%s", estimateRow(r))
		if !r.Installed {
			missing = append(missing, r.Label)
		}
	}
	line("")
	line("- The real cost depends on the model each harness uses and on your plan. On a subscription plan (such as Claude Max " +
		"or ChatGPT), runs use up the plan's limits instead.")
	line("- A run is taken to use %s tokens (a short fix) to %s tokens (a long one), mostly cached reads. Prices were checked %s.",
		status.Thousands(est.PerRun[0]), status.Thousands(est.PerRun[1]), est.Checked)
	line("- The cap limits what is counted. Claude Code stops itself at what a run may spend. A Codex run has no limit but " +
		"--timeout, and one cut off there counts as an estimate, so the bill can pass the cap by what such runs cost. Runs " +
		"allowed with --allow-unpriced count $0.")
	if len(missing) > 0 {
		line("- Not found on this computer: %s. Install it or leave it out.", listed(missing))
	}
	if est.Tasks == 0 {
		line("- The tasks file has no validated tasks. Run checkrein drive mine --validate first.")
	}
	return page.String()
}

func estimateHeadline(est trial.Estimate) string {
	word := "harnesses"
	if len(est.Harnesses) == 1 {
		word = "harness"
	}
	head := fmt.Sprintf("%s: %s on %d %s.", live.Count(est.Runs, "run"), live.Count(est.Tasks, "task"), len(est.Harnesses), word)
	switch {
	case est.Total != nil && len(est.Unpriced) > 0:
		return head + fmt.Sprintf(" Estimated cost at API prices: %s, plus %s, which cannot be priced.", span(*est.Total), listed(est.Unpriced))
	case est.Total != nil:
		return head + " Estimated cost at API prices: " + span(*est.Total) + "."
	case len(est.Unpriced) > 0:
		return head + " " + listed(est.Unpriced) + " cannot be priced."
	}
	return head
}

func estimateRow(r trial.EstimateRow) string {
	per, total, basis := "n/a", "n/a", ""
	switch {
	case r.PerRun != nil && r.Total != nil && len(r.Models) == 2:
		per, total = span(*r.PerRun), span(*r.Total)
		basis = redact.Code(r.Models[0], 60)
		if r.Models[0] != r.Models[1] {
			basis += " to " + redact.Code(r.Models[1], 60)
		}
	case r.Reason != nil:
		basis = "cannot be priced: " + *r.Reason
	}
	found := "no"
	if r.Installed {
		found = "yes"
	}
	return fmt.Sprintf("| %s | %s | %d | %s | %s | %s |", r.Label, found, r.Runs, per, total, basis)
}

func span(r [2]float64) string { return live.Dollars(r[0]) + " to " + live.Dollars(r[1]) }

// listed joins names as a sentence does.
func listed(items []string) string {
	if len(items) < 3 {
		return strings.Join(items, " and ")
	}
	last := len(items) - 1
	return strings.Join(items[:last], ", ") + ", and " + items[last]
}
