package repo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Patch is the difference between a copy's baseline and what it holds now.
type Patch struct {
	Lines int      // lines added plus lines deleted, binary files not counted
	Files []string // every path that differs, in path order
	Text  []byte   // git's patch, with binary parts; `git apply` takes it
	Big   []string // paths in Files whose content was too big to be taken into Text

	parts []part
}

// part is the piece of a patch that changes one path.
type part struct {
	path string
	text []byte
}

// Only is the patch of the paths that keep accepts.
func (p Patch) Only(keep func(path string) bool) []byte {
	var out []byte
	for _, part := range p.parts {
		if keep(part.path) {
			out = append(out, part.text...)
		}
	}
	return out
}

// Baseline remembers what the copy holds now, after its setup: differences are
// taken from here. The ignore rules in force now stay in force.
func (ws *Workspace) Baseline(ctx context.Context) error {
	ws.base = nil
	if err := ws.rulesOfCopy(); err != nil {
		return fmt.Errorf("reading the ignore rules of the copy: %w", err)
	}
	s, err := ws.take(ctx, ws.files)
	if err != nil {
		return err
	}
	if s.tree, err = ws.git.writeTree(ctx, "index", s.files); err != nil {
		return err
	}
	ws.base = s
	return nil
}

// baseline is the baseline, taken from the commit when none was taken.
func (ws *Workspace) baseline(ctx context.Context) (*snapshot, error) {
	if ws.base != nil {
		return ws.base, nil
	}
	if err := ws.rulesOfCommit(); err != nil {
		return nil, fmt.Errorf("reading the ignore rules of the commit: %w", err)
	}
	tree, err := ws.git.writeTree(ctx, "index", ws.files)
	if err != nil {
		return nil, err
	}
	ws.base = &snapshot{files: ws.files, tree: tree}
	return ws.base, nil
}

// Diff compares the copy with its baseline: edits, new files, deletions, changed
// modes, whatever the agent has done to its .git.
func (ws *Workspace) Diff(ctx context.Context) (Patch, error) {
	base, err := ws.baseline(ctx)
	if err != nil {
		return Patch{}, err
	}
	now, err := ws.take(ctx, base.files)
	if err != nil {
		return Patch{}, err
	}
	now.files = keepBig(now, base)
	changed, gone := between(base.files, now.files)
	if err := ws.saveKnownOf(base.files, append(gone, pathsOf(changed)...)); err != nil {
		return Patch{}, err
	}
	if err := ws.saveKnownOf(changed, pathsOf(changed)); err != nil { // what an agent wrote may be in a commit, too
		return Patch{}, err
	}
	if err := ws.git.fillIndex(ctx, "now", now.files); err != nil {
		return Patch{}, err
	}
	return ws.patch(ctx, base, now.big)
}

// keepBig gives a file that has grown too big its old content, so that the patch
// doesn't show it as deleted.
func keepBig(now, base *snapshot) []file {
	files := now.files
	for _, f := range base.files {
		if slices.Contains(now.big, f.path) {
			files = append(files, f)
		}
	}
	slices.SortFunc(files, byPath)
	return files
}

// saveKnownOf stores the contents of paths where git can read them, as far as they
// came from the user's repository. Others were saved when they were read.
func (ws *Workspace) saveKnownOf(files []file, paths []string) error {
	wanted := make(map[string]bool, len(paths))
	for _, p := range paths {
		wanted[p] = true
	}
	for _, f := range files {
		if !wanted[f.path] {
			continue
		}
		if err := ws.saveKnown(f.id); err != nil {
			return err
		}
	}
	return nil
}

// saveKnown stores a content of the user's repository in ours.
func (ws *Workspace) saveKnown(id string) error {
	if _, there := ws.repo.blobs.find(id); !there {
		return nil
	}
	data, err := ws.repo.blobs.read(id)
	if err != nil {
		return err
	}
	return ws.git.save(id, data)
}

