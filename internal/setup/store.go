package setup

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"golang.org/x/sys/unix"

	"checkrein/internal/repo"
)

// A result is a folder with these names in it. Its own name is its key and the
// hash of its list, which has the hashes of all files: what was damaged or
// half-written is noticed and not used.
const (
	listName    = "list.json"
	lockName    = "lock"    // held shared by who uses the result, alone by who makes or removes it
	filesName   = "files"   // what the setup left in the copy
	outsideName = "outside" // what it left outside
	partPrefix  = ".part-"
)

// Bounds of what is kept.
const (
	maxResults = 8
	maxBytes   = 4 << 30  // of one result
	maxAll     = 12 << 30 // of all
)

// result is what one setup left.
type result struct {
	Inputs  []input  `json:"inputs"`
	Roots   []string `json:"roots"`
	Edited  []string `json:"edited,omitzero"`
	Places  string   `json:"places,omitzero"`
	Beneath []string `json:"beneath,omitzero"`
	Start   int64    `json:"start"` // nanoseconds
	Bytes   int64    `json:"bytes"`
	Files   []item   `json:"files"`
	Outside []item   `json:"outside,omitzero"`

	dir  string
	lock *os.File
	once sync.Once // checks what lies outside
	bad  error
}

// names are the results that are there.
func (c *Cache) names() (out []string) {
	entries, _ := os.ReadDir(c.dir) // not there yet: there are none
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			out = append(out, e.Name())
		}
	}
	return out
}

// matching are the results for a key that may be used.
func (c *Cache) matching(key string) []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.DeleteFunc(c.names(), func(name string) bool { return !c.known[name] || !strings.HasPrefix(name, key+"-") })
}

// hold opens a result, to be used until the cache is closed; nil for one that is
// damaged, or going to be removed.
func (c *Cache) hold(name string) *result {
	c.mu.Lock()
	defer c.mu.Unlock()
	if r := c.held[name]; r != nil {
		return r
	}
	dir := filepath.Join(c.dir, name)
	lock, err := locked(dir, unix.LOCK_SH)
	if err != nil {
		return nil
	}
	r, err := read(dir)
	if err != nil {
		lock.Close()
		remove(dir)
		return nil
	}
	r.dir, r.lock = dir, lock
	c.held[name] = r
	return r
}

func read(dir string) (*result, error) {
	text, err := os.ReadFile(filepath.Join(dir, listName))
	if err != nil {
		return nil, err
	}
	r := &result{}
	if _, sum, _ := strings.Cut(filepath.Base(dir), "-"); sum != digest(text)[:32] {
		return nil, errors.New("the list of a kept setup result is damaged")
	}
	return r, json.Unmarshal(text, r)
}

// drop gives up a result that is damaged.
func (c *Cache) drop(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.known, name)
	if r := c.held[name]; r != nil {
		r.lock.Close()
		delete(c.held, name)
		remove(r.dir)
	}
}

// locked takes the lock of a result without waiting.
func locked(dir string, how int) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR|os.O_CREATE|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), how|unix.LOCK_NB); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// remove deletes a result that nobody uses. It loses its name first, so that it
// is never seen half.
func remove(dir string) {
	lock, err := locked(dir, unix.LOCK_EX)
	if err != nil {
		return
	}
	defer lock.Close()
	gone := filepath.Join(filepath.Dir(dir), partPrefix+strings.ToLower(rand.Text()[:12]))
	if os.Rename(dir, gone) == nil {
		_ = repo.RemoveAll(gone) // what stays, sweep finds
	}
}

// save keeps what a setup left in a copy.
func (c *Cache) save(key, copied string, s share) error {
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return fmt.Errorf("making the folder of setup results: %w", err)
	}
	c.sweep()
	part := filepath.Join(c.dir, partPrefix+strings.ToLower(rand.Text()[:12]))
	if err := os.Mkdir(part, 0o700); err != nil {
		return fmt.Errorf("keeping a setup's result: %w", err)
	}
	lock, err := locked(part, unix.LOCK_EX)
	if err != nil {
		return errors.Join(err, repo.RemoveAll(part))
	}
	name, err := c.fill(part, key, copied, s)
	if err == nil {
		err = os.Rename(part, filepath.Join(c.dir, name))
	}
	lock.Close()
	if err != nil {
		return errors.Join(err, repo.RemoveAll(part))
	}
	c.mu.Lock()
	c.known[name] = true
	c.mu.Unlock()
	c.prune()
	return nil
}

// fill writes a result, and names it.
func (c *Cache) fill(part, key, copied string, s share) (name string, err error) {
	r := &result{Inputs: s.inputs, Roots: s.roots, Edited: s.edited, Places: s.places, Beneath: s.beneath, Start: s.start}
	room := &budget{left: maxBytes}
	if c.outside == nil {
		room.hide = spellings(copied)
	}
	if r.Files, err = take(copied, append(slices.Clone(s.roots), s.edited...), filepath.Join(part, filesName), room, nil); err != nil {
		return "", err
	}
	if c.outside != nil {
		left, parts := c.outside.Left(copied)
		if r.Outside, err = take(left, parts, filepath.Join(part, outsideName), room, passing); err != nil {
			return "", err
		}
	}
	r.Bytes = maxBytes - room.left
	text, err := json.Marshal(r, json.Deterministic(true))
	if err != nil {
		return "", err
	}
	return key + "-" + digest(text)[:32], os.WriteFile(filepath.Join(part, listName), text, 0o600)
}

// sweep removes what processes that were killed have left half.
func (c *Cache) sweep() {
	parts, _ := filepath.Glob(filepath.Join(c.dir, partPrefix+"*")) // the pattern is well-formed
	for _, part := range parts {
		info, err := os.Lstat(part)
		if err != nil || !info.IsDir() || time.Since(info.ModTime()) < time.Minute {
			continue // its maker may not have its lock yet
		}
		if lock, err := locked(part, unix.LOCK_EX); err == nil {
			_ = repo.RemoveAll(part) // the next sweep tries again
			lock.Close()
		}
	}
}

// prune removes the results that were not used for the longest time.
func (c *Cache) prune() {
	type old struct {
		name  string
		used  time.Time
		bytes int64
	}
	var all []old
	for _, name := range c.names() {
		dir := filepath.Join(c.dir, name)
		if info, err := os.Lstat(filepath.Join(dir, lockName)); err == nil {
			o := old{name: name, used: info.ModTime()}
			if r, err := read(dir); err == nil {
				o.bytes = r.Bytes
			}
			all = append(all, o)
		}
	}
	slices.SortFunc(all, func(a, b old) int { return b.used.Compare(a.used) })
	total := int64(0)
	for i, o := range all {
		if total += o.bytes; i >= maxResults || total > maxAll {
			remove(filepath.Join(c.dir, o.name))
		}
	}
}

// used notes that a result was used just now.
func (r *result) used() {
	now := time.Now()
	_ = os.Chtimes(filepath.Join(r.dir, lockName), now, now) // at worst it is removed too early
}

// spellings are the paths of a copy as files in it may have them.
func spellings(dir string) []string {
	out := []string{dir}
	if real, err := filepath.EvalSymlinks(dir); err == nil && real != dir {
		out = append(out, real)
	}
	return out
}
