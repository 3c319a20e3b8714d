package setup

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"checkrein/internal/repo"
)

// place puts a result into the copy. When it can't, nothing of it is left there.
func (p *Copy) place(r *result) error {
	if err := r.checkOutside(); err != nil {
		return err
	}
	texts, err := r.texts()
	if err != nil {
		return err
	}
	p.clear(p.placed)
	p.placed = slices.Clone(r.Roots)
	err = p.parents(r)
	if err == nil {
		err = p.write(r, texts)
	}
	if err != nil {
		p.clear(r.Roots)
		p.placed = nil
		return err
	}
	if p.cache.outside != nil {
		p.cache.outside.Adopt(p.dir, r.outside())
	}
	r.used()
	return nil
}

// outside is the folder to adopt.
func (r *result) outside() string {
	if len(r.Outside) == 0 {
		return filepath.Join(r.dir, "nothing")
	}
	return filepath.Join(r.dir, outsideName)
}

// clear takes out what a result put into the copy, with what was added to it.
func (p *Copy) clear(roots []string) {
	for _, root := range roots {
		_ = repo.RemoveAll(filepath.Join(p.dir, root)) // what stays makes the next step fail
	}
}

// parents makes sure that everything goes into folders of the copy: an agent's
// changes may hold a link where a folder was.
func (p *Copy) parents(r *result) error {
	real, err := filepath.EvalSymlinks(p.dir)
	if err != nil {
		return err
	}
	for _, path := range append(slices.Clone(r.Roots), r.Edited...) {
		dir := filepath.Dir(path)
		there, err := filepath.EvalSymlinks(filepath.Join(real, dir))
		if err != nil || there != filepath.Join(real, dir) {
			return errors.Join(errors.New("the copy has no such folder"), err)
		}
	}
	return nil
}

func (p *Copy) write(r *result, texts map[string][]byte) error {
	moved := r.moved(time.Now())
	inRoots := make([]item, 0, len(r.Files))
	for _, it := range r.Files {
		if slices.Contains(r.Edited, it.Path) {
			continue
		}
		if inRoots = append(inRoots, it); it.Mode.IsDir() {
			if err := os.Mkdir(filepath.Join(p.dir, it.Path), 0o700); err != nil {
				return err
			}
		}
	}
	err := each(inRoots, func(it *item) error {
		return it.put(filepath.Join(r.dir, filesName, it.Path), filepath.Join(p.dir, it.Path), moved(it.Edit))
	})
	if err != nil {
		return err
	}
	for _, it := range r.Files {
		if text, edited := texts[it.Path]; edited {
			full := filepath.Join(p.dir, it.Path)
			if err := errors.Join(os.Remove(full), it.write(full, text, moved(it.Edit))); err != nil {
				return err
			}
		}
	}
	return finishFolders(p.dir, inRoots, moved)
}

// texts are the contents of edited files. They are checked first, because what
// they replace would be gone.
func (r *result) texts() (map[string][]byte, error) {
	out := map[string][]byte{}
	for _, it := range r.Files {
		if !slices.Contains(r.Edited, it.Path) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(r.dir, filesName, it.Path))
		if err != nil || digest(text) != it.Hash || !it.Mode.IsRegular() {
			return nil, errors.Join(errDamaged, err)
		}
		out[it.Path] = text
	}
	return out, nil
}

// moved maps times. What the setup wrote is newer than the copy's own files, and
// make and its like build anew what is older; what came with an older time, as
// from an archive, keeps it. The order stays.
func (r *result) moved(now time.Time) func(int64) int64 {
	return func(edit int64) int64 {
		if edit < r.Start {
			return edit
		}
		return now.UnixNano() + (edit-r.Start)/1e6
	}
}

// checkOutside checks, once, that what the setup left outside is what it was, no
// more and no less.
func (r *result) checkOutside() error {
	r.once.Do(func() { r.bad = r.compareOutside() })
	return r.bad
}

func (r *result) compareOutside() error {
	if len(r.Outside) == 0 { // nothing of it is shown then, whatever may be there
		return nil
	}
	top := filepath.Join(r.dir, outsideName)
	found := 0
	err := filepath.WalkDir(top, func(full string, _ fs.DirEntry, err error) error {
		if strings.Contains(relative(top, full), "/") { // the folders above the parts are ours
			found++
		}
		return err
	})
	if err != nil || found != len(r.Outside) {
		return errors.Join(errDamaged, err)
	}
	return each(r.Outside, func(it *item) error {
		full := filepath.Join(top, it.Path)
		now, err := describeItem(full, it.Path)
		if err != nil || now.Mode.Type() != it.Mode.Type() || now.Size != it.Size || now.Target != it.Target || now.Opaque != it.Opaque {
			return errors.Join(errDamaged, err)
		}
		if !it.Mode.IsRegular() {
			return nil
		}
		text, err := os.ReadFile(full)
		if err != nil || digest(text) != it.Hash {
			return errors.Join(errDamaged, err)
		}
		return nil
	})
}
