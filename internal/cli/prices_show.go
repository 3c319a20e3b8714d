package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"checkrein/internal/harness"
	"checkrein/internal/price"
	"checkrein/internal/redact"
	"checkrein/internal/state"
)

func newPricesShowCommand(env Env) *cobra.Command {
	var o pricesOptions
	cmd := &cobra.Command{
		Use:   "show MODEL",
		Short: "Explain what a model costs, and why",
		Long: `Explains which row of the price tables a model's id finds and why, what it costs on a
day, and where the prices are from. The id can be one of a cloud or a gateway, as
transcripts have it.

Exit status: 0 it has a price; 1 it has none, and what it counts as is shown; 2 bad
flags.`,
		Example: `  checkrein prices show claude-opus-5-5
  checkrein prices show us.anthropic.claude-opus-4-8-v1:0 --at 2026-10-01
  checkrein prices show gpt-6.1-sol --json`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return runPricesShow(args[0], o, env) },
	}
	o.dayFlag(cmd)
	o.outFlags(cmd)
	return cmd
}

// shown is one model explained.
type shown struct {
	Model   string         `json:"model"`
	On      string         `json:"on"`
	Basis   string         `json:"basis"`     // listed, stands in, family, dearest
	As      string         `json:"priced_as"` // the row whose prices count
	Found   string         `json:"found_by"`  // what of the id is the row's
	Profile bool           `json:"regional_profile"`
	Fast    bool           `json:"fast"`
	Origin  string         `json:"origin"`
	Row     jsontext.Value `json:"row"`

	found price.Found
	like  *price.Model
	day   string
}

func runPricesShow(id string, o pricesOptions, env Env) error {
	at, err := o.moment(env)
	if err != nil {
		return err
	}
	table := prices(env)
	found := table.Find(id)
	figure := table.Price(harness.Usage{Output: 1}, id, "", at)
	day := at.Format(time.DateOnly)
	s := shown{
		Model: id, On: day, Basis: basis(figure.Basis), As: figure.Model.ID, Found: foundBy(found.How), Profile: found.Profile,
		Fast: found.Fast, Origin: origin(figure.Model.Origin), Row: figure.Model.AppendJSON(nil), found: found, like: figure.Model, day: day,
	}
	text := s.text(state.Open(env.Getenv).PricePath(state.YourPrices))
	if o.json {
		if text, err = indented(s); err != nil {
			return err
		}
	}
	if err := emit(text, o.out, env); err != nil {
		return err
	}
	if figure.Basis == price.ByFamily || figure.Basis == price.ByDearest {
		return &Error{Code: exitNo, Err: fmt.Errorf("%s has no price", redact.Line(id, 100))}
	}
	return nil
}

func basis(b price.Basis) string {
	return [...]string{price.Listed: "listed", price.StoodIn: "stands in", price.ByFamily: "family", price.ByDearest: "dearest"}[b]
}

func foundBy(h price.How) string {
	return [...]string{price.NoRow: "nothing", price.Exact: "id", price.Alias: "alias", price.Wrapped: "unwrapped id", price.Begins: "beginning"}[h]
}

func (s *shown) text(yours string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**\n\n%s\n\n", s.headline(), strings.Join(s.why(yours), "\n"))
	p := s.like.On(s.day)
	fmt.Fprintf(&b, "| %s | Input | Output | Cache read | Write, 5 min | Write, 1 h |\n|---|---|---|---|---|---|\n%s\n", price.Unit, rateRows(p))
	for _, line := range s.remarks(p) {
		b.WriteString(line + "\n")
	}
	return b.String()
}

func (s *shown) headline() string {
	id, as := redact.Code(s.Model, 160), redact.Code(s.As, 100)
	switch s.Basis {
	case "stands in":
		return fmt.Sprintf("%s has no price of its own; on %s it counts as %s.", id, s.On, as)
	case "family", "dearest":
		return fmt.Sprintf("%s has no price; on %s it counts as %s.", id, s.On, as)
	}
	return fmt.Sprintf("%s is priced as %s, on %s.", id, as, s.On)
}

// why tells what of the id led to the row.
func (s *shown) why(yours string) (lines []string) {
	fill := fmt.Sprintf("To give it a price: write one into %s, or checkrein prices import FILE.", redact.Line(yours, 300))
	switch s.Basis {
	case "stands in":
		lines = append(lines, "The name is that of a role, and another model serves it. Such a figure counts as an estimate.")
	case "family":
		lines = append(lines, "That is the dearest model of its family that is current on that day, so the figure is an estimate, on the high side.", fill)
	case "dearest":
		lines = append(lines, "It is of no family that checkrein prices. That is the dearest current model of all, so the figure is an estimate, far too high as a rule.", fill)
	default:
		lines = append(lines, s.howFound())
	}
	p := s.like.On(s.day)
	if s.Profile && p.Profile > 0 {
		lines = append(lines, "The id names a cloud's regional profile: tokens cost "+plain(p.Profile)+" times the prices below.")
	}
	if s.Fast {
		lines = append(lines, "The id names the fast mode.")
	}
	return lines
}

func (s *shown) howFound() string {
	row := map[price.Origin]string{price.Yours: "a row of your prices.json", price.BuiltIn: "a row of checkrein's own table", price.Imported: "an imported row"}[s.like.Origin]
	switch s.found.How {
	case price.Alias:
		return "The id is another name of " + row + "."
	case price.Wrapped:
		return fmt.Sprintf("Without what clouds, gateways and harnesses put around it, the id is %s, that of %s.", redact.Code(s.found.Name, 100), row)
	case price.Begins:
		return "The id begins with that of " + row + ", and what follows names no other version or size."
	}
	return "The id is that of " + row + "."
}

func (s *shown) remarks(p *price.Period) (lines []string) {
	if p.Regional > 0 {
		lines = append(lines, "Kept to one region (US-only inference, data residency): "+plain(p.Regional)+" times.")
	}
	if p.WebSearch > 0 {
		lines = append(lines, "Web searches: $"+rate(p.WebSearch)+" for 1,000.")
	}
	if len(s.like.Periods) > 1 {
		lines = append(lines, "These prices hold "+holding(p)+"; there are "+fmt.Sprint(len(s.like.Periods))+" periods.")
	}
	checked := ""
	if s.like.Checked != "" {
		checked = ", checked on " + s.like.Checked
	}
	if s.like.Source != "" {
		lines = append(lines, "Source: "+redact.Line(s.like.Source, 400)+checked+".")
	}
	if s.like.Note != "" {
		lines = append(lines, "Note: "+redact.Line(s.like.Note, 600))
	}
	return lines
}

func holding(p *price.Period) string {
	switch {
	case p.From == "":
		return "before " + p.To
	case p.To == "":
		return "from " + p.From + " on"
	}
	return "from " + p.From + ", before " + p.To
}
