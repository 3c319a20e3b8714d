package transcript

import "checkrein/internal/harness"

// Window is how many events a Queue keeps. What an event lacks (a response's
// final usage, a call's result) comes a few records later in real sessions;
// 8,192 events are thousands of responses and cost a few megabytes.
const Window = 8192

// Queue keeps events in file order until what they lack is known, which may be
// told by any later record. An event that Window later ones have followed is
// emitted as it is, so that memory stays bounded whatever the file's size.
type Queue struct {
	emit    func(harness.Event)
	first   int // number of the oldest entry, the first event being 0
	entries []entry
	byID    map[id]int
}

type entry struct {
	event   harness.Event
	dropped bool
}

type id struct {
	kind harness.Kind
	id   string
}

// NewQueue makes a queue that hands its events to emit, in order.
func NewQueue(emit func(harness.Event)) *Queue {
	return &Queue{emit: emit, byID: map[id]int{}}
}

// Push adds an event and returns its number. An ID finds the newest event of
// its kind.
func (q *Queue) Push(e harness.Event) int {
	if len(q.entries) >= 2*Window { // emit half at once: moving the rest is then cheap
		q.pop(Window)
	}
	n := q.first + len(q.entries)
	q.entries = append(q.entries, entry{event: e})
	q.name(n, e.Kind, e.ID)
	return n
}

// Name gives event n its ID, for one whose ID a later record tells.
func (q *Queue) Name(n int, ident string) {
	if e := q.At(n); e != nil {
		e.ID = ident
		q.name(n, e.Kind, ident)
	}
}

func (q *Queue) name(n int, kind harness.Kind, ident string) {
	if ident != "" {
		q.byID[id{kind, ident}] = n
	}
}

// At is event n, to be completed in place; nil once it has been emitted.
func (q *Queue) At(n int) *harness.Event {
	if n < q.first || n >= q.first+len(q.entries) {
		return nil
	}
	return &q.entries[n-q.first].event
}

// Find is the number of the event of that kind and ID.
func (q *Queue) Find(kind harness.Kind, ident string) (n int, ok bool) {
	n, ok = q.byID[id{kind, ident}]
	return n, ok
}

// Drop keeps event n from being emitted, or with false lets it again.
func (q *Queue) Drop(n int, dropped bool) {
	if q.At(n) != nil {
		q.entries[n-q.first].dropped = dropped
	}
}

// Flush emits all events.
func (q *Queue) Flush() { q.pop(len(q.entries)) }

func (q *Queue) pop(count int) {
	for i, e := range q.entries[:count] {
		if k := (id{e.event.Kind, e.event.ID}); q.byID[k] == q.first+i {
			delete(q.byID, k)
		}
		if !e.dropped {
			q.emit(e.event)
		}
	}
	kept := copy(q.entries, q.entries[count:])
	clear(q.entries[kept:])
	q.entries = q.entries[:kept]
	q.first += count
}
