package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"
)

const project = "/home/dev/project"

// stage is one session being written: its folder, its clock and its ids.
type stage struct {
	home  string
	id    string
	day   string // as folders of rollouts have it
	now   time.Time
	count int
	turn  int
	files map[string]*bytes.Buffer // lines not written yet
	err   error
}

func newStage(home, id string, at time.Time) *stage {
	return &stage{home: home, id: id, day: at.Format("2006/01/02"), now: at, files: map[string]*bytes.Buffer{}}
}

// form is how one harness writes a session and asks its hooks.
type form interface {
	begin(agents []string) error
	file(agent string) string
	prompt()
	response(agent string, calls []call, ids []string)
	result(agent, id string, call call)
	ask(event, agent, id string, call call) map[string]any
	batches() bool         // a hook runs after the calls of a response
	hooked(call call) bool // a hook is asked before it
}

func (s *stage) form(harness string) form {
	if harness == "codex" {
		return codex{s}
	}
	return claude{s}
}

func (s *stage) unique(kind string) string {
	s.count++
	return fmt.Sprintf("%s_%s%06d", kind, s.id, s.count)
}

func (s *stage) promptID() string { return fmt.Sprintf("prompt-%s-%d", s.id, s.turn) }

func (s *stage) line(path string, members map[string]any) {
	data, err := json.Marshal(members)
	s.err = errors.Join(s.err, err)
	if s.files[path] == nil {
		s.files[path] = &bytes.Buffer{}
	}
	s.files[path].Write(append(data, '\n'))
}

// flush adds the lines to their files.
func (s *stage) flush() {
	for path, lines := range s.files {
		if lines.Len() == 0 {
			continue
		}
		f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
		if err == nil {
			_, err = f.Write(lines.Bytes())
			err = errors.Join(err, f.Close())
		}
		s.err = errors.Join(s.err, err)
		lines.Reset()
	}
}

// asked is called before each tool call that a hook is asked about, and after a
// batch of calls; number is the call's in its session.
type asked func(number int, in map[string]any)

// tell writes a story. Where hooks are asked, what was written before is in the
// files by then.
func (s *stage) tell(st story, f form, ask asked) error {
	s.err = f.begin(st.agents())
	number := 0
	hook := func(event, agent, id string, c call) {
		if ask != nil {
			s.flush()
			ask(number, f.ask(event, agent, id, c))
		}
	}
	for _, step := range st.steps {
		s.now = s.now.Add(step.gap)
		if step.prompt {
			if s.turn > 0 {
				hook("Stop", "", "", call{})
			}
			s.turn++
			hook("UserPromptSubmit", "", "", call{})
			f.prompt()
			continue
		}
		ids := make([]string, len(step.calls))
		for i := range ids {
			ids[i] = s.unique("call")
		}
		f.response(step.agent, step.calls, ids)
		for i, c := range step.calls {
			number++
			s.now = s.now.Add(time.Second)
			if f.hooked(c) {
				hook("PreToolUse", step.agent, ids[i], c)
			}
			f.result(step.agent, ids[i], c)
		}
		if f.batches() && len(step.calls) > 0 {
			hook("PostToolBatch", step.agent, "", call{})
		}
	}
	s.flush()
	return s.err
}

func quoted(text string) string {
	data, _ := json.Marshal(text)
	return string(data)
}
