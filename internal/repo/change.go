package repo

import (
	"context"
	"strconv"
	"strings"
)

// Piece is what a commit changes in one file.
type Piece struct {
	Path string
	New  bool
	Text string // a patch; its text is the commit's
}

// Added are the lines that the piece adds.
func (p Piece) Added() []string {
	var added []string
	inside := false
	for line := range strings.Lines(p.Text) {
		switch {
		case strings.HasPrefix(line, "@@"):
			inside = true
		case inside && line[0] == '+':
			added = append(added, strings.TrimRight(line[1:], "\r\n"))
		}
	}
	return added
}

// Pieces are what a commit changes against its parent, file by file, with so
// many unchanged lines around.
func (r *Repo) Pieces(ctx context.Context, parent, commit string, around int) ([]Piece, error) {
	args := []string{"diff-tree", "-r", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color"}
	list, err := r.git(ctx, append(args, "--raw", "-z", parent, commit)...)
	if err != nil {
		return nil, err
	}
	paths, fresh := changed(list)
	text, err := r.git(ctx, append(args, "-p", "-U"+strconv.Itoa(around), parent, commit)...)
	if err != nil {
		return nil, err
	}
	parts, err := split(text, paths)
	if err != nil {
		return nil, err
	}
	pieces := make([]Piece, len(parts))
	for i, part := range parts {
		pieces[i] = Piece{part.path, fresh[part.path], string(part.text)}
	}
	return pieces, nil
}

// changed reads `--raw -z`: the path of each piece of the patch, and which files are new.
func changed(list []byte) (paths []string, fresh map[string]bool) {
	fresh = map[string]bool{}
	records := strings.Split(string(list), "\x00")
	for i := 0; i+1 < len(records); i += 2 {
		status, path := records[i][strings.LastIndexByte(records[i], ' ')+1:], records[i+1]
		paths, fresh[path] = append(paths, path), status == "A"
		if status == "T" {
			paths = append(paths, path) // a file that became a link, or the other way round
		}
	}
	return paths, fresh
}

// HasWord tells whether a file of a commit has a word, by itself.
func (r *Repo) HasWord(ctx context.Context, commit, word string) (bool, error) {
	cmd := readCommand(ctx, r.Top, "grep", "-q", "-I", "-w", "-F", "--no-textconv", "--no-recurse-submodules", "-e", word, commit, "--")
	err := run(cmd)
	if err != nil && cmd.ProcessState != nil && cmd.ProcessState.ExitCode() == 1 {
		return false, nil // git's way to say so
	}
	return err == nil, err
}
