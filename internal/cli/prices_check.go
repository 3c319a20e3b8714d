package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"checkrein/internal/harness"
	"checkrein/internal/price"
	"checkrein/internal/redact"
	"checkrein/internal/state"
)

func newPricesCheckCommand(env Env) *cobra.Command {
	var o pricesOptions
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Say what is wrong with the prices",
		Long: fmt.Sprintf(`Says whether the prices are older than %d days, whether your own price files can be
read, and which models the guard met in your sessions without knowing their price.

Exit status: 0 all is well; 1 something is not; 2 bad flags.`, price.MaxDays),
		Example: `  checkrein prices check
  checkrein prices check --json`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return runPricesCheck(o, env) },
	}
	o.outFlags(cmd)
	return cmd
}

// priceCheck is what is wrong with the prices.
type priceCheck struct {
	Checked  string     `json:"checked"`
	Days     int        `json:"days_since_checked"`
	Old      bool       `json:"old"`
	Broken   []string   `json:"broken_files"`
	Unpriced []unpriced `json:"unpriced_models"`
}

// unpriced is a model in the user's sessions without a price.
type unpriced struct {
	Model    string `json:"model"`
	Sessions int    `json:"sessions"`
	CountsAs string `json:"counts_as"` // "" when it named no model
}

func runPricesCheck(o pricesOptions, env Env) error {
	store := state.Open(env.Getenv)
	c := priceCheck{Broken: []string{}, Unpriced: []unpriced{}}
	table := store.Prices(func(err error) { c.Broken = append(c.Broken, redact.Line(err.Error(), 400)) })
	table.All() // reads the imported table, too
	c.Checked, c.Days, c.Old = table.Checked, table.Days(env.Now()), age(table, env.Now()) != ""
	c.Unpriced = append(c.Unpriced, unpricedModels(store.Sessions(), table, env.Now())...)
	text := c.text(table, env.Now())
	if o.json {
		var err error
		if text, err = indented(c); err != nil {
			return err
		}
	}
	if err := emit(text, o.out, env); err != nil {
		return err
	}
	if c.Old || len(c.Broken)+len(c.Unpriced) > 0 {
		return &Error{Code: exitNo, Err: errors.New("")}
	}
	return nil
}

// unpricedModels are the models of the sessions' estimates that have no price
// now, the one in most sessions first.
func unpricedModels(sessions []state.Saved, table *price.Table, now time.Time) (list []unpriced) {
	at := map[string]int{}
	for _, saved := range sessions {
		for _, model := range saved.Session.EstimatedModels {
			figure := table.Price(harness.Usage{Output: 1}, model, saved.Session.Harness, now)
			if !figure.Estimated() {
				continue
			}
			i, known := at[model]
			if !known {
				i = len(list)
				at[model] = i
				list = append(list, unpriced{Model: model, CountsAs: figure.Model.ID})
			}
			list[i].Sessions++
		}
	}
	slices.SortStableFunc(list, func(a, b unpriced) int { return b.Sessions - a.Sessions })
	return list
}

func (c *priceCheck) text(table *price.Table, now time.Time) string {
	var b strings.Builder
	if !c.Old && len(c.Broken)+len(c.Unpriced) == 0 {
		fmt.Fprintf(&b, "**The prices are in order: checked on %s, and no session of yours met a model without one.**\n", c.Checked)
		return b.String()
	}
	b.WriteString("**Some figures are less right than they could be.**\n\n")
	if c.Old {
		b.WriteString(age(table, now) + "\n\n")
	}
	for _, problem := range c.Broken {
		b.WriteString(problem + "\n\n")
	}
	if len(c.Unpriced) > 0 {
		b.WriteString("| Model without a price | Sessions | Counts as |\n|---|---|---|\n")
		for _, u := range c.Unpriced {
			fmt.Fprintf(&b, "| %s | %d | %s |\n", redact.Code(u.Model, 100), u.Sessions, redact.Code(u.CountsAs, 100))
		}
		b.WriteString("\ncheckrein prices show MODEL tells how to give one a price.\n")
	}
	return b.String()
}
