package task

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"checkrein/internal/fair"
	"checkrein/internal/repo"
)

// NothingGives is why a candidate is not kept whose hidden tests use names that
// neither its message nor the repository before the change has. It is kept with
// [Options.Hints], and where the whole suite decides: there the user chose the
// rules of old.
const NothingGives = "names nothing gives"

// Dropped is a candidate that was left out because of such names.
type Dropped struct {
	Commit string      `json:"commit"`
	Names  []fair.Name `json:"names"`
}

// judged puts a check's score into its task.
func (t *Task) judged(score *fair.Score, hints bool) {
	if score == nil {
		return
	}
	if hints {
		t.Hints = score.Names
	}
	score.Lines, score.Files = t.GoldLines, len(t.GoldFiles)
	if t.Grade != nil {
		score.Telling = len(t.Grade.FailToPass)
	}
	t.Fair = score
	t.Rescore()
}

// score looks at a candidate, at what it asks for, and at what its tests
// complained of without the change.
func (c *checker) score(ctx context.Context, cand Candidate, asked string, missing []string) (*fair.Score, error) {
	pieces, err := c.repo.Pieces(ctx, cand.Parent, cand.Commit, 0)
	if err != nil {
		return nil, fmt.Errorf("reading a change: %w", err)
	}
	change := fair.Change{Prompt: asked}
	for _, p := range pieces {
		file := fair.File{Path: p.Path, New: p.New, Added: p.Added()}
		if inside := slices.Contains(cand.HiddenInline, p.Path); inside || slices.Contains(cand.HiddenTests, p.Path) {
			change.Tests = append(change.Tests, file)
			if !inside {
				continue
			}
		}
		change.Gold = append(change.Gold, file)
	}
	names, err := c.hidden(ctx, cand.Parent, change, missing)
	return &fair.Score{Names: names, Brittle: fair.ReadTests(change.Tests)}, err
}

// hidden are the names that the tests need and nothing gives.
func (c *checker) hidden(ctx context.Context, parent string, change fair.Change, missing []string) ([]fair.Name, error) {
	needed := slices.Concat(missing, change.Needed())
	slices.Sort(needed)
	names, err := c.absent(ctx, parent, change.Unsaid(slices.Compact(needed)))
	if err != nil || len(names) == 0 {
		return nil, err
	}
	more, err := c.absent(ctx, parent, change.Unsaid(change.Shared()))
	names = append(names, more...)
	slices.SortFunc(names, func(a, b fair.Name) int { return strings.Compare(a.Name, b.Name) })
	return slices.Compact(names), err
}

// absent keeps the names that no file of a commit has.
func (c *checker) absent(ctx context.Context, commit string, names []fair.Name) ([]fair.Name, error) {
	const most = 50
	var out []fair.Name
	for _, n := range names[:min(len(names), most)] {
		has, err := c.repo.HasWord(ctx, commit, n.Name)
		if err != nil {
			return nil, fmt.Errorf("looking for a name: %w", err)
		}
		if !has {
			out = append(out, n)
		}
	}
	return out, nil
}

// heard runs tests whose output goes to a new file, and reads the names in it
// that they complain of.
func (r *room) heard(run func(log string) error) ([]string, error) {
	place := repo.BesideCopy(r.ws.Dir)
	if err := os.Mkdir(place, 0o700); err != nil {
		return nil, fmt.Errorf("making a folder for what the tests say: %w", err)
	}
	defer os.RemoveAll(place)
	log := filepath.Join(place, "output")
	err := run(log)
	return fair.Missing(beginning(log)), err
}

// beginning is as much of a file as is searched; "" when there is none.
func beginning(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	text, _ := io.ReadAll(io.LimitReader(f, fair.MaxOutput)) // what can't be read says nothing
	return string(text)
}
