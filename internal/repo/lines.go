package repo

import (
	"bytes"
	"context"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// LongerThan tells which commits change more than limit lines (added plus
// deleted, binary files not counted), and marks those that miss an object.
//
// Counting lines is most of the work of reading a history, so it is done only
// where a bound doesn't decide: no difference can have more lines than the two
// contents have outside their common start and end.
func (r *Repo) LongerThan(ctx context.Context, commits []Commit, limit int) (map[string]bool, error) {
	left, open := places(make([]verdict, len(commits)), unread), []int(nil)
	bounded := r.boundsHold(ctx)
	if bounded {
		var err error
		if left, open, err = r.boundDirectly(ctx, commits, limit); err != nil {
			return nil, err
		}
	}
	var mu sync.Mutex
	longer := map[string]bool{}
	count := func(ctx context.Context, commits []Commit) error {
		counts, err := r.count(ctx, commits)
		mu.Lock()
		defer mu.Unlock()
		for id, lines := range counts {
			if total(lines) > limit {
				longer[id] = true
			}
		}
		return err
	}
	if err := r.stretches(ctx, commits, open, count); err != nil {
		return nil, err
	}
	err := r.stretches(ctx, commits, left, func(ctx context.Context, commits []Commit) (err error) {
		if bounded {
			commits, err = r.undecided(ctx, commits, limit)
		}
		if err != nil {
			return err
		}
		return count(ctx, commits)
	})
	return longer, err
}

// Lines counts the lines that each commit adds plus deletes, by path; a binary
// file counts 0.
func (r *Repo) Lines(ctx context.Context, commits []Commit) (map[string]map[string]int, error) {
	return r.count(ctx, commits)
}

func (r *Repo) count(ctx context.Context, commits []Commit) (map[string]map[string]int, error) {
	if len(commits) == 0 {
		return nil, nil
	}
	out, err := r.diffTree(ctx, commits, "--numstat")
	if err != nil {
		return nil, err
	}
	counts := map[string]map[string]int{}
	for id, records := range perCommit(out) {
		counts[id] = map[string]int{}
		for _, record := range records {
			if fields := strings.SplitN(record, "\t", 3); len(fields) == 3 {
				added, _ := strconv.Atoi(fields[0]) // "-" for a binary file
				deleted, _ := strconv.Atoi(fields[1])
				counts[id][fields[2]] = added + deleted
			}
		}
	}
	return counts, nil
}

func total(lines map[string]int) int {
	sum := 0
	for n := range maps.Values(lines) {
		sum += n
	}
	return sum
}

// Algorithm is the user's diff algorithm, which counts of lines depend on; "" for
// git's own. It is asked for once.
func (r *Repo) Algorithm(ctx context.Context) string {
	r.algorithm.Do(func() {
		out, _ := r.git(ctx, "config", "--get", "diff.algorithm") // fails when it is not set
		r.algorithm.name = strings.ToLower(strings.TrimSpace(string(out)))
	})
	return r.algorithm.name
}

// boundsHold tells whether the user's diff algorithm is one that never reports
// lines of the common start and end.
func (r *Repo) boundsHold(ctx context.Context) bool {
	switch r.Algorithm(ctx) {
	case "", "default", "myers", "minimal":
		return true
	}
	return false
}

// What is read to bound lines: git itself counts the few commits that touch more
// than readAtMost bytes, and at most about holdAtMost bytes are in memory.
const (
	readAtMost = 4 << 20
	holdAtMost = 64 << 20
)

// undecided returns the commits whose bound is above limit. It bounds by size
// first (a line has a byte at least), then by content.
func (r *Repo) undecided(ctx context.Context, commits []Commit, limit int) ([]Commit, error) {
	sizes := map[contentID]int64{}
	if err := r.sizes(ctx, commits, sizes); err != nil {
		return nil, err
	}
	var left, read []Commit
	held := int64(0)
	flush := func() error {
		over, err := r.overContentBound(ctx, read, limit)
		left, read, held = append(left, over...), nil, 0
		return err
	}
	for _, c := range commits {
		switch bytes := sizeBound(c, sizes); {
		case bytes <= int64(limit):
		case bytes > readAtMost:
			left = append(left, c)
		default:
			read, held = append(read, c), held+bytes
		}
		if held > holdAtMost {
			if err := flush(); err != nil {
				return nil, err
			}
		}
	}
	return left, flush()
}

// overContentBound returns the commits whose contents don't keep them below limit.
func (r *Repo) overContentBound(ctx context.Context, commits []Commit, limit int) ([]Commit, error) {
	contents := map[contentID][]byte{}
	if err := r.contents(ctx, commits, contents); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(commits, func(c Commit) bool { return contentBound(c, contents) <= limit }), nil
}

func sizeBound(c Commit, sizes map[contentID]int64) int64 {
	sum := int64(0)
	for _, ch := range c.Changes {
		sum += 2 // a submodule's one line on each side
		sum += sizes[ch.before] + sizes[ch.after]
	}
	return sum
}

func contentBound(c Commit, contents map[contentID][]byte) int {
	sum := 0
	for _, ch := range c.Changes {
		if ch.module != [2]bool{} {
			sum += 2
		}
		sum += linesBound(contents[ch.before], contents[ch.after])
	}
	return sum
}

// linesBound counts the lines of two contents outside their common start and
// end.
func linesBound(a, b []byte) int {
	start := commonStart(a, b)
	start = bytes.LastIndexByte(a[:start], '\n') + 1
	a, b = a[start:], b[start:]
	end := commonEnd(a, b)
	if first := bytes.IndexByte(a[len(a)-end:], '\n') + 1; first > 0 { // the first line of the end may be a part of one
		end -= first
	} else {
		end = 0
	}
	return countLines(a[:len(a)-end]) + countLines(b[:len(b)-end])
}

func commonStart(a, b []byte) int {
	n := min(len(a), len(b))
	i := 0
	for ; i+64 <= n && bytes.Equal(a[i:i+64], b[i:i+64]); i += 64 {
	}
	for i < n && a[i] == b[i] {
		i++
	}
	return i
}

func commonEnd(a, b []byte) int {
	n := min(len(a), len(b))
	i := 0
	for ; i+64 <= n && bytes.Equal(a[len(a)-i-64:len(a)-i], b[len(b)-i-64:len(b)-i]); i += 64 {
	}
	for i < n && a[len(a)-i-1] == b[len(b)-i-1] {
		i++
	}
	return i
}

func countLines(text []byte) int {
	n := bytes.Count(text, []byte{'\n'})
	if len(text) > 0 && text[len(text)-1] != '\n' {
		n++
	}
	return n
}

// blobsOf lists the contents that commits change, each once.
func blobsOf(commits []Commit) string {
	var ids strings.Builder
	seen := map[contentID]bool{}
	add := func(id contentID) {
		if !seen[id] && !id.none() {
			seen[id] = true
			ids.WriteString(id.String() + "\n")
		}
	}
	for _, c := range commits {
		for _, ch := range c.Changes {
			if !ch.module[0] {
				add(ch.before)
			}
			if !ch.module[1] {
				add(ch.after)
			}
		}
	}
	return ids.String()
}

func (r *Repo) sizes(ctx context.Context, commits []Commit, sizes map[contentID]int64) error {
	ids := blobsOf(commits)
	if ids == "" {
		return nil
	}
	cmd := readCommand(ctx, r.Top, "cat-file", "--batch-check=%(objectname) %(objectsize)", "--buffer")
	cmd.Stdin = strings.NewReader(ids)
	out, err := output(cmd)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(out)) {
		id, size, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if sizes[contentOf(id)], err = strconv.ParseInt(size, 10, 64); err != nil { // "<id> missing"
			return missing(id)
		}
	}
	return nil
}

func (r *Repo) contents(ctx context.Context, commits []Commit, contents map[contentID][]byte) error {
	ids := blobsOf(commits)
	if ids == "" {
		return nil
	}
	cmd := readCommand(ctx, r.Top, "cat-file", "--batch", "--buffer")
	cmd.Stdin = strings.NewReader(ids)
	return eachObject(cmd, func(id string, size int64, content io.Reader) error {
		data := make([]byte, size)
		_, err := io.ReadFull(content, data)
		contents[contentOf(id)] = data
		return err
	})
}
