// Command loops proves the loop and failure rules on made-up sessions and writes
// the table in docs/LOOPS.md: no stop in recorded and in ordinary work, and a
// stop within its limit for every kind of loop. Sessions are written in the form
// of real transcripts and played through internal/replay; those with a loop go
// through the hook, too, call by call, and both must say the same.
//
//	go run ./bench/loops [-out docs/LOOPS.md]
//
// All numbers come from a fixed seed and fixed times, so the page only changes
// with the rules. Exit status 1: a rule stopped ordinary work or missed a loop.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
)

func main() {
	out := flag.String("out", "docs/LOOPS.md", "the page to write")
	flag.Parse()
	if err := write(*out); err != nil {
		fmt.Fprintln(os.Stderr, "bench/loops:", err)
		os.Exit(1)
	}
}

func write(out string) error {
	work, err := os.MkdirTemp("", "loops-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()
	page, faults, err := prove(work, "internal/harness")
	if err != nil {
		return err
	}
	if err := os.WriteFile(out, []byte(page), 0o644); err != nil {
		return err
	}
	return errors.Join(faults...)
}
