package drive

import (
	"errors"
	"fmt"
	"os"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"checkrein/internal/task"
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
func Validated(doc task.Document) int {
	n := 0
	for _, t := range doc.Tasks {
		if t.Validated {
			n++
		}
	}
	return n
}
