// Command bench measures what the hook costs, as ratios side by side in one run:
// an empty Go program, checkrein's hook, and the Python guard it replaces when
// its folder is given.
//
// Every program is started the way a harness starts it, with its input on stdin,
// and the programs of a scenario take turns round by round, so that a noisy
// minute hits all of them. The table shows the median and the tenth percentile,
// which moves least with the load. It never fails on a slow machine; only with
// -strict a missed target is an error.
//
//	go run ./bench [-reference DIR] [-rounds N] [-only NAME] [-quick] [-strict]
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

type options struct {
	work, binary, reference string
	rounds                  int
	quick, strict           bool
	only                    string
}

func main() {
	var o options
	flag.StringVar(&o.work, "work", ".build/bench", "folder for programs and made-up sessions")
	flag.StringVar(&o.binary, "binary", "", "the checkrein to measure (default: built from this module)")
	flag.StringVar(&o.reference, "reference", os.Getenv("REFERENCE"), "folder of the Python guard's guard.py")
	flag.IntVar(&o.rounds, "rounds", 200, "rounds of the scenarios with short calls")
	flag.BoolVar(&o.quick, "quick", false, "a tenth of the sizes and rounds, to see that it runs")
	flag.BoolVar(&o.strict, "strict", false, "exit 1 when a target is missed")
	flag.StringVar(&o.only, "only", "", "run the one scenario of this name: repeat, growing, sizes, first, gigabyte or inits")
	flag.Parse()
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(o options) error {
	if o.quick {
		o.rounds = max(o.rounds/10, 5)
	}
	work, err := filepath.Abs(o.work)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(work, 0o755); err != nil {
		return err
	}
	p, err := findPrograms(o, work)
	if err != nil {
		return err
	}
	b := bench{programs: p, work: work, rounds: o.rounds, scale: 1}
	if o.quick {
		b.scale = 10
	}
	return b.all(o.only, o.strict)
}
