package task

import (
	"context"
	"fmt"
	"math"
	"sync"
	"time"

	"checkrein/internal/proc"
	"checkrein/internal/repo"
	"checkrein/internal/setup"
)

// Options say what to mine.
type Options struct {
	TestCmd     string
	Source      string // where TestCmd comes from
	SetupCmd    string // run in each fresh copy before the tests; "" for none
	Since       string // "365d" or a date; "all"
	Widen       bool   // look further back when that gives too few
	Path        string // folder that changes must be in, from the top folder; "" for any
	Max         int    // tasks to keep
	TestTimeout int    // seconds, for each setup and test run

	Grading string // BySuite, ByTests or Auto; "" means BySuite
	Report  string // pattern of reports that the test command writes into a copy; "" asks the runner
	Reruns  int    // runs with the change that fail-to-pass tests must pass, beside the first
	Hints   bool   // keep candidates whose tests use names that nothing gives, and give them

	Check bool     // check candidates, and keep only those that pass
	Jobs  int      // candidates checked side by side; below 1 means 1
	Root  string   // where copies go; "" for the system's temporary folder
	Known string   // file that remembers which commits are no candidates; "" for none
	Logs  string   // folder, there already, for the output of the check of HEAD; "" for none
	Env   []string // environment of setup and tests
	// Setups keeps what setups left, for later copies; nil keeps nothing.
	Setups *setup.Cache
	// Launch says how setup and tests are started; nil means as they are.
	Launch  proc.Launcher
	Sealed  *bool          // what the document says of it
	WhyOpen string         // the same
	Now     time.Time      // when this is
	Tell    func(Progress) // called with every step of checking, never by two at once; may be nil
}

// checksPerTask limits how many candidates are checked for each wanted task.
const checksPerTask = 3

// HeadError says that the check of HEAD failed, so that nothing can be checked.
type HeadError struct {
	Reason string // CouldNotCopy, SetupFailed or TestsFail
	Runs   Runs
	Log    string // the output of the command that failed; "" when there is none
}

func (e *HeadError) Error() string { return "checking HEAD: " + e.Reason }

// Mine looks for tasks in the history of r, checks them when asked to, and
// returns the document. The error is a *HeadError when HEAD does not pass its
// own tests in a fresh copy.
func Mine(ctx context.Context, r *repo.Repo, o Options) (*Document, error) {
	head := start(func() (string, error) { return r.Head(ctx) })
	doc := &Document{
		Schema: Schema, Repo: r.Top, Since: o.Since, Created: o.Now.UTC().Format("2006-01-02T15:04:05Z"),
		TestCmd: o.TestCmd, TestCmdSource: o.Source, SetupCmd: o.SetupCmd, TestTimeout: o.TestTimeout, Rules: o.rules(), Path: o.Path,
		Counts: Counts{Skipped: map[string]int{}, Rejected: map[string]int{}}, Tasks: []Task{},
	}
	f := newFinder(r, o, doc)
	found, failed := f.enough(ctx)
	var err error
	if doc.Head, err = head(); err != nil {
		return nil, err
	}
	if failed != nil {
		return nil, failed
	}
	if !o.Check {
		return doc, doc.keep(ctx, r, found)
	}
	doc.Sealed, doc.WhyOpen = o.Sealed, o.WhyOpen
	started := time.Now()
	if err := doc.check(ctx, r, o, found, f.more); err != nil {
		return nil, err
	}
	seconds := math.Round(time.Since(started).Seconds()*10) / 10
	doc.CheckSeconds = &seconds
	if o.Setups != nil && o.SetupCmd != "" {
		doc.Setups = o.Setups.Counts()
	}
	return doc, nil
}

func (o Options) rules() Rules { return RulesFor(o.Grading) }

// start runs do beside what the caller does, for git processes that need not wait
// for each other. The result waits for it.
func start[T any](do func() (T, error)) (result func() (T, error)) {
	result = sync.OnceValues(do)
	go func() { _, _ = result() }()
	return result
}

// judge decides about the commits that are not known yet.
func judge(ctx context.Context, r *repo.Repo, commits []repo.Commit, known *known, rules Rules) error {
	fresh := make([]repo.Commit, 0, len(commits))
	for _, c := range commits {
		if !known.has(c.ID) {
			fresh = append(fresh, c)
		}
	}
	if err := r.Changes(ctx, fresh); err != nil {
		return err
	}
	long, err := longOnes(ctx, r, fresh)
	if err != nil {
		return err
	}
	all := rules.reasons(fresh, long)
	if err := rules.lookInside(ctx, r, fresh, all); err != nil {
		return err
	}
	for i, why := range all {
		known.add(fresh[i].ID, why)
	}
	return nil
}

// reasons says why each commit is no candidate, on every core.
func (r Rules) reasons(commits []repo.Commit, long map[string]bool) []string {
	const stretch = 4096
	why := make([]string, len(commits))
	var wg sync.WaitGroup
	for from := 0; from < len(commits); from += stretch {
		wg.Go(func() {
			for i := from; i < min(from+stretch, len(commits)); i++ {
				_, why[i] = r.CandidateOf(change(commits[i], long))
			}
		})
	}
	wg.Wait()
	return why
}

// longOnes finds the commits with too many lines. Those with too many files
// need no count.
func longOnes(ctx context.Context, r *repo.Repo, commits []repo.Commit) (map[string]bool, error) {
	open, place := make([]repo.Commit, 0, len(commits)), make([]int, 0, len(commits))
	for i, c := range commits {
		if len(c.Changes) <= MaxFiles {
			open, place = append(open, c), append(place, i)
		}
	}
	long, err := r.LongerThan(ctx, open, MaxLines)
	for i, c := range open {
		commits[place[i]].Damaged = c.Damaged
	}
	return long, err
}

func change(c repo.Commit, long map[string]bool) Change {
	out := Change{Commit: c.ID, Parents: c.Parents, Long: long[c.ID], Damaged: c.Damaged}
	for _, ch := range c.Changes {
		out.Paths = append(out.Paths, ch.Path)
	}
	return out
}

// keep adds candidates as tasks that were not checked.
func (d *Document) keep(ctx context.Context, r *repo.Repo, found []find) error {
	tasks, err := makeTasks(ctx, r, d.Rules, found)
	d.Tasks = append(d.Tasks, tasks...)
	return err
}

// makeTasks makes tasks of candidates: it reads the rest of what a task tells of
// its commit, for all of them at once, because each git process takes as long as
// reading a dozen commits.
func makeTasks(ctx context.Context, r *repo.Repo, rules Rules, found []find) ([]Task, error) {
	commits := make([]repo.Commit, len(found))
	for i, f := range found {
		commits[i] = f.commit
	}
	counted := start(func() (map[string]map[string]int, error) { return r.Lines(ctx, commits) })
	messages, err := r.Messages(ctx, withMerged(commits))
	lines, failed := counted()
	if err != nil {
		return nil, fmt.Errorf("reading the messages of commits: %w", err)
	}
	if failed != nil {
		return nil, fmt.Errorf("counting the lines of commits: %w", failed)
	}
	var tasks []Task
	for _, f := range found {
		f.cand.GoldLines = rules.goldLines(lines[f.commit.ID])
		t := Task{ID: f.commit.ID[:12], Candidate: f.cand}
		t.Subject, t.Body = rules.words(f.commit, messages)
		tasks = append(tasks, t)
	}
	return tasks, nil
}
