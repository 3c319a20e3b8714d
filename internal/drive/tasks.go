package drive

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"checkrein/internal/task"
	"checkrein/internal/trial"
)

// ReadTasks reads a tasks file, of this program or the Python one.
func ReadTasks(path string) (task.Document, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return task.Document{}, err
	}
	var has struct {
		Tasks jsontext.Value `json:"tasks"`
	}
	var doc task.Document
	lenient := json.JoinOptions(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	if err := json.Unmarshal(text, &has, lenient); err != nil {
		return doc, fmt.Errorf("it is no JSON object: %w", err)
	}
	if has.Tasks == nil {
		return doc, errors.New("it holds no tasks")
	}
	if err := doc.Unmarshal(text); err != nil {
		return doc, fmt.Errorf("it is no tasks file: %w", err)
	}
	return doc, nil
}

// Validated counts the tasks of a file that trials may run.
func Validated(doc task.Document) int { return count(doc, task.Task.Runs) }

// Rejected counts the tasks that trials could run, had nobody rejected them.
func Rejected(doc task.Document) int {
	return count(doc, func(t task.Task) bool { return t.Validated && !t.Runs() })
}

func count(doc task.Document, is func(task.Task) bool) int {
	n := 0
	for _, t := range doc.Tasks {
		if is(t) {
			n++
		}
	}
	return n
}

// Request is what a task asks for, and whose words it is: see [trial.Record].
func Request(t task.Task) (request, by string) {
	if t.Prompt != "" {
		return t.Prompt, trial.ByEdit
	}
	var names []string
	for _, n := range t.Hints {
		names = append(names, plainName(n.Name)+" (in "+plainName(n.File)+")")
	}
	if names != nil {
		by = trial.ByHints
	}
	return trial.Request(t.Subject, t.Body, names), by
}

// Prompt is what an agent is asked, whole.
func Prompt(t task.Task, testCmd string) string {
	request, _ := Request(t)
	return trial.Ask(request, testCmd)
}

// plainName keeps a name on its line: a file may be called anything.
func plainName(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || r == utf8.RuneError {
			return '?'
		}
		return r
	}, name)
}
