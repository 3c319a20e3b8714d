package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"checkrein/internal/price"
	"checkrein/internal/redact"
	"checkrein/internal/status"
)

func newPricesListCommand(env Env) *cobra.Command {
	var o pricesOptions
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the models with a price",
		Long: `Lists the models with a price, in USD per million tokens: checkrein's own table with
your prices above it, and with --all the imported ones, too.

Exit status: 0 done; 2 bad flags, or no such family.`,
		Example: `  checkrein prices list
  checkrein prices list --family gpt --at 2026-07-01
  checkrein prices list --all --json`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return runPricesList(o, env) },
	}
	o.listFlags(cmd)
	return cmd
}

func (o *pricesOptions) listFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.family, "family", "", "only models of this family: `name` is claude, claude-opus, gpt, gemini, …")
	cmd.Flags().BoolVar(&o.all, "all", false, "with the imported ones")
	o.dayFlag(cmd)
	o.outFlags(cmd)
}

func runPricesList(o pricesOptions, env Env) error {
	at, err := o.moment(env)
	if err != nil {
		return err
	}
	table := prices(env)
	every := table.All()
	models := slices.DeleteFunc(slices.Clone(every), func(m price.Model) bool {
		return !family(&m, o.family) || m.Origin == price.Imported && !o.all
	})
	if len(models) == 0 {
		return &Error{
			Code: exitBad, Err: fmt.Errorf("no model of family %s has a price", redact.Line(o.family, 80)),
			Hints: []string{"checkrein prices list"},
		}
	}
	if o.json {
		text, err := pricesJSON(models, table, at, env)
		if err != nil {
			return err
		}
		return emit(text, o.out, env)
	}
	return emit(pricesText(models, every, table, at, env), o.out, env)
}

func pricesJSON(models []price.Model, table *price.Table, at time.Time, env Env) (string, error) {
	type row struct {
		Origin string         `json:"origin"`
		Row    jsontext.Value `json:"row"`
	}
	rows := make([]row, len(models))
	for i := range models {
		rows[i] = row{origin(models[i].Origin), models[i].AppendJSON(nil)}
	}
	return indented(struct {
		Checked string `json:"checked"`
		Days    int    `json:"days_since_checked"`
		Old     bool   `json:"old"`
		On      string `json:"on"`
		Models  []row  `json:"models"`
	}{table.Checked, table.Days(env.Now()), age(table, env.Now()) != "", at.Format(time.DateOnly), rows})
}

func pricesText(models, every []price.Model, table *price.Table, at time.Time, env Env) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s, checked on %s.**\n\n", layerCounts(every), table.Checked)
	if warning := age(table, env.Now()); warning != "" {
		b.WriteString(warning + "\n\n")
	}
	fmt.Fprintf(&b, "%s, on %s:\n\n", price.Unit, at.Format(time.DateOnly))
	b.WriteString("| Model | Input | Output | Cache read | Write, 5 min | Write, 1 h | And |\n|---|---|---|---|---|---|---|\n")
	for i := range models {
		m := &models[i]
		fmt.Fprintf(&b, "| %s | %s |\n", redact.Code(m.ID, 100), priceCells(m, m.On(at.Format(time.DateOnly))))
	}
	b.WriteString("\ncheckrein prices show MODEL explains one of them.\n")
	return b.String()
}

// layerCounts is how many models each layer has.
func layerCounts(every []price.Model) string {
	var n [price.Imported + 1]int
	for _, m := range every {
		n[m.Origin]++
	}
	text := fmt.Sprintf("%d models have a price", len(every))
	for _, o := range [...]price.Origin{price.Yours, price.Imported} {
		if n[o] > 0 {
			text += fmt.Sprintf(", %d of them %s", n[o], origin(o))
		}
	}
	return text
}

func priceCells(m *price.Model, p *price.Period) string {
	if p.Like != "" {
		return "as " + redact.Code(p.Like, 100) + " | | | | | an estimate"
	}
	and := services(p)
	if m.Origin != price.BuiltIn {
		and = append([]string{origin(m.Origin)}, and...)
	}
	for _, t := range p.Tiers[1:] {
		and = append(and, fmt.Sprintf("above %s tokens %s / %s", status.Thousands(t.Above), rate(t.Input), rate(t.Output)))
	}
	return cells(p.Tiers[0]) + " | " + strings.Join(and, ", ")
}

func services(p *price.Period) (names []string) {
	for _, s := range [...]struct {
		name string
		price.Offer
	}{{"fast", p.Fast}, {"batch", p.Batch}, {"flex", p.Flex}, {"priority", p.Priority}} {
		switch {
		case s.Factor > 0:
			names = append(names, s.name+" ×"+plain(s.Factor))
		case len(s.Tiers) > 0:
			names = append(names, s.name)
		}
	}
	return names
}
