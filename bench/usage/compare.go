package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/go-json-experiment/json"
)

// tokens is what one program counted for one harness.
type tokens struct{ input, read, write, output int64 }

// sample is one run of a program.
type sample struct {
	wall, cpu time.Duration
	rss       int64 // bytes
	out       []byte
}

// start runs a program in a home of made-up sessions. Both programs are one
// process, so its own peak is that of all.
func start(home, state string, argv ...string) (s sample, err error) {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env = []string{"HOME=" + home, "XDG_STATE_HOME=" + state, "TZ=UTC", "NO_COLOR=1", "PATH=" + os.Getenv("PATH")}
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	began := time.Now()
	if err := cmd.Run(); err != nil {
		return s, fmt.Errorf("%s: %w: %s", filepath.Base(argv[0]), err, said.Bytes())
	}
	s = sample{wall: time.Since(began), cpu: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), out: out.Bytes()}
	s.rss = peak(cmd.ProcessState)
	return s, nil
}

// compare runs both programs in turn: checkrein with nothing remembered, again
// with nothing new, and ccusage.
func compare(o options, work, home string) error {
	runs := map[string][]sample{}
	for round := range o.rounds {
		state := filepath.Join(work, fmt.Sprintf("state-%d", round))
		for _, name := range []string{"first", "again", "ccusage"} {
			argv := []string{o.binary, "usage", "--by", "harness", "--json"}
			if name == "ccusage" {
				if o.ccusage == "" {
					continue
				}
				argv = []string{o.ccusage, "daily", "--json", "--offline", "--by-agent"}
			}
			s, err := start(home, state, argv...)
			if err != nil {
				return err
			}
			runs[name] = append(runs[name], s)
		}
	}
	ours, err := readOurs(runs["first"][0].out)
	if err != nil {
		return err
	}
	again, err := readOurs(runs["again"][0].out)
	if err != nil {
		return err
	}
	for name, t := range ours {
		if again[name] != t {
			return fmt.Errorf("%s: the second run counts %+v, the first %+v", name, again[name], t)
		}
	}
	for _, name := range []string{"first", "again", "ccusage"} {
		if s := runs[name]; len(s) > 0 {
			fmt.Printf("%-8s wall %6.0f ms   cpu %6.0f ms   peak %4d MB\n", name, ms(median(s, wall)), ms(median(s, cpu)), int64(median(s, rss))>>20)
		}
	}
	if o.ccusage == "" {
		return nil
	}
	return judge(o, runs, ours)
}

func judge(o options, runs map[string][]sample, ours map[string]tokens) error {
	theirs, err := readTheirs(runs["ccusage"][0].out)
	if err != nil {
		return err
	}
	var failed error
	for name, t := range ours {
		if c := theirs[name]; c != t {
			fmt.Printf("tokens   %s differ: checkrein %+v, ccusage %+v\n", name, t, c)
			failed = errors.New("the programs count different tokens")
			continue
		}
		fmt.Printf("tokens   %s agree: %+v\n", name, t)
	}
	target := func(what string, ratio, most float64) {
		word := "met"
		if ratio > most {
			word, failed = "MISSED", errors.Join(failed, fmt.Errorf("%s: %.2f, target %.2f", what, ratio, most))
		}
		fmt.Printf("%-44s %6.3f  target %.2f  %s\n", what, ratio, most, word)
	}
	of := func(name string, by func(sample) float64) float64 { return median(runs[name], by) }
	target("wall time, first run / ccusage", of("first", wall)/of("ccusage", wall), 1)
	target("processor time, first run / ccusage", of("first", cpu)/of("ccusage", cpu), 1)
	target("peak memory, first run / ccusage", of("first", rss)/of("ccusage", rss), 0.5)
	target("wall time, run with nothing new / ccusage", of("again", wall)/of("ccusage", wall), 0.1)
	target("wall time, run with nothing new / first run", of("again", wall)/of("first", wall), 0.1)
	if o.strict {
		return failed
	}
	return nil
}

func readOurs(out []byte) (map[string]tokens, error) {
	var report struct {
		Rows []struct {
			Key    string `json:"key"`
			Input  int64  `json:"input_tokens"`
			Read   int64  `json:"cache_read_tokens"`
			Write  int64  `json:"cache_write_tokens"`
			Output int64  `json:"output_tokens"`
		} `json:"rows"`
	}
	if err := json.Unmarshal(out, &report); err != nil {
		return nil, err
	}
	sums := map[string]tokens{}
	for _, r := range report.Rows {
		sums[r.Key] = tokens{r.Input, r.Read, r.Write, r.Output}
	}
	return sums, nil
}

// readTheirs adds up ccusage's days. Its output of Gemini CLI leaves out the
// thoughts, which its total holds, and which are paid for as output.
func readTheirs(out []byte) (map[string]tokens, error) {
	var report struct {
		Daily []struct {
			Agents []struct {
				Agent  string `json:"agent"`
				Input  int64  `json:"inputTokens"`
				Read   int64  `json:"cacheReadTokens"`
				Write  int64  `json:"cacheCreationTokens"`
				Output int64  `json:"outputTokens"`
				Total  int64  `json:"totalTokens"`
			} `json:"agents"`
		} `json:"daily"`
	}
	if err := json.Unmarshal(out, &report); err != nil {
		return nil, err
	}
	names := map[string]string{"claude": "claude-code", "codex": "codex", "gemini": "gemini-cli"}
	sums := map[string]tokens{}
	for _, day := range report.Daily {
		for _, a := range day.Agents {
			t := sums[names[a.Agent]]
			t.input, t.read, t.write, t.output = t.input+a.Input, t.read+a.Read, t.write+a.Write, t.output+a.Output
			if a.Agent == "gemini" {
				t.output += a.Total - a.Input - a.Read - a.Write - a.Output
			}
			sums[names[a.Agent]] = t
		}
	}
	return sums, nil
}

func wall(s sample) float64 { return float64(s.wall) }
func cpu(s sample) float64  { return float64(s.cpu) }
func rss(s sample) float64  { return float64(s.rss) }
func ms(ns float64) float64 { return ns / 1e6 }

func median(s []sample, by func(sample) float64) float64 {
	all := make([]float64, len(s))
	for i, x := range s {
		all[i] = by(x)
	}
	slices.Sort(all)
	return all[len(all)/2]
}
