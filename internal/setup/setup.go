// Package setup runs a setup command once for all copies that it would treat
// alike, and puts what it left into the others.
//
// What a setup leaves is kept only when it ran in a fresh copy of a commit of the
// repository, which no agent has touched, and ended well. It is used again where
// everything that could tell is the same: the command, its environment, the
// toolchains, every manifest and lock file of the copy (key.go), and every file
// and folder that the setup was seen to read (trace.go). What lies in dependency
// folders alone is used for other commits, too; all else for the very same tree
// (share.go). Whatever is in doubt runs the command, as if nothing was kept.
//
// A copy gets files of its own, so nothing that is done in it reaches the kept
// ones. They are checked against their hashes when they are used (store.go).
package setup

import (
	"context"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"checkrein/internal/proc"
)

// Outside is what a wall keeps of what a setup wrote outside its copy.
type Outside interface {
	// Manner is how it is kept: what was left in one manner is of no use in another.
	Manner() string
	// Left is where the setup in a copy left something: folders of one folder.
	Left(copied string) (dir string, parts []string)
	// Adopt shows the commands in a copy what a setup has left elsewhere, in a
	// folder with the same parts, which is only read. A setup in the copy ends that.
	Adopt(copied, dir string)
}

// Cache keeps what setups left. A nil one keeps nothing.
type Cache struct {
	dir     string
	outside Outside // nil: no wall
	known   map[string]bool

	ran, reused atomic.Int64

	mu    sync.Mutex
	turns map[string]*sync.Mutex // by key: one makes what others wait for
	alone map[string]bool        // keys whose setup is of no use to others
	held  map[string]*result     // in use by this process
	sees  *bool                  // whether reads leave a trace where copies are
}

// Open opens a folder of kept results; it need not be there yet. Of what others add
// to it from now on nothing is used: without a wall, an agent could.
func Open(dir string, outside Outside) *Cache {
	c := &Cache{
		dir: dir, outside: outside, known: map[string]bool{}, turns: map[string]*sync.Mutex{}, alone: map[string]bool{}, held: map[string]*result{},
	}
	for _, name := range c.names() {
		c.known[name] = true
	}
	return c
}

// Close gives up the results in use, so that others may delete them.
func (c *Cache) Close() {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, r := range c.held {
		r.lock.Close()
	}
	c.held = map[string]*result{}
}

// Counts are how often the command ran, and how often what it had left was used
// instead.
type Counts struct {
	Run    int `json:"run"`
	Reused int `json:"reused"`
}

// Counts counts since the cache was opened.
func (c *Cache) Counts() Counts {
	if c == nil {
		return Counts{}
	}
	return Counts{int(c.ran.Load()), int(c.reused.Load())}
}

// Copy is one copy to be set up, perhaps more than once. It is not for two at once.
type Copy struct {
	cache  *Cache
	dir    string
	env    []string // of the command
	placed []string // what was put into it from a result
	mixed  bool     // a setup command ran in it, and what is of that is not known
}

// Copy is for a new copy.
func (c *Cache) Copy(dir string) *Copy { return &Copy{cache: c, dir: dir} }

// Emptied says that the copy's folder was made anew.
func (p *Copy) Emptied() { p.placed, p.mixed = nil, false }

// Done is what became of one setup.
type Done struct {
	OK     bool // the copy is set up
	Reused bool // without running the command
}

// Keep says what may be kept of a setup. For all but Nothing the copy must hold
// exactly the files of a commit, and nothing may have run in it.
type Keep uint8

// What may be kept.
const (
	Nothing Keep = iota
	ForKey       // what other commits can use
	ForTree      // what another copy of the same commit can use, too
)

// Run sets the copy up.
func (p *Copy) Run(ctx context.Context, cmd proc.Command, keep Keep) (Done, error) {
	c := p.cache
	if c == nil || p.mixed {
		return p.plain(ctx, cmd)
	}
	p.env = cmd.Env
	key, err := c.key(p.dir, cmd)
	if err != nil {
		return p.plain(ctx, cmd)
	}
	if p.reuse(key, cmd) {
		return Done{true, true}, nil
	}
	if keep == Nothing {
		return p.plain(ctx, cmd)
	}
	defer c.turn(key)()
	if p.reuse(key, cmd) { // another has made it meanwhile
		return Done{true, true}, nil
	}
	return p.runAndKeep(ctx, cmd, key, keep)
}

// plain runs the command as it is.
func (p *Copy) plain(ctx context.Context, cmd proc.Command) (Done, error) {
	p.mixed = true
	if p.cache != nil {
		p.cache.ran.Add(1)
	}
	res, err := proc.Run(ctx, cmd)
	return Done{OK: err == nil && res.OK()}, err
}

// turn waits until nobody else makes a result for a key, unless such results
// turned out to be of no use to others.
func (c *Cache) turn(key string) (end func()) {
	c.mu.Lock()
	mine := c.turns[key]
	if mine == nil {
		mine = &sync.Mutex{}
		c.turns[key] = mine
	}
	alone := c.alone[key]
	c.mu.Unlock()
	if alone {
		return func() {}
	}
	mine.Lock()
	return mine.Unlock
}

// runAndKeep runs the command and keeps what it left, if that may be used again.
// Whatever fails in that takes away the result only.
func (p *Copy) runAndKeep(ctx context.Context, cmd proc.Command, key string, keep Keep) (Done, error) {
	before, err := p.watch()
	started := time.Now().UnixNano()
	done, failed := p.plain(ctx, cmd)
	if err != nil || failed != nil || !done.OK {
		return done, failed
	}
	share, err := p.saw(before)
	share.start = started
	kept := err == nil && (share.scope == sameKey || share.scope == sameTree && keep == ForTree)
	if kept {
		err = p.cache.save(key, p.dir, share)
	}
	if err != nil || share.scope != sameKey {
		p.cache.mu.Lock()
		p.cache.alone[key] = true
		p.cache.mu.Unlock()
	}
	if kept && err == nil && len(share.edited) == 0 {
		p.placed, p.mixed = share.roots, false
	}
	return done, nil
}

// reuse puts a kept result into the copy, if there is one for it.
func (p *Copy) reuse(key string, cmd proc.Command) bool {
	for _, name := range p.cache.matching(key) {
		r := p.cache.hold(name)
		if r == nil || !p.fits(r) {
			continue
		}
		if err := p.place(r); err != nil {
			p.cache.drop(name)
			continue
		}
		p.cache.reused.Add(1)
		noteIn(cmd.Stdout)
		return true
	}
	return false
}

// noteIn leaves a word where the command's output is looked for.
func noteIn(log string) {
	if log == "" || log == os.DevNull {
		return
	}
	// An output that can't be written is missed by nobody: the setup went well.
	_ = os.WriteFile(log, fmt.Appendln(nil, "The setup command did not run: what it left in an earlier copy was used again."), 0o666)
}
