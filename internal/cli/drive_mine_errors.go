//go:build unix

package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"checkrein/internal/live"
	"checkrein/internal/redact"
	"checkrein/internal/repo"
	"checkrein/internal/task"
)

// mineError says what to do about an error of mining.
func (f mineFlags) mineError(ctx context.Context, r *repo.Repo, err error) error {
	if head := new(task.HeadError); errors.As(err, &head) {
		return f.headError(head)
	}
	if errors.Is(err, repo.ErrNoObject) && r.Partial(ctx) {
		return &Error{
			Code:  exitBad,
			Err:   fmt.Errorf("%s; a partial clone keeps old file contents on the server, and nothing is fetched here", safeError(err)),
			Hints: []string{"git fetch --refetch"},
		}
	}
	return errors.New(safeError(err))
}

// safeError is an error in which git quotes names from the repository.
func safeError(err error) string { return strings.ReplaceAll(redact.Line(err.Error(), 500), "\n", " ") }

// headError says why HEAD can't be the measure of anything.
func (f mineFlags) headError(e *task.HeadError) error {
	switch e.Reason {
	case task.CouldNotCopy:
		return bad("could not copy the files of HEAD into a fresh folder (a partial or damaged clone?)")
	case task.SetupFailed:
		return bad("the setup command fails at HEAD in a fresh copy of the repository; fix --setup-cmd%s", outputTail(e.Log))
	}
	if bad := gradingError(e); bad != nil {
		return bad
	}
	run := e.Runs.After
	what := "it was ended after writing too much output"
	switch {
	case run.TimedOut:
		what = fmt.Sprintf("it timed out after %s; raise --test-timeout if the tests need longer", live.Duration(run.Seconds))
	case run.Exit != nil:
		what = fmt.Sprintf("exit %d after %s", *run.Exit, live.Duration(run.Seconds))
	}
	err := fmt.Errorf("the test command fails at HEAD in a fresh copy of the repository (%s); pass a working --test-cmd, "+
		"or --setup-cmd to install what the tests need in the copy%s", what, outputTail(e.Log))
	switch {
	case run.TimedOut:
		return &Error{Code: exitBad, Err: err}
	case f.grading == task.BySuite:
		return &Error{Code: exitBad, Err: err, Hints: []string{"checkrein drive mine --validate"}}
	}
	return &Error{Code: exitBad, Err: err, Hints: []string{
		"checkrein drive mine --validate --test-cmd COMMAND, with a command that names each test (unittest does with -v): then some may fail at HEAD",
	}}
}
