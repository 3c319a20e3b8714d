package repo

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The ignore rules of a baseline are kept in a folder of ours that holds nothing
// but its .gitignore files: an agent that edits them later changes nothing about
// what counts as a new file.

func (ws *Workspace) rulesDir() string { return filepath.Join(ws.git.dir, "rules") }

// rulesOfCopy keeps the ignore files that the copy holds now, those that the
// setup made included.
func (ws *Workspace) rulesOfCopy() error {
	root, err := ws.root()
	if err != nil {
		return err
	}
	defer root.Close()
	w := newWalk(root, ws.files)
	w.folder("")
	return ws.keepRules(append(w.known, w.fresh...), func(path string) ([]byte, error) {
		mode, data, _, err := readFile(root, path)
		if mode == modeLink { // git follows no link to an ignore file either
			return nil, err
		}
		return data, err
	})
}

// rulesOfCommit keeps the ignore files of the commit.
func (ws *Workspace) rulesOfCommit() error {
	ids := make(map[string]string, len(ws.files))
	for _, f := range ws.files {
		if f.mode != modeLink {
			ids[f.path] = f.id
		}
	}
	return ws.keepRules(pathsOf(ws.files), func(path string) ([]byte, error) {
		if ids[path] == "" {
			return nil, nil
		}
		return ws.content(ids[path])
	})
}

func (ws *Workspace) keepRules(paths []string, read func(path string) ([]byte, error)) error {
	if err := os.RemoveAll(ws.rulesDir()); err != nil {
		return err
	}
	if err := os.Mkdir(ws.rulesDir(), 0o777); err != nil {
		return err
	}
	to, err := os.OpenRoot(ws.rulesDir())
	if err != nil {
		return err
	}
	defer to.Close()
	for _, path := range paths {
		if _, name, _ := cutLast(path); name != ".gitignore" {
			continue
		}
		data, err := read(path)
		if err == nil {
			err = putFile(to, file{path: path, mode: modeFile}, data)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// unignored takes out the paths that the baseline's ignore rules name.
func (ws *Workspace) unignored(ctx context.Context, paths []string) ([]string, error) {
	if _, err := os.Stat(ws.rulesDir()); err != nil || len(paths) == 0 {
		return paths, nil
	}
	const here = "./" // keeps a name that starts with a colon from being read as more than a name
	cmd := ws.git.command(ctx, "index", []byte(here+strings.Join(paths, "\x00"+here)+"\x00"), "-c", "core.bare=false", "-c", "core.excludesFile="+os.DevNull,
		"--work-tree="+ws.rulesDir(), "check-ignore", "--no-index", "-z", "--stdin")
	cmd.Dir = ws.rulesDir()
	cmd.Env = append(cmd.Env, "GIT_LITERAL_PATHSPECS=0") // this command refuses it
	out, err := output(cmd)
	if err != nil && cmd.ProcessState.ExitCode() != 1 { // 1: none is ignored
		return nil, err
	}
	ignored := map[string]bool{}
	for path := range strings.SplitSeq(string(out), "\x00") {
		ignored[strings.TrimPrefix(path, here)] = true
	}
	return slices.DeleteFunc(paths, func(p string) bool { return ignored[p] }), nil
}
