package repo

import (
	"context"
	"slices"
	"sort"
	"strings"
)

// Edit says what a file that a patch changes is to hold. It gets the contents of
// the baseline and of the patch, nil where there is no plain file, and returns
// nil for none. It must answer the same for the same contents.
type Edit func(path string, before, after []byte) (text []byte)

// ApplyEdited is Apply, where edit has the last word about what is written. It is
// asked before anything is, so no link that an agent left is in its way.
func (ws *Workspace) ApplyEdited(ctx context.Context, patch []byte, edit Edit) error {
	if len(patch) == 0 {
		return nil
	}
	base, err := ws.baseline(ctx)
	if err != nil {
		return err
	}
	changed, gone, err := ws.applied(ctx, base, patch)
	if err != nil {
		return err
	}
	changed, gone, err = ws.edited(base, changed, gone, edit)
	if err != nil {
		return err
	}
	return ws.put(changed, append(gone, pathsOf(changed)...))
}

// Hold asks edit about every path in which the copy differs from its baseline, and
// writes what it says otherwise. Call it after a command has run in a copy that
// changes were applied to.
func (ws *Workspace) Hold(ctx context.Context, edit Edit) error {
	base, err := ws.baseline(ctx)
	if err != nil {
		return err
	}
	now, err := ws.take(ctx, base.files)
	if err != nil {
		return err
	}
	changed, gone := between(base.files, keepBig(now, base))
	files, removed, err := ws.edited(base, changed, gone, edit)
	if err != nil {
		return err
	}
	files = slices.DeleteFunc(files, func(f file) bool { there, ok := now.find(f.path); return ok && there == f })
	removed = slices.DeleteFunc(removed, func(path string) bool { _, ok := now.find(path); return !ok })
	return ws.put(files, append(removed, pathsOf(files)...))
}

// edited asks edit about every path of a patch's outcome.
func (ws *Workspace) edited(base *snapshot, changed []file, gone []string, edit Edit) (files []file, removed []string, err error) {
	for _, path := range gone {
		changed = append(changed, file{path: path})
	}
	for _, f := range changed {
		old, _ := base.find(f.path)
		before, err := ws.plain(old)
		if err != nil {
			return nil, nil, err
		}
		after, err := ws.plain(f)
		if err != nil {
			return nil, nil, err
		}
		text := edit(f.path, before, after)
		switch same := (text == nil) == (after == nil) && string(text) == string(after); {
		case same && f.id != "":
			files = append(files, f)
		case same || text == nil:
			removed = append(removed, f.path)
		case before != nil && string(text) == string(before):
			files = append(files, old)
		default:
			f.id = blobID(ws.repo.format, text)
			if err := ws.git.save(f.id, text); err != nil {
				return nil, nil, err
			}
			files = append(files, f)
		}
	}
	slices.SortFunc(files, byPath)
	return files, removed, nil
}

// plain is a plain file's content; nil for a link and for no file.
func (ws *Workspace) plain(f file) ([]byte, error) {
	if f.id == "" || f.mode == modeLink {
		return nil, nil
	}
	data, err := ws.content(f.id)
	return append([]byte{}, data...), err
}

func (s *snapshot) find(path string) (file, bool) {
	i := sort.Search(len(s.files), func(i int) bool { return s.files[i].path >= path })
	if i < len(s.files) && s.files[i].path == path {
		return s.files[i], true
	}
	return file{}, false
}

// Had tells whether the baseline has a file or folder.
func (ws *Workspace) Had(path string) bool {
	if ws.base == nil {
		return false
	}
	if _, ok := ws.base.find(path); ok {
		return true
	}
	i := sort.Search(len(ws.base.files), func(i int) bool { return ws.base.files[i].path >= path+"/" })
	return i < len(ws.base.files) && strings.HasPrefix(ws.base.files[i].path, path+"/")
}

// At is a plain file's content in a commit; nil when the commit has none.
func (ws *Workspace) At(ctx context.Context, commit, path string) ([]byte, error) {
	if !Inside(path) {
		return nil, nil
	}
	files, err := ws.repo.tree(ctx, commit, path)
	if err != nil || len(files) != 1 || files[0].path != path {
		return nil, err
	}
	if err := ws.repo.blobs.fill(ctx, ws.repo, files); err != nil {
		return nil, err
	}
	return ws.plain(files[0])
}
