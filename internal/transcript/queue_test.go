package transcript

import (
	"strconv"
	"testing"

	"checkrein/internal/harness"

	"github.com/google/go-cmp/cmp"
)

func TestQueue(t *testing.T) {
	var got []string
	q := NewQueue(func(e harness.Event) { got = append(got, e.ID+e.Model) })
	a := q.Push(harness.Event{Kind: harness.Response, ID: "a"})
	q.Push(harness.Event{Kind: harness.ToolCall, ID: "a", Model: "call"})
	late := q.Push(harness.Event{Kind: harness.Response})
	q.Drop(q.Push(harness.Event{Kind: harness.Response, ID: "gone"}), true)
	again := q.Push(harness.Event{Kind: harness.Response, ID: "a", Model: "again"})

	q.Name(late, "late")
	q.At(a).Model = "changed"
	if n, ok := q.Find(harness.Response, "a"); n != again || !ok {
		t.Errorf("Find: %d, %v; want the newest, %d", n, ok, again)
	}
	if n, ok := q.Find(harness.Response, "late"); n != late || !ok {
		t.Errorf("Find: %d, %v; want %d", n, ok, late)
	}
	if _, ok := q.Find(harness.Response, ""); ok {
		t.Error("found an event without an id")
	}
	q.Flush()
	if diff := cmp.Diff([]string{"achanged", "acall", "late", "aagain"}, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if q.At(a) != nil {
		t.Error("an emitted event can still be changed")
	}
}

// TestQueueStaysSmall: old events are emitted, in order and once, and their
// ids are forgotten.
func TestQueueStaysSmall(t *testing.T) {
	next := 0
	q := NewQueue(func(e harness.Event) {
		if e.ID != strconv.Itoa(next) {
			t.Fatalf("event %s, want %d", e.ID, next)
		}
		next++
	})
	const all = 10 * Window
	for i := range all {
		if n := q.Push(harness.Event{Kind: harness.Response, ID: strconv.Itoa(i)}); n != i {
			t.Fatalf("number %d, want %d", n, i)
		}
		if len(q.entries) > 2*Window || len(q.byID) > 2*Window {
			t.Fatalf("%d entries, %d ids kept", len(q.entries), len(q.byID))
		}
		if old := i - Window + 1; old >= 0 && q.At(old) == nil {
			t.Fatalf("event %d was emitted when %d came", old, i)
		}
	}
	q.Flush()
	if next != all {
		t.Errorf("%d events emitted, want %d", next, all)
	}
}
