package install

import (
	"fmt"

	"checkrein/internal/settings"
)

// Edit is one file's change as a report shows it.
type Edit struct {
	Path          string
	Before, After string
	Gone          bool // the file is removed
}

// text is a JSON file that a plan changes.
type text struct {
	file settings.File
	doc  *settings.Document
}

func open(path string) (text, error) {
	file, err := settings.Read(path)
	if err != nil {
		return text{}, err
	}
	t := text{file: file}
	t.doc, err = settings.Parse(file.Text)
	return t, t.wrong(err)
}

// wrong says in which file something is wrong.
func (t text) wrong(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("in %s: %w", t.file.Path, err)
}

// edit is the file's change, nil when there is none. It is refused where the new
// text could not be read back, so that no agent loses its settings by us.
func (t text) edit() (*Edit, error) {
	after := t.doc.Text()
	if t.file.Exists && string(after) == string(t.file.Text) {
		return nil, nil
	}
	if _, err := settings.Parse(after); err != nil {
		return nil, t.wrong(fmt.Errorf("it can't be changed safely: %w", err))
	}
	return &Edit{Path: t.file.Path, Before: string(t.file.Text), After: string(after)}, nil
}
