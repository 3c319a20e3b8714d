package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
)

// inits prints what the packages of the program do before main, the costly ones
// first, as the Go runtime measures it.
func (b *bench) inits() error {
	cmd := exec.Command(b.programs.ours.argv[0], b.programs.ours.argv[1:]...)
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1", "RUNAWAY_GUARD_OFF=1")
	var trace bytes.Buffer
	cmd.Stderr = &trace
	if err := cmd.Run(); err != nil {
		return err
	}
	all, total := parseInits(&trace)
	fmt.Printf("package initialisation: %d packages, %.2f ms in all\n", len(all), total)
	for _, p := range all[:min(len(all), 12)] {
		fmt.Printf("  %-50s %6.3f ms %7d bytes %4d allocations\n", p.path, p.ms, p.bytes, p.allocs)
	}
	return nil
}

type initCost struct {
	path   string
	ms     float64
	bytes  int
	allocs int
}

// parseInits reads lines such as
// "init os @1.7 ms, 0.091 ms clock, 448 bytes, 10 allocs".
func parseInits(trace *bytes.Buffer) (all []initCost, total float64) {
	for lines := bufio.NewScanner(trace); lines.Scan(); {
		f := strings.Fields(lines.Text())
		if len(f) < 11 || f[0] != "init" {
			continue
		}
		c := initCost{path: f[1]}
		c.ms, _ = strconv.ParseFloat(f[4], 64)
		c.bytes, _ = strconv.Atoi(f[7])
		c.allocs, _ = strconv.Atoi(f[9])
		total += c.ms
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b initCost) int { return int(1e6 * (b.ms - a.ms)) })
	return all, total
}
