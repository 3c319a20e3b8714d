package history

import (
	"slices"

	"checkrein/internal/harness"
	"checkrein/internal/usage"
)

// query reads the sessions of a database that changed since the last read, and
// drops those that are gone.
func (j *job) query() (*entry, error) {
	e := &entry{harness: j.archive.Name, path: j.log.Path, stamp: j.now}
	var mark int64
	if j.old != nil && j.old.stamp.inode == j.now.inode {
		mark, e.logs = j.old.mark, j.old.logs
	}
	var fresh []*usage.Log
	p := pass{}
	next, all, err := j.archive.Query(j.log.Path, mark, func(l harness.Log) {
		p.settle(fresh)
		fresh = append(fresh, &usage.Log{Log: l, Harness: j.archive.Name})
	}, p.add)
	if err != nil {
		return nil, err
	}
	p.settle(fresh)
	e.mark, e.logs = next, merge(e.logs, fresh, all)
	return e, nil
}

// settle gives the newest log what was found for it.
func (p *pass) settle(logs []*usage.Log) {
	if len(logs) > 0 {
		logs[len(logs)-1].Responses = p.found
	}
	p.found = nil
}

// merge puts fresh logs in the place of older ones of the same session.
func merge(old, fresh []*usage.Log, all []string) []*usage.Log {
	there := make(map[string]bool, len(all))
	for _, id := range all {
		there[id] = true
	}
	for _, l := range fresh {
		there[own(l)] = false
	}
	kept := slices.DeleteFunc(slices.Clone(old), func(l *usage.Log) bool { return !there[own(l)] })
	return append(kept, fresh...)
}

// own is the id of the log's own session, which a subagent has too.
func own(l *usage.Log) string {
	if l.Agent != "" {
		return l.Agent
	}
	return l.Session
}
