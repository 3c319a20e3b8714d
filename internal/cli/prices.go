package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"checkrein/internal/price"
	"checkrein/internal/redact"
	"checkrein/internal/state"
)

func newPricesCommand(env Env) *cobra.Command {
	var o pricesOptions
	cmd := &cobra.Command{
		Use:   "prices",
		Short: "Show, explain and import the prices that everything is counted by",
		Long: `Every figure of checkrein is tokens times list prices. These come with checkrein, each
with its source and the day it was checked. Your own prices go before them: the file
prices.json in the state folder. Prices imported from LiteLLM or models.dev come after
them, for models that checkrein does not know.

Without a command it lists the prices. Nothing here uses the network.`,
		Example: `  checkrein prices --family claude
  checkrein prices show claude-opus-5-5 --at 2026-10-01
  checkrein prices import model_prices_and_context_window.json
  checkrein prices check`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return runPricesList(o, env) },
	}
	o.listFlags(cmd)
	cmd.AddCommand(newPricesListCommand(env), newPricesShowCommand(env), newPricesImportCommand(env), newPricesCheckCommand(env))
	return cmd
}

// pricesOptions are the flags of the prices commands.
type pricesOptions struct {
	family, at, out  string
	all, write, json bool
}

func (o *pricesOptions) outFlags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&o.json, "json", false, "print JSON")
	cmd.Flags().StringVar(&o.out, "out", "", "write the report to this `file`")
}

func (o *pricesOptions) dayFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.at, "at", "", "the prices of this `day`, such as 2026-10-01 (default: today)")
}

// moment is the day asked for; today without one.
func (o *pricesOptions) moment(env Env) (time.Time, error) {
	if o.at == "" {
		return env.Now().UTC(), nil
	}
	at, err := time.Parse(time.DateOnly, o.at)
	if err != nil {
		return time.Time{}, bad("--at is a day like 2026-10-01, not %s", redact.Line(o.at, 40))
	}
	return at, nil
}

// prices are the tables that everything is counted by. What is wrong with the
// user's files is said, and the rest is used.
func prices(env Env) *price.Table {
	return state.Open(env.Getenv).Prices(func(err error) {
		_, _ = fmt.Fprintf(env.Stderr, "checkrein: %s\n", redact.Line(err.Error(), 400))
	})
}

func origin(o price.Origin) string {
	switch o {
	case price.Yours:
		return "yours"
	case price.Imported:
		return "imported"
	}
	return "built in"
}

// age is the warning about an old table; "" when there is none.
func age(t *price.Table, now time.Time) string {
	days := t.Days(now)
	if days <= price.MaxDays {
		return ""
	}
	return fmt.Sprintf("The prices were checked %d days ago, on %s. A newer checkrein may have newer ones.", days, t.Checked)
}

// family reports whether a model is of a family, such as claude or claude-opus.
func family(m *price.Model, name string) bool {
	return name == "" || m.ID == name || strings.HasPrefix(m.ID, strings.ToLower(name)+"-")
}
