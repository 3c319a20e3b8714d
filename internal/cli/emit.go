package cli

import (
	"fmt"
	"io"
	"os"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"checkrein/internal/redact"
)

// emit prints a report, or writes it to the file the user named and says so.
func emit(text, out string, env Env) error {
	if out == "" {
		_, err := io.WriteString(env.Stdout, text)
		return err
	}
	if err := os.WriteFile(out, []byte(text), 0o666); err != nil {
		return bad("writing the report to %s: %w", redact.Line(out, 300), err)
	}
	_, err := fmt.Fprintf(env.Stdout, "Report written to %s\n", redact.Line(out, 300))
	return err
}

// writable makes sure of the report's file before anything else is changed: an
// error must mean that nothing was.
func writable(out string) error {
	if out == "" {
		return nil
	}
	f, err := os.OpenFile(out, os.O_WRONLY|os.O_CREATE, 0o666)
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		return bad("nothing was changed: writing the report to %s: %w", redact.Line(out, 300), err)
	}
	return nil
}

// indented is a report as JSON for people and programs.
func indented(report any) (string, error) {
	data, err := json.Marshal(report, json.Deterministic(true), jsontext.WithIndent("  "), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return "", err
	}
	return string(data) + "\n", nil
}
