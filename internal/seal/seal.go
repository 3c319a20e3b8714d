// Package seal puts a command behind a wall: it sees its copy at one fixed path,
// the system and the toolchains read-only, package caches under a private layer, a
// private home, and nothing else of the computer.
//
// The wall is made of Linux namespaces (enter_linux.go), with Landlock as a
// second layer (landlock_linux.go). Launch runs in the caller and writes a plan;
// the supervisor of package proc, which is the first process behind the wall,
// carries it out before it starts the command. What is in sight is a list of
// what may be (system.go, home.go), so a folder that nobody thought of is hidden.
//
// Who sees what:
//
//	           network   login of the agent   settings of package managers
//	agents     yes       its own              no
//	setup      yes       no                   yes
//	tests      no        no                   no
//
// What a setup command writes into home and caches is there for the commands that
// come after it in the same copy. What an agent or a test writes there is gone
// when it ends, so no agent can leave a forged build result for its tests. Only
// commands of the repository's own commits add to the build cache that is kept.
package seal

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"

	"checkrein/internal/proc"
)

// Copy is where every command finds its copy. Build caches are keyed by path, so
// one path for all copies makes them useful.
const Copy = "/repo"

// Options are what a seal must know besides a command.
type Options struct {
	Hide    []string // folders that stay out of sight even inside a folder that is shown
	Network bool     // tests have network, too
	Builds  string   // folder for what compilers made of the repository's own commits; "" for none
	Trusted bool     // no agent wrote what is run, so it may add to Builds
	Means   Means    // how walls are built here, as Check found out
}

// Means are how walls are built on a computer. The zero value is the first choice:
// by the program itself, with layers.
type Means struct {
	Bubblewrap string // the program that builds them; "" for this one
	Flat       bool   // without layers
}

// Seal builds walls. Its methods may be called by several at once.
type Seal struct {
	Options

	mu    sync.Mutex
	rooms map[string]string // a copy's folder to what lies beside it
	given map[string]string // a copy's folder to what a setup left elsewhere
	built map[string]bool   // names of the build caches
}

// New makes a seal. Whether this computer can build the walls, [Check] says.
func New(o Options) *Seal {
	return &Seal{Options: o, rooms: map[string]string{}, given: map[string]string{}, built: map[string]bool{}}
}

// Launch is a [proc.Launcher].
func (s *Seal) Launch(start proc.Start) (proc.Start, error) {
	v := &view{Options: s.Options, start: start, home: home(start.Env), room: s.room(start)}
	s.noteBuilds(v)
	if err := v.room.clear(); err != nil {
		return start, fmt.Errorf("emptying the private folders: %w", err)
	}
	v.collect()
	if err := v.makeRoom(); err != nil {
		return start, fmt.Errorf("making the private folders: %w", err)
	}
	network := start.Kind != proc.Tests || s.Network
	var err error
	start.Wall, err = s.wall(plan{Mounts: v.mounts, Guarded: start.Kind != proc.Agent, Lonely: !network, Flat: s.Means.Flat})
	if err != nil {
		return start, err
	}
	start.Argv = append([]string{inside(start.Dir, start.Argv[0])}, start.Argv[1:]...)
	start.Env = environment(start, v.home)
	if !network {
		start.Env = withoutUpdates(start.Env)
	}
	start.Dir = inside(start.Dir, start.Dir)
	start.After = v.keepBuilds
	return start, nil
}

// wall is how the supervisor gets behind it.
func (s *Seal) wall(p plan) (*proc.Wall, error) {
	if s.Means.Bubblewrap != "" {
		return bubble(s.Means.Bubblewrap, p)
	}
	data, err := json.Marshal(p)
	return &proc.Wall{Attr: namespaces(p.Lonely), Plan: data}, err
}

// plan is what the supervisor does before it starts the command.
type plan struct {
	Mounts  []mount
	Guarded bool // Landlock also guards files; agents go without, see landlock_linux.go
	Lonely  bool // own network namespace
	Flat    bool // no layers
	Built   bool // the supervisor is behind it already: bubblewrap did the rest
}

// mount is one place in sight. Paths are bytes, because they need not be UTF-8.
type mount struct {
	At    []byte
	How   how
	From  [][]byte // on the host, the uppermost layer first; of a link: where it leads
	Upper []byte   // layers only: the folder for what is written
	Flat  flat     // layers only: what stands in for them
}

// how says what a place is.
type how uint8

// What can be at a place.
const (
	reads   how = iota + 1 // something of the host, read-only
	writes                 // something of the host
	layers                 // folders of the host under one that takes the changes
	empty                  // nothing, read-only
	scratch                // an empty folder in memory
	link                   // a symbolic link
	device                 // a device file of the host
	system                 // the kernel's processes
	pts                    // new pseudo-terminals
	locked                 // what is there already, read-only from now on
)

func scratchMode(at string) string {
	if at == "/dev" || at == "/run" {
		return "mode=0755"
	}
	return "mode=1777"
}

// inside is a path of the host as the command has it.
func inside(dir, path string) string {
	rest, ok := strings.CutPrefix(path, dir)
	if dir == "/" || !ok || (rest != "" && rest[0] != '/') {
		return path
	}
	return Copy + rest
}

// home is the home folder as the command has it: the same path as outside.
func home(env []string) string {
	if dir := value(env, "HOME"); filepath.IsAbs(dir) && filepath.Clean(dir) != "/" {
		return filepath.Clean(dir)
	}
	return "/home/user"
}

// environment is a command's own, with its places as they are behind the wall.
func environment(start proc.Start, home string) []string {
	out := slices.DeleteFunc(slices.Clone(start.Env), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return name == "PWD" || name == "HOME" || name == "TMPDIR" || start.Kind == proc.Tests && registryLogin(name)
	})
	return append(out, "PWD="+inside(start.Dir, start.Dir), "HOME="+home, "TMPDIR=/tmp")
}

// withoutUpdates keeps npm from looking for a newer npm where there is no network. It
// does so once a day, which in a fresh home is each time, and takes as long over it as
// over the rest: 0.35 s of 0.7 (npm 11.19).
func withoutUpdates(env []string) []string {
	const name = "npm_config_update_notifier"
	env = slices.DeleteFunc(env, func(entry string) bool { return strings.HasPrefix(entry, name+"=") })
	return append(env, name+"=false")
}

// registryLogin tells whether a variable holds a login to a package registry, which
// package proc passes on for the sake of setup commands.
func registryLogin(name string) bool {
	name = strings.ToLower(name)
	switch {
	case strings.HasPrefix(name, "npm_config_"):
		return strings.Contains(name, "auth") || strings.Contains(name, "password") || strings.Contains(name, "token")
	case strings.HasPrefix(name, "bundle_"):
		return strings.Contains(name, "__") // a host's name: BUNDLE_GEMS__EXAMPLE__COM
	}
	return name == "pip_index_url" || name == "pip_extra_index_url" || name == "uv_index_url" || name == "uv_default_index" || name == "uv_index"
}

func value(env []string, name string) string {
	for _, entry := range slices.Backward(env) {
		if val, ok := strings.CutPrefix(entry, name+"="); ok {
			return val
		}
	}
	return ""
}
