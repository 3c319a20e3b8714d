package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"checkrein/internal/price"
	"checkrein/internal/redact"
	"checkrein/internal/state"
)

func newPricesImportCommand(env Env) *cobra.Command {
	var o pricesOptions
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Take in the prices of models that checkrein does not know",
		Long: `Reads a price list that you have downloaded: LiteLLM's
model_prices_and_context_window.json or models.dev's api.json. It shows which models
would get a price, and with --write they get it: the file prices-imported.json in the
state folder is written anew. Models that checkrein has in its own table keep its prices.

Exit status: 0 done, or the dry run was shown; 2 bad flags or a file that can't be used,
and then nothing was changed.`,
		Example: `  checkrein prices import model_prices_and_context_window.json
  checkrein prices import api.json --write`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return runPricesImport(args[0], o, env) },
	}
	cmd.Flags().BoolVar(&o.write, "write", false, "take them in (default: show what would be)")
	o.outFlags(cmd)
	return cmd
}

// importReport is what an import would do, or did.
type importReport struct {
	File     string   `json:"file"`
	Format   string   `json:"format"`
	Entries  int      `json:"entries"`
	Models   int      `json:"models"`
	New      []string `json:"new"`
	Changed  []string `json:"changed"`
	Same     int      `json:"as_before"`
	Gone     int      `json:"gone"`
	BuiltIn  int      `json:"built_in"`
	Disagree []string `json:"other_prices_than_ours"`
	Skipped  skips    `json:"skipped"`
	Written  string   `json:"written,omitzero"`
}

type skips map[string]int

func runPricesImport(file string, o pricesOptions, env Env) error {
	if err := writable(o.out); err != nil {
		return err
	}
	if o.write {
		if err := usersOnly("change prices", env); err != nil {
			return err
		}
	}
	im, err := readImport(file, env.Now())
	if err != nil {
		return bad("nothing was changed: importing %s: %s", redact.Line(file, 300), redact.Line(err.Error(), 400))
	}
	store := state.Open(env.Getenv)
	last := lastImport(store)
	r := newImportReport(file, im, im.Leave(price.Embedded(), last), last)
	if o.write {
		if err := store.SaveImported(im.Table); err != nil {
			return bad("writing the prices: %s", redact.Line(err.Error(), 300))
		}
		r.Written = store.PricePath(state.ImportedPrices)
	}
	text := r.text()
	if o.json {
		if text, err = indented(r); err != nil {
			return err
		}
	}
	return emit(text, o.out, env)
}

// maxImport is far above the lists that there are.
const maxImport = 64 << 20

func readImport(file string, now time.Time) (*price.Import, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	if info, err := f.Stat(); err != nil || info.IsDir() || info.Size() > maxImport {
		return nil, errors.New("it is no file of prices")
	}
	data, err := io.ReadAll(io.LimitReader(f, maxImport))
	if err != nil {
		return nil, err
	}
	return price.ReadImport(data, now.UTC().Format(time.DateOnly))
}

// lastImport are the rows that were imported before, as far as they can be read.
func lastImport(store state.Store) *price.Table {
	last := new(price.Table)
	for _, m := range store.Prices(func(error) {}).All() {
		if m.Origin == price.Imported {
			last.Models = append(last.Models, m)
		}
	}
	return last
}

func newImportReport(file string, im *price.Import, d price.Difference, last *price.Table) importReport {
	r := importReport{
		File: file, Format: im.Format, Entries: im.Entries, Models: len(im.Table.Models), New: d.New, Changed: d.Changed,
		Same: len(d.Same), Gone: len(last.Models) - len(d.Same) - len(d.Changed), BuiltIn: len(d.BuiltIn), Disagree: d.Disagree, Skipped: skips{},
	}
	for _, s := range im.Skipped {
		r.Skipped[s.Reason]++
	}
	return r
}

func (r *importReport) text() string {
	var b strings.Builder
	verb := "to take in"
	if r.Written != "" {
		verb = "taken in"
	}
	fmt.Fprintf(&b, "**%d models %s from %s: %d new, %d changed, %d as before, %d gone since the last import.**\n\n",
		r.Models, verb, r.Format, len(r.New), len(r.Changed), r.Same, r.Gone)
	fmt.Fprintf(&b, "It has %d entries. %d are of models in checkrein's own table, whose prices go before.", r.Entries, r.BuiltIn)
	for _, reason := range [...]string{price.NoText, price.NoPrice, price.SeenCheap} {
		if n := r.Skipped[reason]; n > 0 {
			fmt.Fprintf(&b, " %d left out: %s.", n, reason)
		}
	}
	b.WriteString("\n\n")
	writeList(&b, "New", r.New)
	writeList(&b, "Changed", r.Changed)
	writeList(&b, "Other prices than checkrein's own, which go before", r.Disagree)
	if r.Written != "" {
		fmt.Fprintf(&b, "Written to %s\n", redact.Line(r.Written, 300))
		return b.String()
	}
	b.WriteString("Nothing was changed. To take them in, add --write.\n")
	return b.String()
}

// maxNamed is how many names a list shows.
const maxNamed = 10

func writeList(b *strings.Builder, title string, names []string) {
	if len(names) == 0 {
		return
	}
	fmt.Fprintf(b, "%s:\n\n", title)
	for _, name := range names[:min(len(names), maxNamed)] {
		fmt.Fprintf(b, "- %s\n", redact.Line(name, 200))
	}
	if more := len(names) - maxNamed; more > 0 {
		fmt.Fprintf(b, "- and %d more (--json lists all)\n", more)
	}
	b.WriteString("\n")
}
