package drive

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"checkrein/internal/harness"
	"checkrein/internal/harness/registry"
	"checkrein/internal/price"
	"checkrein/internal/proc"
	"checkrein/internal/redact"
	"checkrein/internal/trial"
)

// Names are the harnesses that trials can run, sorted.
func Names() (names []string) {
	for _, h := range registry.Headless() {
		names = append(names, h.Name)
	}
	return names
}

// Known looks one up.
func Known(name string) (harness.Headless, bool) {
	all := registry.Headless()
	i := slices.IndexFunc(all, func(h harness.Headless) bool { return h.Name == name })
	if i < 0 {
		return harness.Headless{}, false
	}
	return all[i], true
}

// Surroundings are what a run takes from its process and the user's machine.
type Surroundings struct {
	Environ []string         // NAME=value
	Extra   []string         // names that the user wants passed on besides
	Hide    []string         // folders that nothing passed on may name
	Prices  *price.Table     // list prices
	Now     func() time.Time // the clock
	Launch  proc.Launcher    // how agents, setup and tests are started; nil means as they are
	CopyAt  string           // the folder that the copy seems to be, with Launch; "" for where it is
	Sealed  *bool            // what records say of it; see trial.Record
	WhyOpen string
}

// Adapter is one harness as this machine has it. Name must be known.
func (s Surroundings) Adapter(name, model string) trial.Adapter {
	h, _ := Known(name)
	a := trial.Adapter{Headless: h, Variant: trial.Default(name, model), Model: model}
	if h.Config != nil {
		config := h.Config(s.getenv, fileText)
		a.Env = append(a.Env, config.KeyVars...)
		if model == "" {
			a.Model = config.Model
		}
	}
	a.Found = s.find(h.Program, s.agentEnv(a)) != ""
	flat := s.Prices.FirstTiers()
	a.Price = func(u harness.Usage, model string) (float64, bool) { return s.Prices.Cost(u, model, s.Now()) }
	a.PriceSum = func(u harness.Usage, model string) (float64, bool) { return flat.Cost(u, model, s.Now()) }
	return a
}

// fileText is the text of a file; "" where it can't be read.
func fileText(path string) string {
	text, _ := os.ReadFile(path)
	return string(text)
}

func (s Surroundings) getenv(name string) string { return lookup(s.Environ, name) }

func lookup(environ []string, name string) string {
	for _, entry := range slices.Backward(environ) {
		if v, ok := strings.CutPrefix(entry, name+"="); ok {
			return v
		}
	}
	return ""
}

// find looks for a program where a trial would: in the PATH that the trial's
// own environment has.
func (s Surroundings) find(program string, env []string) string {
	for _, dir := range filepath.SplitList(lookup(env, "PATH")) {
		path := filepath.Join(dir, program)
		if info, err := os.Stat(path); filepath.IsAbs(dir) && err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return path
		}
	}
	return ""
}

// agentEnv is what an agent may see. A guard that the user has installed stays
// out of trials: they have a cap of their own.
func (s Surroundings) agentEnv(a trial.Adapter) []string {
	environ := slices.DeleteFunc(slices.Clone(s.Environ), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return matchesAny(name, a.NotEnv) && !slices.Contains(s.Extra, name)
	})
	names := append(slices.Clone(a.Env), s.Extra...)
	for _, cloud := range a.EnvWhen {
		if s.getenv(cloud.On) != "" {
			names = append(names, cloud.Env...)
		}
	}
	env := proc.Env(proc.Agent, names, s.Hide, environ)
	return append(env, "RUNAWAY_GUARD_OFF=1")
}

// own is what an agent may use of the user's home behind a wall.
func (s Surroundings) own(a trial.Adapter) []proc.Own {
	dir := s.getenv(a.Own.Var)
	if a.Own.Var == "" || !filepath.IsAbs(dir) {
		dir = filepath.Join(s.getenv("HOME"), a.Own.Dir)
	}
	if a.Own.Dir == "" || !filepath.IsAbs(dir) {
		return nil
	}
	var out []proc.Own
	for _, name := range a.Own.Login {
		out = append(out, proc.Own{Path: filepath.Join(dir, name), Write: true})
	}
	for _, name := range a.Own.Settings {
		out = append(out, proc.Own{Path: filepath.Join(dir, name)})
	}
	return out
}

// testEnv is what setup and tests may see.
func (s Surroundings) testEnv() []string { return proc.Env(proc.Tests, s.Extra, s.Hide, s.Environ) }

func matchesAny(name string, patterns []string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		prefix, open := strings.CutSuffix(p, "*")
		return p == name || (open && strings.HasPrefix(name, prefix))
	})
}

// versionPatience is far more than any harness needs. Gemini CLI took 30 seconds
// on a machine with ten times the work that it has processors for.
const versionPatience = 2 * time.Minute

// version asks a harness for its version: the first line of what it says, which
// stays in the log file out.
func (s Surroundings) version(ctx context.Context, a trial.Adapter, out string) string {
	_, err := proc.Run(ctx, proc.Command{
		Argv: []string{a.Program, "--version"}, Dir: "/", Env: s.agentEnv(a), Timeout: versionPatience,
		Stdout: out, Stderr: os.DevNull, MaxOutput: 1 << 20, Launch: s.Launch, Kind: proc.Agent, Own: s.own(a),
	})
	text, readErr := os.ReadFile(out)
	if err != nil || readErr != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" {
			return redact.Line(line, 60)
		}
	}
	return ""
}
