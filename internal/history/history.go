// Package history reads all sessions that the harnesses on this computer have
// recorded. It reads each file once, on all processors, and keeps what it found
// in the state folder, so that a later read takes what is new alone.
//
// It promises to change nothing but its own cache, and to work in memory that
// grows with the number of responses, not with the size of the files.
package history

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"checkrein/internal/harness"
	"checkrein/internal/usage"
)

// Options say what to read.
type Options struct {
	Archives []harness.Archive
	Getenv   func(string) string
	Home     string
	Cache    string                  // the cache's file; "" reads everything and keeps nothing
	Build    string                  // what the cache was made by: another program's is not used
	Progress func(done, total int64) // bytes; called from one goroutine at a time
}

// Place is a folder, or a database, that was looked into.
type Place struct {
	Harness string `json:"harness"`
	Path    string `json:"path"`
	Files   int    `json:"files"`
}

// Result is what was found.
type Result struct {
	Logs     []*usage.Log
	Places   []Place
	Problems []error // files that could not be read, and a cache that could not be kept
}

// Read reads all sessions.
func Read(ctx context.Context, o Options) (*Result, error) {
	r := &run{o: o, cached: load(o.Cache, o.Build), kept: map[string]*entry{}}
	for _, a := range o.Archives {
		r.look(a)
	}
	if err := r.readAll(ctx); err != nil {
		return nil, err
	}
	r.keepOthers()
	if r.changed || len(r.kept) != len(r.cached) {
		if err := save(o.Cache, o.Build, r.kept); err != nil {
			r.problems = append(r.problems, fmt.Errorf("keeping what was read for the next time: %w", err))
		}
	}
	return r.result(), nil
}

type run struct {
	o        Options
	cached   map[string]*entry // by path
	kept     map[string]*entry
	paths    []string // in the order they were found
	places   []Place
	jobs     []job
	changed  bool
	problems []error
}

// job is one file that is new or has changed.
type job struct {
	archive harness.Archive
	log     harness.Log
	now     stamp
	old     *entry // nil: never read
	size    int64  // what there is to read
}

// look finds an archive's files and which of them changed.
func (r *run) look(a harness.Archive) {
	for _, place := range a.Places(r.o.Getenv, r.o.Home) {
		logs := a.Logs(place)
		r.places = append(r.places, Place{Harness: a.Name, Path: place, Files: len(logs)})
		for _, l := range logs {
			if _, twice := r.kept[l.Path]; twice {
				continue
			}
			now, ok := stampOf(l.Path, a.Query != nil)
			if !ok {
				continue
			}
			r.paths = append(r.paths, l.Path)
			old := r.cached[l.Path]
			r.kept[l.Path] = old
			if old == nil || old.stamp != now {
				r.jobs = append(r.jobs, newJob(a, l, now, old))
			}
		}
	}
}

func newJob(a harness.Archive, l harness.Log, now stamp, old *entry) job {
	j := job{archive: a, log: l, now: now, size: now.size}
	if old != nil && old.harness == a.Name {
		j.old = old
		j.size = max(now.size-old.offset, 0)
	}
	return j
}

// readAll reads the changed files, on all processors.
func (r *run) readAll(ctx context.Context) error {
	queue := make(chan job)
	var (
		group sync.WaitGroup
		lock  sync.Mutex
		done  int64
		total int64
	)
	for _, j := range r.jobs {
		total += j.size
	}
	for range min(runtime.GOMAXPROCS(0), len(r.jobs)) {
		group.Go(func() {
			for j := range queue {
				e, err := j.read()
				lock.Lock()
				r.take(j, e, err)
				if done += j.size; r.o.Progress != nil {
					r.o.Progress(done, total)
				}
				lock.Unlock()
			}
		})
	}
	for _, j := range r.jobs {
		if ctx.Err() != nil {
			break
		}
		queue <- j
	}
	close(queue)
	group.Wait()
	return ctx.Err()
}

// take keeps what a job found. A file that could not be read keeps what an
// earlier read found, and is looked at again the next time.
func (r *run) take(j job, e *entry, err error) {
	if err != nil {
		r.problems = append(r.problems, err)
		if j.old == nil {
			delete(r.kept, j.log.Path)
		}
		return
	}
	r.kept[j.log.Path], r.changed = e, true
}

// keepOthers keeps what was read of harnesses that were not asked for.
func (r *run) keepOthers() {
	asked := map[string]bool{}
	for _, a := range r.o.Archives {
		asked[a.Name] = true
	}
	for path, e := range r.cached {
		if !asked[e.harness] {
			r.kept[path] = e
		}
	}
}

func (r *run) result() *Result {
	out := &Result{Places: r.places, Problems: r.problems}
	for _, path := range r.paths {
		if e := r.kept[path]; e != nil {
			out.Logs = append(out.Logs, e.logs...)
		}
	}
	return out
}
