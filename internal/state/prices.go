package state

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"

	"checkrein/internal/price"
)

// Names of price tables in the state folder.
const (
	YourPrices     = "prices.json"          // the user's own, above all others
	ImportedPrices = "prices-imported.json" // another project's, beneath all others
)

// maxPrices is far above any table: the largest lists had 2 MB in 2026.
const maxPrices = 16 << 20

// Prices are the user's own prices over the embedded ones over what was
// imported. A file that can't be used is left out and reported: a broken table
// must not break a hook call. Without these files it costs one look for the
// first, and one for the second when a model is in no other table.
func (s Store) Prices(report func(error)) *price.Table {
	table := price.Embedded()
	if data, err := s.readPrices(YourPrices); err != nil {
		report(err)
	} else if data != nil {
		yours, err := price.Parse(data, price.Yours)
		if err != nil {
			report(s.broken(YourPrices, err))
		} else {
			table = price.Layer(yours, table)
		}
	}
	return table.Beneath(s.imported(report))
}

// imported reads the file once, and of it the rows that are asked for.
func (s Store) imported(report func(error)) func(id string) *price.Table {
	none := new(price.Table)
	var once sync.Once
	data := sync.OnceValue(func() []byte {
		data, err := s.readPrices(ImportedPrices)
		if err != nil {
			once.Do(func() { report(err) })
		}
		return data
	})
	return func(id string) *price.Table {
		if data() == nil {
			return none
		}
		table, err := price.ParseFor(data(), price.Imported, id)
		if err != nil {
			once.Do(func() { report(s.broken(ImportedPrices, err)) })
			return none
		}
		return table
	}
}

func (s Store) broken(name string, err error) error {
	return fmt.Errorf("%s is left out: %w", s.path(name), err)
}

// readPrices is a table's bytes; nil when there is no such file.
func (s Store) readPrices(name string) ([]byte, error) {
	info, err := os.Stat(s.path(name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, s.broken(name, err)
	case !info.Mode().IsRegular():
		return nil, s.broken(name, errors.New("it is no plain file"))
	case info.Size() > maxPrices:
		return nil, s.broken(name, errors.New("it is too large"))
	}
	data, err := os.ReadFile(s.path(name))
	if err != nil {
		return nil, s.broken(name, err)
	}
	return data, nil
}

// SaveImported puts an imported table in the last one's place.
func (s Store) SaveImported(t *price.Table) error {
	if err := s.Make(); err != nil {
		return err
	}
	l, err := lock(s.path(ImportedPrices+".lock"), lockWait)
	if err != nil {
		return err
	}
	defer l.Release()
	return replace(s.path(ImportedPrices), t.AppendJSON(nil))
}

// PricePath is where a table of the state folder stands.
func (s Store) PricePath(name string) string { return s.path(name) }

// ours reports whether a file of the state folder is none of a session's.
func ours(name string) bool { return name == YourPrices || name == ImportedPrices }
