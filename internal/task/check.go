package task

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"checkrein/internal/fair"
	"checkrein/internal/proc"
	"checkrein/internal/repo"
	"checkrein/internal/setup"
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
	TimeOut   = "tests time out"
)

// Progress is one step of checking.
type Progress struct {
	At      time.Time
	What    Step
	Commit  string // the candidate's; "" for HEAD
	Subject string // CheckStarted: as the commit has it
	Doing   string // Working: what comes now
	Reason  string // Rejected: why
	Number  int    // CheckStarted, Kept, Rejected: of the candidate, from 1
	Of      int    // with Number: candidates that are checked at most
	Kept    int    // Kept, Rejected: tasks so far
	Wanted  int    // with Kept: tasks to keep
	Failing int    // HeadPassed: failures at HEAD, where tests are graded by themselves
	Since   string // Widened: how far back it goes now
	Gave    Window // Widened: what came of the window before
}

// Step is what happened.
type Step uint8

// The steps of checking. Results are told newest commit first, so one that
// CheckEnded may have to wait for those before it.
const (
	HeadStarted Step = iota + 1
	HeadPassed
	CheckStarted
	Working
	CheckEnded
	Kept
	Rejected
	Widened
)

// What a check does, as [Progress] says it.
const (
	doingSetup       = "setting up"
	doneSetup        = "set up as before" // without running the command
	doingTests       = "running the tests"
	doingBefore      = "tests before the change"
	doingAfter       = "tests with the change"
	doingBeforeAgain = "tests before the change, again"
	doingAfterAgain  = "tests with the change, again"
	doingAll         = "all tests with the change"
	doingBase        = "all tests of the parent"
	doingAlone       = "changed tests alone, before the change"
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

// head runs the tests of HEAD as they are.
func (c *checker) head(ctx context.Context, commit string) (Runs, error) {
	room, reason, err := c.enter(ctx, commit, "", c.log("head-setup.log"))
	if err != nil {
		return Runs{}, err
	}
	if reason != "" {
		return Runs{}, &HeadError{Reason: reason, Log: room.setupLog}
	}
	defer room.leave()
	room.tell(doingTests)
	run, err := room.tests(ctx, c.log("head-check.log"))
	if err != nil {
		return Runs{}, err
	}
	if !run.OK() {
		return Runs{}, &HeadError{Reason: TestsFail, Runs: Runs{After: run}, Log: c.log("head-check.log")}
	}
	return Runs{After: run}, nil
}

func (c *checker) log(name string) string {
	if c.Logs == "" {
		return ""
	}
	return filepath.Join(c.Logs, name)
}

// candidate checks one: the tests must fail on the parent with the hidden tests,
// pass with the whole commit, and do both once more.
func (c *checker) candidate(ctx context.Context, cand Candidate, asked string) (res result) {
	room, reason, err := c.enter(ctx, cand.Parent, cand.Commit, "")
	if err != nil || reason != "" {
		return result{reason: reason, err: err}
	}
	defer room.leave()
	var missing []string
	if missing, res.reason, res.err = room.rounds(ctx, cand, &res.runs); res.err == nil && res.reason == "" {
		res.fair, res.err = c.score(ctx, cand, asked, missing)
	}
	if errors.Is(res.err, repo.ErrNoObject) {
		res.reason, res.err = CouldNotCopy, nil
	}
	return res
}

// rounds runs the tests up to four times. Missing is what the first run
// complained of.
func (r *room) rounds(ctx context.Context, cand Candidate, runs *Runs) (missing []string, reason string, err error) {
	missing, err = r.heard(func(log string) error {
		reason, err = r.stepTo(ctx, cand, r.addTests, doingBefore, &runs.Before, log)
		return err
	})
	if err == nil && reason == "" {
		reason, err = r.laterRounds(ctx, cand, runs)
	}
	return missing, reason, err
}

func (r *room) laterRounds(ctx context.Context, cand Candidate, runs *Runs) (reason string, err error) {
	if runs.Before.OK() {
		return PassBefore, nil
	}
	if reason, err = r.step(ctx, cand, r.addFix, doingAfter, &runs.After); err != nil || reason != "" {
		return reason, err
	}
	switch {
	case runs.After.TimedOut:
		return TimeOutAfter, nil
	case !runs.After.OK():
		return FailAfter, nil
	}
	// Once more each way: tests whose result changes between runs can't score an agent.
	if reason, err = r.step(ctx, cand, r.dropFix, doingBeforeAgain, &runs.BeforeAgain); err != nil || reason != "" {
		return reason, err
	}
	if reason, err = r.step(ctx, cand, r.addFix, doingAfterAgain, &runs.AfterAgain); err != nil || reason != "" {
		return reason, err
	}
	if runs.BeforeAgain.OK() || !runs.AfterAgain.OK() {
		return Flaky, nil
	}
	return "", nil
}

// room is one fresh copy in which a check runs.
type room struct {
	*checker
	ws       *repo.Workspace
	place    *setup.Copy
	checks   string // the candidate; "" for HEAD
	setupLog string
}

// enter makes a copy and sets it up. A reason says that it can't be used, and
// nothing is left to leave.
func (c *checker) enter(ctx context.Context, commit, checks, setupLog string) (r *room, reason string, err error) {
	r = &room{checker: c, checks: checks, setupLog: setupLog}
	if r.ws, err = c.repo.Copy(ctx, commit, c.Root); err != nil {
		if ctx.Err() != nil {
			return r, "", context.Cause(ctx)
		}
		return r, CouldNotCopy, nil
	}
	r.place = c.Setups.Copy(r.ws.Dir)
	ok, err := r.setUp(ctx, setupLog, setup.ForKey)
	if err != nil || !ok {
		r.leave()
		return r, SetupFailed, err
	}
	return r, "", nil
}

// tell says what comes now.
func (r *room) tell(doing string) {
	r.checker.tell(Progress{What: Working, Commit: r.checks, Doing: doing})
}

// leave deletes the copy. What can't be deleted now, Sweep finds later.
func (r *room) leave() { _ = r.ws.Remove() }

// setUp runs the setup command, if there is one and its result is not there yet.
func (r *room) setUp(ctx context.Context, log string, keep setup.Keep) (bool, error) {
	if r.SetupCmd == "" {
		return true, nil
	}
	r.tell(doingSetup)
	done, err := r.place.Run(ctx, r.command(proc.Command{Shell: r.SetupCmd, Dir: r.ws.Dir, Stdout: log, Kind: proc.Setup}), keep)
	if err != nil {
		return false, fmt.Errorf("running the setup command: %w", err)
	}
	if done.Reused {
		r.tell(doneSetup)
	}
	return done.OK, nil
}

// maxOutput is more than any log that is still of use.
const maxOutput = 1 << 30

func (r *room) command(c proc.Command) proc.Command {
	c.Env, c.Timeout, c.MaxOutput = r.Env, time.Duration(r.TestTimeout)*time.Second, maxOutput
	c.Launch = r.Launch
	return c
}

func (r *room) tests(ctx context.Context, log string) (*proc.Result, error) {
	res, err := RunTests(ctx, r.TestCmd, r.ws.Dir, r.command(proc.Command{Stdout: log}))
	if err != nil {
		return nil, fmt.Errorf("running the tests: %w", err)
	}
	return &res, nil
}

// step makes another state of the copy and runs the tests.
func (r *room) step(ctx context.Context, cand Candidate, to transition, doing string, run **proc.Result) (reason string, err error) {
	return r.stepTo(ctx, cand, to, doing, run, "")
}

// transition makes another state of a copy.
type transition func(context.Context, Candidate) (string, error)

// stepTo is step with the tests' output in a file.
func (r *room) stepTo(ctx context.Context, cand Candidate, to transition, doing string, run **proc.Result, log string) (reason string, err error) {
	if reason, err := to(ctx, cand); err != nil || reason != "" {
		return reason, err
	}
	r.tell(doing)
	*run, err = r.tests(ctx, log)
	return "", err
}

// move puts paths into their state at commit, and sets the copy up again when
// that changes what it depends on.
func (r *room) move(ctx context.Context, commit string, paths []string) (reason string, err error) {
	if err := r.ws.WriteFiles(ctx, commit, paths); err != nil {
		return "", err
	}
	if TouchesManifest(paths) {
		if ok, err := r.setUp(ctx, "", setup.Nothing); err != nil || !ok {
			return SetupFailed, err
		}
	}
	return "", nil
}
