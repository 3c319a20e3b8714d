package claudecode

import (
	"slices"

	"checkrein/internal/harness"
	"checkrein/internal/transcript"
)

// batch reads the calls that PostToolBatch tells of: those that could not run, the
// id of the last one, and how many there are. The transcript may have them a moment later only: in
// 2.1.332 its lines were up to 100 ms late.
func batch(calls []byte) (invalid []harness.Event, last string, size int) {
	if calls == nil {
		return nil, "", 0
	}
	var r transcript.Record
	r.Read(slices.Concat([]byte(`{"tool_calls":`), calls, []byte("}")), func([]byte) {
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
				invalid = append(invalid, e)
			}
			last = e.ID
			size++
		})
	})
	return invalid, last, size
}
