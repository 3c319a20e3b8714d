// Command usage measures `checkrein usage` beside ccusage on the same made-up
// history: a year of sessions in the shapes of recorded ones, whose bulk is the
// output of tools. It compares what both count, then wall time, processor time
// and peak memory, as ratios in one run; the programs take turns.
//
//	go run ./bench/usage -ccusage PROGRAM [-mb 3000] [-files 2000] [-rounds 3] [-work DIR] [-keep]
//
// ccusage is the native program of its npm package. The files are removed
// afterwards. Nothing fails on a slow machine; -strict makes a missed target or
// an unexplained difference an error.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

type options struct {
	ccusage, binary, work string
	mb, files, rounds     int
	keep, strict, make    bool
}

func main() {
	var o options
	flag.StringVar(&o.ccusage, "ccusage", "", "ccusage's native program; without it checkrein is measured alone")
	flag.StringVar(&o.binary, "binary", "", "the checkrein to measure (default: built from this module)")
	flag.StringVar(&o.work, "work", ".build/bench-usage", "folder for the made-up sessions")
	flag.IntVar(&o.mb, "mb", 3000, "size of the history in MB")
	flag.IntVar(&o.files, "files", 2000, "number of files")
	flag.IntVar(&o.rounds, "rounds", 3, "runs of each program")
	flag.BoolVar(&o.keep, "keep", false, "keep the made-up sessions")
	flag.BoolVar(&o.strict, "strict", false, "exit 1 when a target is missed")
	flag.BoolVar(&o.make, "make", false, "only make the history (bench/usage starts itself so)")
	flag.Parse()
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, "bench/usage:", err)
		os.Exit(1)
	}
}

func run(o options) (err error) {
	work, err := filepath.Abs(o.work)
	if err != nil {
		return err
	}
	home := filepath.Join(work, "home")
	if !o.keep {
		defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	}
	if err := os.MkdirAll(work, 0o755); err != nil {
		return err
	}
	if o.binary == "" {
		o.binary = filepath.Join(work, "checkrein")
		build := exec.Command("go", "build", "-o", o.binary, "./cmd/checkrein")
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("building checkrein: %w\n%s", err, out)
		}
	}
	if o.make {
		return announce(home, o)
	}
	if _, err := os.Stat(home); err != nil {
		if err := makeApart(work, o); err != nil {
			return err
		}
	}
	return compare(o, work, home)
}

// makeApart makes the history in a process of its own: the kernel counts what a
// parent holds to the peak of the programs it starts.
func makeApart(work string, o options) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(self, "-make", "-keep", "-binary", o.binary, "-work", work, "-mb", fmt.Sprint(o.mb), "-files", fmt.Sprint(o.files))
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd.Run()
}

func announce(home string, o options) error {
	from := time.Now()
	made, err := makeHistory(home, o.files, int64(o.mb)<<20)
	if err != nil {
		return err
	}
	fmt.Printf("made %d files, %d MB, %d responses in %.0f s\n", made.files, made.bytes>>20, made.responses, time.Since(from).Seconds())
	return nil
}
