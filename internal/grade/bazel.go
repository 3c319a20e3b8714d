package grade

import (
	"bufio"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// member decodes a line that is a JSON object.
func member(line []byte, into any) bool {
	return len(line) > 0 && line[0] == '{' && json.Unmarshal(line, into, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)) == nil
}

// readBazel reads the lines of Bazel's build events: one result for each target.
// The reports of its tests lie outside the copy.
func readBazel(in *bufio.Reader, n *namer) (r Results) {
	last := false
	r.Cut = !lines(in, func(line []byte) {
		var e struct {
			ID struct {
				Summary bazelLabel `json:"testSummary"`
				Built   bazelLabel `json:"targetCompleted"`
			} `json:"id"`
			Built struct {
				Success bool `json:"success"`
			} `json:"completed"`
			Summary struct {
				Status string `json:"overallStatus"`
			} `json:"testSummary"`
			Last bool `json:"lastMessage"`
		}
		if !member(line, &e) {
			return
		}
		last = last || e.Last
		if label := e.ID.Built.Label; label != "" && !e.Built.Success {
			r.breaks(n.name(label))
		}
		if e.ID.Summary.Label != "" {
			bazelTarget(&r, n.name(e.ID.Summary.Label), e.Summary.Status)
		}
	})
	r.Cut = r.Cut || !last
	return r
}

type bazelLabel struct {
	Label string `json:"label"`
}

func bazelTarget(r *Results, name, status string) {
	switch status {
	case "PASSED", "FLAKY": // it passed when it was tried again
		r.add(name, Test{Status: Passed})
	case "NO_STATUS", "FAILED_TO_BUILD":
		r.breaks(name)
	default: // FAILED, TIMEOUT, INCOMPLETE, REMOTE_FAILURE
		r.add(name, Test{Status: Failed})
	}
}
