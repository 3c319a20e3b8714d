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
	Wall   string `json:"wall,omitzero"` // what builds it, and why not the first choice
	Means  Means  `json:"-"`
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

// Check builds the walls of an agent and of tests once and says what came of it. The
// first choice is a wall of our own. bubblewrap is asked where that is refused:
// AppArmor, for one, can allow namespaces to some programs only.
func Check(ctx context.Context) Report {
	dir, err := os.MkdirTemp("", "checkrein-check-*")
	if err != nil {
		return Report{Why: "the temporary folder can't be written to", Parts: []Part{}}
	}
	defer removeAll(dir)
	own := Means{}
	refused := own.probe(ctx, dir)
	if refused == nil {
		own.Flat = !own.layered(ctx, dir)
		return own.report("namespaces of checkrein's own")
	}
	r := refusal(refused)
	program := bubblewrap()
	if program == "" {
		return r
	}
	for _, flat := range []bool{false, true} {
		m := Means{Bubblewrap: program, Flat: flat}
		if err = m.probe(ctx, dir); err == nil {
			return m.report("bubblewrap (checkrein's own wall was refused: " + r.Why + ")")
		}
	}
	r.Why += "; bubblewrap says " + err.Error()
	return r
}

// report is of a wall that stands.
func (m Means) report(wall string) Report {
	return Report{Sealed: true, Wall: wall, Means: m, Parts: parts(!m.Flat)}
}

// probe builds both kinds of walls.
func (m Means) probe(ctx context.Context, dir string) error {
	if err := m.try(ctx, dir, proc.Agent, "true"); err != nil {
		return err
	}
	return m.try(ctx, dir, proc.Tests, "true")
}

// layered tells whether a private folder can lie over a package cache.
func (m Means) layered(ctx context.Context, dir string) bool {
	return m.try(ctx, dir, proc.Agent, `echo x >"$HOME/.npm/_cacache/x"`) == nil
}

// errProbe is a wall in which a command could not do what it must.
var errProbe = errors.New("a command behind the wall failed")

// try runs a line in a copy of nothing, with a home that has a package cache.
func (m Means) try(ctx context.Context, dir string, kind proc.Kind, line string) error {
	copied, home := filepath.Join(dir, "copy"), filepath.Join(dir, "home")
	if err := errors.Join(os.MkdirAll(copied, 0o700), os.MkdirAll(filepath.Join(home, ".npm/_cacache"), 0o700)); err != nil {
		return err
	}
	r, err := proc.Run(ctx, proc.Command{
		Shell: `test "$(pwd)" = ` + Copy + ` && ` + line, Dir: copied, Env: []string{"PATH=/usr/bin:/bin", "HOME=" + home},
		Timeout: time.Minute, Kind: kind, Launch: New(Options{Means: m}).Launch,
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
		{Name: "agents' own sandboxes with a /proc", Has: os.Geteuid() != 0},
	}
	for i, note := range []string{
		3: "package caches are read-only, and build caches start empty", 4: "agents and setup can connect to abstract sockets of this computer (kernel 6.12 or later hides them)",
		5: "the kernel has no Landlock: the first wall is the only one",
		6: "not for root: Codex does without, Claude Code with sandbox.enableWeakerNestedSandbox in its settings",
	} {
		if !out[i].Has {
			out[i].Note = note
		}
	}
	return out
}
