//go:build unix

package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"

	"checkrein/internal/redact"
)

// tailBytes is how much of a log is read to show its last lines.
const tailBytes = 64 << 10

// outputTail is the last 15 lines of a log, made safe, and where the rest is.
func outputTail(log string) string {
	f, err := os.Open(log)
	if err != nil {
		return ""
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() > tailBytes {
		_, _ = f.Seek(-tailBytes, io.SeekEnd) // at worst the first lines are shown
	}
	data, _ := io.ReadAll(io.LimitReader(f, tailBytes))
	var lines []string
	for line := range bytes.Lines(data) {
		if len(bytes.TrimSpace(line)) > 0 {
			lines = append(lines, "  "+redact.Code(string(line), 200))
		}
	}
	if len(lines) == 0 {
		lines = []string{"  (no output)"}
	}
	return fmt.Sprintf("\nLast lines of its output:\n%s\nFull output: %s", strings.Join(lines[max(len(lines)-15, 0):], "\n"), redact.Code(log, 300))
}
