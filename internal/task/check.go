package task

import (
	"context"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"checkrein/internal/fair"
	"checkrein/internal/repo"
)

// Why a candidate, or HEAD, does not pass its check.
const (
	CouldNotCopy = "could not copy the commit" // a damaged clone or a full disk
	SetupFailed  = "setup command failed"
	TestsFail    = "tests fail" // of HEAD
	PassBefore   = "tests pass before the fix"
	FailAfter    = "tests fail with the fix"
	TimeOutAfter = "tests time out with the fix"
	Flaky        = "flaky" // the second round gave another result

	// Grading by tests.
	NoResults = "no test results"
	Disagree  = "exit code and test report disagree"
	NoTelling = "no test fails before the fix and passes after it"
	NotLoaded = "its tests do not build or load with the fix"
	TimeOut   = "tests time out"
)

// checker checks candidates in fresh copies.
type checker struct {
	repo *repo.Repo
	Options

	mu      sync.Mutex // of the fields below
	byTests bool       // set once HEAD is checked
	kept    int        // candidates that passed, those whose result was not yet taken included

	telling sync.Mutex
}

func (c *checker) tell(p Progress) {
	if c.Tell == nil {
		return
	}
	c.telling.Lock()
	defer c.telling.Unlock()
	p.At = time.Now()
	c.Tell(p)
}

// check checks HEAD, then candidates until enough are kept; more gives further
// ones, none when there is no use in them.
func (d *Document) check(ctx context.Context, r *repo.Repo, o Options, found []find, more func(context.Context, int) ([]find, error)) error {
	c := &checker{repo: r, Options: o}
	c.tell(Progress{What: HeadStarted})
	if err := c.checkHead(ctx, d); err != nil {
		return err
	}
	c.tell(Progress{What: HeadPassed, Failing: d.failing()})
	for from := 0; ; {
		if err := d.round(ctx, c, found, from); err != nil {
			return err
		}
		from = len(found)
		next, err := more(ctx, len(d.Tasks))
		if err != nil || len(next) == 0 {
			return err
		}
		found = append(found, next...)
	}
}

// round checks the candidates from a place on.
func (d *Document) round(ctx context.Context, c *checker, found []find, from int) error {
	stop, cancel := context.WithCancel(ctx)
	results := c.all(stop, found, from)
	defer func() {
		cancel()
		for _, ch := range results[d.Counts.Checked:] {
			<-ch // its copy is deleted now
		}
	}()
	for i := from; i < len(found) && len(d.Tasks) < c.Max; i++ {
		res := <-results[i]
		d.Counts.Checked++
		if err := d.take(ctx, c.repo, found[i], res, c.Hints); err != nil {
			return err
		}
		c.tell(verdict(i, found, res, len(d.Tasks), c.Max))
	}
	d.Counts.Validated = len(d.Tasks)
	return nil
}

func verdict(i int, found []find, res result, kept, wanted int) Progress {
	p := Progress{What: Kept, Number: i + 1, Of: len(found), Commit: found[i].commit.ID, Kept: kept, Wanted: wanted}
	if res.reason != "" {
		p.What, p.Reason = Rejected, res.reason
	}
	return p
}

// take counts one checked candidate, and adds its task when it passed.
func (d *Document) take(ctx context.Context, r *repo.Repo, f find, res result, hints bool) error {
	if res.err != nil {
		return res.err
	}
	if res.reason != "" {
		d.Counts.Rejected[res.reason]++
		if res.reason == NothingGives {
			d.Dropped = append(d.Dropped, Dropped{f.commit.ID, res.fair.Names})
		}
		return nil
	}
	tasks, err := makeTasks(ctx, r, d.Rules, []find{f})
	for _, t := range tasks {
		t.Validated, t.Check, t.Grade, t.Lent = true, res.runs, res.grade, res.lent
		t.judged(res.fair, hints)
		d.Tasks = append(d.Tasks, t)
	}
	return err
}

// result is how one check ended: kept when reason is "".
type result struct {
	reason string
	runs   Runs
	grade  *Grade      // nil: by suite
	fair   *fair.Score // nil where it did not come to it
	lent   []string
	err    error
}

// all starts to check candidates side by side, from a place on, and gives each its channel, so that their
// results can be taken newest first, as if one was checked after the other.
// Every channel from there on gets a result.
func (c *checker) all(ctx context.Context, found []find, from int) []chan result {
	results := make([]chan result, len(found))
	for i := range results {
		results[i] = make(chan result, 1)
	}
	var handed atomic.Int64
	for range max(c.Jobs, 1) {
		go func() {
			for {
				i := from + int(handed.Add(1)) - 1
				if i >= len(found) {
					return
				}
				if c.needed() {
					results[i] <- c.one(ctx, i, found)
				} else {
					results[i] <- result{}
				}
			}
		}()
	}
	return results
}

// needed is false when enough newer candidates have passed already.
func (c *checker) needed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.kept < c.Max
}

func (c *checker) one(ctx context.Context, i int, found []find) result {
	if err := context.Cause(ctx); err != nil {
		return result{err: err}
	}
	f := found[i]
	subject, body := c.words(ctx, f.commit)
	c.tell(Progress{What: CheckStarted, Number: i + 1, Of: len(found), Commit: f.cand.Commit, Subject: subject})
	defer c.tell(Progress{What: CheckEnded, Commit: f.cand.Commit})
	res := c.examine(ctx, f.cand, subject+"\n"+body)
	if res.err == nil && res.reason == "" {
		c.mu.Lock()
		c.kept++
		c.mu.Unlock()
	}
	return res
}

// words are what a task of the commit asks for, as far as they can be read: what
// is wrong with the commit, its check will say.
func (c *checker) words(ctx context.Context, commit repo.Commit) (subject, body string) {
	messages, err := c.repo.Messages(ctx, withMerged([]repo.Commit{commit}))
	if err != nil {
		return "", ""
	}
	return c.rules().words(commit, messages)
}

func (c *checker) log(name string) string {
	if c.Logs == "" {
		return ""
	}
	return filepath.Join(c.Logs, name)
}
