package usage

import (
	"cmp"
	"slices"

	"checkrein/internal/guard"
)

// inOrder puts the log that owns a response before those that copied it. A
// resumed or forked session begins with a copy of another one's records, their
// times included, so the first time alone does not tell: among logs that begin at
// the same time, the one that went on first is the other's origin, and one that
// has nothing of its own before all.
func inOrder(logs []*Log) []*Log {
	type placed struct {
		log   *Log
		first int64
		own   int64
	}
	all := make([]placed, len(logs))
	for i, l := range logs {
		all[i] = placed{log: l, first: start(l)}
	}
	slices.SortStableFunc(all, func(a, b placed) int { return cmp.Compare(a.first, b.first) })
	for i := 0; i < len(all); {
		j := i + 1
		for j < len(all) && all[j].first == all[i].first {
			j++
		}
		if tied := all[i:j]; len(tied) > 1 {
			held := map[guard.ID]int{}
			for _, p := range tied {
				each(p.log, func(r *Response) { held[r.ID]++ })
			}
			for k := range tied {
				tied[k].own = firstOwn(tied[k].log, held)
			}
			slices.SortStableFunc(tied, func(a, b placed) int {
				return cmp.Or(cmp.Compare(a.own, b.own), cmp.Compare(a.log.Path, b.log.Path))
			})
		}
		i = j
	}
	out := make([]*Log, len(all))
	for i, p := range all {
		out[i] = p.log
	}
	return out
}

func each(l *Log, visit func(*Response)) {
	for i := range l.Responses {
		visit(&l.Responses[i])
	}
	for i := range l.Open {
		visit(&l.Open[i])
	}
}

// start is the earliest time in a log; 0 when none is known.
func start(l *Log) (first int64) {
	each(l, func(r *Response) {
		if r.At != 0 && (first == 0 || r.At < first) {
			first = r.At
		}
	})
	return first
}

// firstOwn is when a log first has a response that no other has; 0 when never.
func firstOwn(l *Log, held map[guard.ID]int) (at int64) {
	each(l, func(r *Response) {
		if at == 0 && held[r.ID] == 1 {
			at = r.At
		}
	})
	return at
}
