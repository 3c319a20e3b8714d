package cli_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/ncruces/go-sqlite3"

	"checkrein/internal/cli"
)

// opencodeDatabase is a command of scripts: it makes a database at its first
// argument of the schema and the recorded rows that the others name.
func opencodeDatabase() {
	if err := makeOpencodeDatabase(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func makeOpencodeDatabase(path, schemaFile, rowsFile string) error {
	schema, err := os.ReadFile(schemaFile)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(rowsFile)
	if err != nil {
		return err
	}
	var tables map[string][]map[string]any
	if err := json.Unmarshal(text, &tables); err != nil {
		return err
	}
	c, err := sqlite3.Open("file:" + path)
	if err != nil {
		return err
	}
	defer c.Close()
	if err := c.Exec("PRAGMA foreign_keys=OFF;" + string(schema)); err != nil {
		return err
	}
	for table, rows := range tables {
		for _, row := range rows {
			sql := "INSERT INTO " + table + " ("
			values := ""
			for name, v := range row {
				if values != "" {
					sql, values = sql+",", values+","
				}
				sql += name
				switch v := v.(type) {
				case string:
					values += sqlite3.Quote(v)
				case float64:
					values += fmt.Sprintf("%.6f", v)
				default:
					values += "NULL"
				}
			}
			if err := c.Exec(sql + ") VALUES (" + values + ")"); err != nil {
				return err
			}
		}
	}
	return nil
}

// TestUsageStopped: Ctrl-C ends a read with the exit code of a signal.
func TestUsageStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	home := t.TempDir()
	var said strings.Builder
	code := cli.Main(ctx, []string{"usage"}, cli.Env{
		Stdout: &said, Stderr: &said, Now: time.Now,
		Getenv:  func(name string) string { return map[string]string{"HOME": home}[name] },
		Environ: func() []string { return nil },
	})
	if code != 130 || !strings.Contains(said.String(), "stopped; nothing was kept") {
		t.Errorf("exit code %d, %q", code, said.String())
	}
}
