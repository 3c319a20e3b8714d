package opencode

import (
	"slices"

	"github.com/ncruces/go-sqlite3"

	"checkrein/internal/harness"
	"checkrein/internal/transcript"
)

// grace is how far before the mark a changed message is looked for, in
// milliseconds: a row may be stamped before, and stored after, the last read.
const grace = 10 * 60 * 1000

// Query reads the sessions with a message stamped after mark; see harness.Query.
func Query(path string, mark int64, meet func(harness.Log), emit func(harness.Event)) (next int64, all []string, err error) {
	q := query{path: path, next: mark}
	err = withDatabase(path, func(c *sqlite3.Conn) error {
		q = query{c: c, path: path, next: mark} // a read may be begun anew
		if err := q.sessions(); err != nil {
			return err
		}
		return q.changed(mark)
	})
	if err != nil {
		return mark, nil, err
	}
	for _, s := range q.found {
		meet(s.log)
		for _, e := range s.events {
			emit(e)
		}
	}
	for id := range q.logs {
		all = append(all, id)
	}
	slices.Sort(all)
	return q.next, all, nil
}

type query struct {
	c     *sqlite3.Conn
	path  string
	next  int64
	logs  map[string]*harness.Log // by session
	found []session
	walk  transcript.Record
}

// session is one that changed, whole.
type session struct {
	log    harness.Log
	events []harness.Event
}

// each runs a statement and calls row for each row of its answer.
func (q *query) each(sql string, row func(*sqlite3.Stmt), args ...any) error {
	s, _, err := q.c.Prepare(sql)
	if err != nil {
		return err
	}
	defer s.Close()
	for i, a := range args {
		switch a := a.(type) {
		case int64:
			err = s.BindInt64(i+1, a)
		case string:
			err = s.BindText(i+1, a)
		}
		if err != nil {
			return err
		}
	}
	for s.Step() {
		row(s)
	}
	return s.Err()
}

// sessions reads whose part of which session each one is: a subagent has a
// session of its own that names the one it was started from.
func (q *query) sessions() error {
	q.logs = map[string]*harness.Log{}
	parents := map[string]string{}
	err := q.each("SELECT id, parent_id, directory FROM session", func(s *sqlite3.Stmt) {
		id := s.ColumnText(0)
		q.logs[id] = &harness.Log{Path: q.path, Session: id, Project: s.ColumnText(2)}
		parents[id] = s.ColumnText(1)
	})
	for id, l := range q.logs {
		root := id
		for range len(parents) {
			if q.logs[parents[root]] == nil {
				break
			}
			root = parents[root]
		}
		if root != id {
			l.Session, l.Agent = root, id
		}
	}
	return err
}

func (q *query) changed(mark int64) error {
	var ids []string
	err := q.each("SELECT session_id, max(time_updated) FROM message WHERE time_updated >= ? GROUP BY session_id", func(s *sqlite3.Stmt) {
		ids = append(ids, s.ColumnText(0))
		q.next = max(q.next, s.ColumnInt64(1))
	}, mark-grace)
	if err != nil {
		return err
	}
	slices.Sort(ids)
	for _, id := range ids {
		if l := q.logs[id]; l != nil {
			if err := q.session(id, *l); err != nil {
				return err
			}
		}
	}
	return nil
}

// session reads one session. Where parts tell the tokens of each model step they
// count, else those of the message, which hold its last step's alone. Large parts
// are texts, and are not even loaded.
func (q *query) session(id string, l harness.Log) error {
	steps := map[string][]paid{}
	err := q.each("SELECT message_id, data FROM part WHERE session_id = ? AND octet_length(data) < 3000 AND "+
		"instr(data, '\"step-finish\"') > 0 ORDER BY id", func(s *sqlite3.Stmt) {
		if p, ok := readStep(&q.walk, s.ColumnRawText(1)); ok {
			steps[s.ColumnText(0)] = append(steps[s.ColumnText(0)], p)
		}
	}, id)
	if err != nil {
		return err
	}
	found := session{log: l}
	err = q.each("SELECT id, data FROM message WHERE session_id = ? ORDER BY id", func(s *sqlite3.Stmt) {
		var m message
		if !m.read(&q.walk, s.ColumnRawText(1)) {
			return
		}
		if own := steps[s.ColumnText(0)]; len(own) > 0 {
			m.paid = own
		}
		m.events(func(e harness.Event) { found.events = append(found.events, e) })
	}, id)
	q.found = append(q.found, found)
	return err
}
