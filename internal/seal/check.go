package seal

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"checkrein/internal/proc"
)

// Report is what this computer can do.
type Report struct {
	Sealed bool   `json:"sealed"`
	Why    string `json:"why,omitzero"` // why not
	Try    string `json:"try,omitzero"` // what to type to change that
	Parts  []Part `json:"parts"`
}

// Part is one part of a wall.
type Part struct {
	Name string `json:"name"`
	Has  bool   `json:"has"`
	Note string `json:"note,omitzero"` // what its absence means
}

// Check builds the walls of an agent and of tests once and says what came of it.
func Check(ctx context.Context) Report {
	dir, err := os.MkdirTemp("", "checkrein-check-*")
	if err != nil {
		return Report{Why: "the temporary folder can't be written to", Parts: []Part{}}
	}
	defer removeAll(dir)
	if err := probe(ctx, dir, proc.Agent, "true"); err != nil {
		return refusal(err)
	}
	if err := probe(ctx, dir, proc.Tests, "true"); err != nil {
		return refusal(err)
	}
	return Report{Sealed: true, Parts: parts(probe(ctx, dir, proc.Agent, `echo x >"$HOME/.npm/_cacache/x"`) == nil)}
}

// errProbe is a wall in which a command could not do what it must.
var errProbe = errors.New("a command behind the wall failed")

// probe runs a line in a copy of nothing, with a home that has a package cache.
func probe(ctx context.Context, dir string, kind proc.Kind, line string) error {
	copied, home := filepath.Join(dir, "copy"), filepath.Join(dir, "home")
	if err := errors.Join(os.MkdirAll(copied, 0o700), os.MkdirAll(filepath.Join(home, ".npm/_cacache"), 0o700)); err != nil {
		return err
	}
	r, err := proc.Run(ctx, proc.Command{
		Shell: `test "$(pwd)" = ` + Copy + ` && ` + line, Dir: copied, Env: []string{"PATH=/usr/bin:/bin", "HOME=" + home},
		Timeout: time.Minute, Kind: kind, Launch: New(Options{}).Launch,
	})
	if err == nil && !r.OK() {
		return errProbe
	}
	return err
}

// parts are what the kernel adds beyond what every wall has.
func parts(layered bool) []Part {
	version := landlock()
	out := []Part{
		{Name: "files: only the copy, toolchains and the agent's own login in sight", Has: true},
		{Name: "processes: none of this computer in sight, all ended together", Has: true},
		{Name: "network: none for tests", Has: true},
		{Name: "private layers over package caches", Has: layered},
		{Name: "abstract sockets and signals (Landlock)", Has: version >= scopesFrom},
		{Name: "files once more (Landlock)", Has: version > 0},
	}
	for i, note := range []string{
		3: "caches are read-only, so tools that must write to theirs fail", 4: "agents and setup can connect to abstract sockets of this computer (kernel 6.12 or later hides them)",
		5: "the kernel has no Landlock: the first wall is the only one",
	} {
		if !out[i].Has {
			out[i].Note = note
		}
	}
	return out
}
