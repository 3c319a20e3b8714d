package drive

import (
	"bufio"
	"io"
	"os"
	"strings"

	"checkrein/internal/harness"
)

// readOutput feeds a log to a reader of it. A log that is missing says nothing.
func readOutput(path string, out harness.Output) { eachLine(path, out.Line) }

func eachLine(path string, do func(line []byte)) {
	file, err := os.Open(path)
	if err != nil {
		return
	}
	defer file.Close()
	in := bufio.NewReaderSize(file, 1<<16)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 0 {
			do([]byte(strings.TrimRight(string(line), "\r\n")))
		}
		if err != nil {
			return
		}
	}
}

// tail is the end of a log.
func tail(path string) string {
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && info.Size() > 1<<14 {
		_, _ = file.Seek(-1<<14, io.SeekEnd) // from the start is fine, too
	}
	text, _ := io.ReadAll(io.LimitReader(file, 1<<14))
	return strings.ToValidUTF8(string(text), "?")
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