// patch asks git for the difference between two trees of ours. It sees no file
// of the copy, so no attribute or setting in there means anything.
func (ws *Workspace) patch(ctx context.Context, base *snapshot, big []string) (Patch, error) {
	args := []string{"diff-index", "--cached", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color"}
	list, err := output(ws.git.command(ctx, "now", nil, append(args, "--raw", "--numstat", "-z", base.tree)...))
	if err != nil {
		return Patch{}, err
	}
	p := Patch{Big: big}
	pieces := p.count(list)
	if p.Text, err = output(ws.git.command(ctx, "now", nil, append(args, "--binary", base.tree)...)); err != nil {
		return Patch{}, err
	}
	if p.parts, err = split(p.Text, pieces); err != nil {
		return Patch{}, err
	}
	for _, path := range big {
		if !slices.Contains(p.Files, path) {
			p.Files = append(p.Files, path)
		}
	}
	slices.Sort(p.Files)
	return p, nil
}

// count reads `--raw --numstat -z` and returns the path of each piece of the
// patch, in order. A file that became a link, or the other way round, has two.
func (p *Patch) count(list []byte) (pieces []string) {
	records := strings.Split(string(list), "\x00")
	for i := 0; i < len(records); i++ {
		if strings.HasPrefix(records[i], ":") && i+1 < len(records) {
			i++
			pieces = append(pieces, records[i])
			if strings.HasSuffix(records[i-1], "T") {
				pieces = append(pieces, records[i])
			}
			continue
		}
		if counts := strings.SplitN(records[i], "\t", 3); len(counts) == 3 {
			added, _ := strconv.Atoi(counts[0]) // "-" for a binary file
			deleted, _ := strconv.Atoi(counts[1])
			p.Lines += added + deleted
			p.Files = append(p.Files, counts[2])
		}
	}
	return pieces
}

// split cuts a patch into its pieces. Lines of content never start with the
// header's first letter, and binary lines hold no space.
func split(text []byte, pieces []string) ([]part, error) {
	const header = "diff --git "
	var parts []part
	for len(text) > 0 {
		end := len(text)
		if i := bytes.Index(text[1:], []byte("\n"+header)); i >= 0 {
			end = i + 2
		}
		if len(parts) == len(pieces) {
			return nil, errors.New("git's patch has more pieces than files")
		}
		parts = append(parts, part{pieces[len(parts)], text[:end]})
		text = text[end:]
	}
	if len(parts) != len(pieces) {
		return nil, errors.New("git's patch has fewer pieces than files")
	}
	return parts, nil
}

// Apply applies a patch that was taken from a baseline like this copy's. It is
// worked out on the baseline in our git directory and only then written into the
// copy. The error is ErrPatch when it does not fit.
func (ws *Workspace) Apply(ctx context.Context, patch []byte) error {
	return ws.ApplyEdited(ctx, patch, func(_ string, _, after []byte) []byte { return after })
}

// applied returns what a patch makes of the baseline.
func (ws *Workspace) applied(ctx context.Context, base *snapshot, patch []byte) (changed []file, gone []string, err error) {
	touched, err := output(ws.git.command(ctx, "now", patch, "apply", "--numstat", "-z", "-"))
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrPatch, err)
	}
	var p Patch
	p.count(touched)
	if err := ws.saveKnownOf(base.files, p.Files); err != nil {
		return nil, nil, err
	}
	if err := ws.git.fillIndex(ctx, "now", base.files); err != nil {
		return nil, nil, err
	}
	if _, err := output(ws.git.command(ctx, "now", patch, "apply", "--cached", "--binary", "--whitespace=nowarn", "-")); err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrPatch, err)
	}
	out, err := output(ws.git.command(ctx, "now", nil, "ls-files", "-s", "-z"))
	if err != nil {
		return nil, nil, err
	}
	changed, gone = between(base.files, parseIndex(out))
	return changed, gone, ws.loadAll(changed)
}

// loadAll makes sure that what is about to be written can be read.
func (ws *Workspace) loadAll(files []file) error {
	for _, f := range files {
		if _, err := ws.content(f.id); err != nil {
			return err
		}
	}
	return nil
}

func parseIndex(out []byte) []file {
	var files []file
	for record := range bytes.SplitSeq(out, []byte{0}) {
		meta, path, ok := strings.Cut(string(record), "\t")
		fields := strings.Fields(meta)
		if ok && len(fields) == 3 && Inside(path) {
			files = append(files, file{path, plainMode(fields[0]), fields[1]})
		}
	}
	slices.SortFunc(files, byPath)
	return files
}
