package task

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// known remembers of each commit why it is no candidate ("" for a candidate).
// People mine several times: to look, to check, with more history. A commit never
// changes, and reading 20,000 of them is most of the time that mining takes.
type known struct {
	path string
	head string // the first line of the file
	why  map[string]string
	news []string // lines to append
}

// knownVersion changes with every rule that decides about candidates.
func (r Rules) knownVersion() string {
	if r == Wide {
		return "checkrein history, wide rules 3"
	}
	return "checkrein history 1"
}

// openKnown reads the file. One that is missing, broken, or written under other
// rules counts as empty: nothing depends on it. Narrow rules have a file of
// their own, so that nobody who uses both reads the history again and again.
func openKnown(path, algorithm string, rules Rules) *known {
	if path != "" && rules == Narrow {
		path += "-suite"
	}
	k := &known{path: path, head: rules.knownVersion() + " " + algorithm + "\n", why: map[string]string{}}
	data, err := os.ReadFile(path)
	text, ok := strings.CutPrefix(string(data), k.head)
	if err != nil || !ok {
		return k
	}
	for line := range strings.Lines(text) {
		id, code, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if why, valid := whyOf(code); ok && valid && len(id) >= 40 {
			k.why[id] = why
		}
	}
	return k
}

func (k *known) has(id string) bool {
	_, ok := k.why[id]
	return ok
}

// add remembers a commit. What more history or a repaired clone can change is
// remembered for this time only.
func (k *known) add(id, why string) {
	k.why[id] = why
	if code := codeOf(why); code != "" {
		k.news = append(k.news, id+" "+code+"\n")
	}
}

// save writes the file anew, in one step, when there is something new.
func (k *known) save() error {
	if k.path == "" || len(k.news) == 0 {
		return nil
	}
	old, _ := os.ReadFile(k.path)
	if !strings.HasPrefix(string(old), k.head) {
		old = []byte(k.head)
	}
	f, err := os.CreateTemp(filepath.Dir(k.path), ".history-*")
	if err != nil {
		return fmt.Errorf("remembering the history: %w", err)
	}
	_, err = f.WriteString(string(old) + strings.Join(k.news, ""))
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), k.path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("remembering the history: %w", err), os.Remove(f.Name()))
	}
	return nil
}

func codeOf(why string) string {
	switch why {
	case "":
		return "candidate"
	case TooLarge:
		return "large"
	case NoSource:
		return "source"
	case NoTests:
		return "tests"
	case InlineOnly:
		return "inline"
	}
	return ""
}

func whyOf(code string) (why string, ok bool) {
	for _, why := range []string{"", TooLarge, NoSource, NoTests, InlineOnly} {
		if codeOf(why) == code {
			return why, true
		}
	}
	return "", false
}
