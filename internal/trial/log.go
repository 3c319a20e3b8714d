package trial

import (
	"bytes"
	"slices"

	"github.com/go-json-experiment/json"
)

// ReadEvents reads the lines of an event log. A line that is no event (cut
// short by a crash, say) is passed over.
func ReadEvents(text []byte) []Event {
	var out []Event
	for line := range bytes.Lines(text) {
		var e Event
		if json.Unmarshal(line, &e, lenient()) == nil && e.Kind != "" {
			out = append(out, e)
		}
	}
	return out
}

// Logged is the records of a log as results.jsonl has them: in the order in
// which they were recorded, and those of a command that came to its end in plan
// order. The results can hold more than that, because other programs write such
// files too, and less, because people cut them.
func Logged(events []Event) []Record {
	var out []Record
	first, number := 0, map[string]int{}
	for _, e := range events {
		switch {
		case e.Record != nil:
			out = append(out, *e.Record)
		case e.Kind == Opened:
			first, number = len(out), map[string]int{}
		case e.Kind == Planned:
			number[e.Run] = e.Number
		case e.Kind == Closed:
			slices.SortStableFunc(out[first:], func(a, b Record) int { return number[a.Run] - number[b.Run] })
		}
	}
	return out
}
