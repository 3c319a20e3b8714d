package claudecode

import (
	"slices"

	"checkrein/internal/harness"
	"checkrein/internal/transcript"
)

// invalidCalls are those of a batch that could not run. PostToolBatch tells what
// each call gave; the transcript may hold that a moment later only (2.1.332).
func invalidCalls(batch []byte) (events []harness.Event) {
	if batch == nil {
		return nil
	}
	var r transcript.Record
	r.Read(slices.Concat([]byte(`{"tool_calls":`), batch, []byte("}")), func([]byte) {
		r.Array(func() {
			e := harness.Event{Kind: harness.ToolCall, Result: harness.Failed, Held: true}
			var g gave
			r.Object(func(name []byte) {
				switch string(name) {
				case "tool_use_id":
					e.ID = r.ID()
				case "tool_name":
					e.Tool = r.String()
				case "tool_response":
					g.read(&r, false)
				}
			})
			if e.Invalid = g.invalid; e.Invalid {
				events = append(events, e)
			}
		})
	})
	return events
}
