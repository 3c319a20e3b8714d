// Package repo reads a user's git repository and makes fresh copies of its
// commits.
//
// It promises that the user's repository is only read; that a copy holds the
// files of one commit and, as its own git repository, one commit without a past;
// that files are written and removed inside a copy only, never through a link;
// and that whatever an agent does inside its copy, the copy's own .git included,
// can neither run anything here nor hide an edit. The last follows from where
// things are kept: the git directory that takes baselines and differences stands
// outside the copy, the files are walked and hashed by this package, and git
// only ever sees objects and an index.
//
// Git runs as a command, because a library would follow fewer of the ways in
// which people set up their repositories.
package repo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// Errors that callers tell apart.
var (
	ErrNoRepository = errors.New("not a git repository")
	ErrNoGit        = errors.New("git is not installed, or not on PATH")
	ErrOwner        = errors.New("it belongs to another user, so git refuses to read it")
	ErrBare         = errors.New("a git repository without a working tree")
	ErrNoObject     = errors.New("an object is missing") // a damaged or partial clone
	ErrPatch        = errors.New("the patch does not apply")
)

// Repo is a user's repository, open for reading. It is safe for concurrent use.
type Repo struct {
	Top string // the top folder of its working tree, as git spells it

	objects string   // its object folder
	format  string   // sha1 or sha256
	scratch *scratch // what we keep of the copies, outside them
	blobs   *spool   // contents of files, read once
	direct  direct   // the objects without git

	algorithm struct { // for differences; see Algorithm
		sync.Once
		name string
	}

	mu        sync.Mutex
	templates map[string]*template // by commit; prepared copies
	recent    []string             // commits with a template, oldest first
}

// Open opens the repository that holds dir. The error is ErrNoRepository when
// there is none, and one of those after it where git has another reason; close
// the Repo when done.
func Open(ctx context.Context, dir string) (*Repo, error) {
	out, err := readGit(ctx, dir, "rev-parse", "--show-toplevel", "--show-object-format")
	lines := strings.Split(strings.TrimRight(string(out), "\n"), "\n")
	if err != nil || len(lines) < 2 || lines[0] == "" {
		return nil, errors.Join(notOpened(err), err)
	}
	r := &Repo{Top: strings.Join(lines[:len(lines)-1], "\n"), format: lines[len(lines)-1], templates: map[string]*template{}}
	objects, err := r.git(ctx, "rev-parse", "--git-path", "objects")
	if err != nil {
		return nil, err
	}
	r.objects = strings.TrimSuffix(string(objects), "\n")
	if !filepath.IsAbs(r.objects) {
		r.objects = filepath.Join(r.Top, r.objects)
	}
	if r.blobs, err = newSpool(); err != nil {
		return nil, err
	}
	if r.scratch, err = newScratch(); err != nil {
		return nil, errors.Join(err, r.blobs.close())
	}
	return r, nil
}

// notOpened is why git shows no repository.
func notOpened(err error) error {
	said := ""
	if refusal := new(gitError); errors.As(err, &refusal) {
		said = refusal.said
	}
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return ErrNoGit
	case strings.Contains(said, "dubious ownership"), strings.Contains(said, "unsafe repository"): // before git 2.38
		return ErrOwner
	case strings.Contains(said, "must be run in a work tree"):
		return ErrBare
	}
	return ErrNoRepository
}

// Close removes every copy that was not kept, and all that was prepared.
func (r *Repo) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, t := range r.templates {
		t.close()
	}
	r.templates, r.recent = map[string]*template{}, nil
	return errors.Join(r.scratch.close(), r.blobs.close(), r.direct.close())
}

// Head is the id of the commit that is checked out.
func (r *Repo) Head(ctx context.Context) (string, error) {
	out, err := r.git(ctx, "rev-parse", "--verify", "HEAD^{commit}")
	return strings.TrimSpace(string(out)), err
}

// Message is the message of a commit.
func (r *Repo) Message(ctx context.Context, commit string) (string, error) {
	out, err := r.git(ctx, "log", "-1", "--format=%B", commit)
	return string(out), err
}

