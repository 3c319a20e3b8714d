package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"time"
)

// sample is one run of a program.
type sample struct {
	wall, cpu time.Duration
	rss       int64 // bytes
}

// start runs a program to its end with input on its stdin. Any output or failure
// is an error: a benchmark of a broken hook would be a fast one.
func start(p program, stateDir string, input []byte) (sample, error) {
	cmd := exec.Command(p.argv[0], p.argv[1:]...)
	in, err := os.CreateTemp(stateDir, "stdin")
	if err != nil {
		return sample{}, err
	}
	defer os.Remove(in.Name())
	defer in.Close()
	if _, err := in.Write(input); err != nil {
		return sample{}, err
	}
	if _, err := in.Seek(0, 0); err != nil {
		return sample{}, err
	}
	out, err := os.CreateTemp(stateDir, "stdout") // files, so that no goroutine of ours runs beside the program
	if err != nil {
		return sample{}, err
	}
	defer os.Remove(out.Name())
	defer out.Close()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, out
	cmd.Env = []string{"HOME=" + stateDir, "XDG_STATE_HOME=" + stateDir, "PATH=" + os.Getenv("PATH")}
	began := time.Now()
	err = cmd.Run()
	wall := time.Since(began)
	said, _ := os.ReadFile(out.Name())
	if err != nil || len(bytes.TrimSpace(said)) > 0 {
		return sample{}, fmt.Errorf("%s: %w, output %q", p.name, err, said)
	}
	// The kernel counts what the forked child held before it became the program
	// too, so no number is below this process's own few megabytes.
	return sample{wall: wall, cpu: cmd.ProcessState.SystemTime() + cmd.ProcessState.UserTime(), rss: maxRSS(cmd.ProcessState)}, nil
}

type samples []sample

func (s samples) wall(q float64) time.Duration {
	return quantile(s, q, func(x sample) time.Duration { return x.wall })
}

func (s samples) cpu(q float64) time.Duration {
	return quantile(s, q, func(x sample) time.Duration { return x.cpu })
}

func (s samples) rss() int64 {
	var most int64
	for _, x := range s {
		most = max(most, x.rss)
	}
	return most
}

func quantile(s samples, q float64, of func(sample) time.Duration) time.Duration {
	if len(s) == 0 {
		return 0
	}
	all := make([]time.Duration, len(s))
	for i, x := range s {
		all[i] = of(x)
	}
	slices.Sort(all)
	return all[min(int(q*float64(len(all))), len(all)-1)]
}