// Messages are the messages of commits, by id.
func (r *Repo) Messages(ctx context.Context, commits []Commit) (map[string]string, error) {
	if len(commits) == 0 {
		return nil, nil
	}
	var ids strings.Builder
	for _, c := range commits {
		ids.WriteString(c.ID + "\n")
	}
	cmd := readCommand(ctx, r.Top, "log", "--no-walk=unsorted", "--stdin", "-z", "--format=%H%n%B")
	cmd.Stdin = strings.NewReader(ids.String())
	out, err := output(cmd)
	messages := map[string]string{}
	for record := range strings.SplitSeq(string(out), "\x00") {
		id, message, _ := strings.Cut(record, "\n")
		messages[id] = message
	}
	return messages, err
}

// Spellings lists the paths under which the repository's top folder is known:
// git's own, the one without links, and the one that the shell's PWD takes. No
// command that runs in a copy should see any of them.
func (r *Repo) Spellings(pwd string) []string {
	list := []string{r.Top}
	if real, err := filepath.EvalSymlinks(r.Top); err == nil {
		list = append(list, real)
	}
	top, err := os.Stat(r.Top)
	for dir := pwd; err == nil && filepath.IsAbs(dir); dir = filepath.Dir(dir) {
		if info, err := os.Stat(dir); err == nil && os.SameFile(top, info) {
			list = append(list, dir)
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Partial tells whether the repository is a partial clone, which keeps file
// contents on its server.
func (r *Repo) Partial(ctx context.Context) bool {
	out, _ := r.git(ctx, "config", "--get-regexp", `^(extensions\.partialclone|remote\..*\.promisor)$`)
	return len(out) > 0
}

func (r *Repo) git(ctx context.Context, args ...string) ([]byte, error) {
	return readGit(ctx, r.Top, args...)
}

// readGit runs git on the user's repository and returns what it prints.
func readGit(ctx context.Context, dir string, args ...string) ([]byte, error) {
	return output(readCommand(ctx, dir, args...))
}

// readCommand is git on the user's repository with all that could run a
// program, wait for a person, write a lock or reach the network turned off. The
// user's own settings stay, because they say which repositories are safe.
// Older git knows no GIT_NO_LAZY_FETCH; without a protocol it can't fetch either.
// GIT_FLUSH=0 keeps git log from handing over each commit by itself, a third of
// the time that listing 20,000 of them takes.
func readCommand(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", append([]string{
		"-C", dir, "--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull, "-c", "protocol.allow=never",
		"-c", "log.showSignature=false", "-c", "log.showRoot=true", "-c", "diff.orderFile=" + os.DevNull, "-c", "core.commitGraph=true",
	}, args...)...)
	cmd.Env = append(plainEnviron(), "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_LITERAL_PATHSPECS=1",
		"GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none", "GIT_FLUSH=0", "LC_ALL=C")
	return cmd
}

// plainEnviron is this process's environment without git's own variables, which
// a git hook that started us would have set to another repository.
func plainEnviron() []string {
	var out []string
	for _, entry := range os.Environ() {
		if !strings.HasPrefix(entry, "GIT_") {
			out = append(out, entry)
		}
	}
	return out
}

// gitError is git's own refusal.
type gitError struct {
	verb, said string
}

func (e *gitError) Error() string { return "running git " + e.verb + ": " + e.said }

// missing is the error for an object that the clone lacks.
func missing(id string) error {
	return fmt.Errorf("%w: git object %s is not in this clone", ErrNoObject, strings.TrimSpace(id))
}

// output runs cmd and returns what it prints.
func output(cmd *exec.Cmd) ([]byte, error) {
	var out bytes.Buffer
	cmd.Stdout = &out
	err := run(cmd)
	return out.Bytes(), err
}

// run runs cmd; its error carries what git said.
func run(cmd *exec.Cmd) error {
	var said bytes.Buffer
	cmd.Stderr = &said
	err := cmd.Run()
	exit := new(exec.ExitError)
	switch {
	case err == nil:
		return nil
	case errors.As(err, &exit) && said.Len() > 0:
		return &gitError{verb(cmd.Args), strings.TrimSpace(said.String())}
	case errors.As(err, &exit):
		return &gitError{verb(cmd.Args), err.Error()}
	}
	return fmt.Errorf("starting git: %w", err)
}

// verb is the git command among its arguments.
func verb(args []string) string {
	for i := 1; i < len(args); i++ {
		switch {
		case args[i] == "-C" || args[i] == "-c":
			i++
		case !strings.HasPrefix(args[i], "-"):
			return args[i]
		}
	}
	return ""
}
