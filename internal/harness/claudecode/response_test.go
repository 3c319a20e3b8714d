package claudecode

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// said is an assistant record with a text; request and stop are JSON values.
func said(id, request, stop, text, usage string) string {
	return fmt.Sprintf(`{"type":"assistant","requestId":%s,"message":{"id":%q,"model":"m","stop_reason":%s,`+
		`"content":[{"type":"text","text":%q}],"usage":{%s}}}`, request, id, stop, text, usage)
}

func TestResponses(t *testing.T) {
	long := strings.Repeat("abcd", 1000) // 4,000 characters
	for _, c := range []struct {
		name    string
		records []string
		want    []string
	}{
		{
			"T12: the number from the start of the stream",
			[]string{said("m1", `"q"`, "null", long, `"input_tokens":9,"output_tokens":1`)},
			[]string{`- response "m1" m in=9 read=0 write=0 out=1000 think=0 guessed=999`},
		},
		{
			"the final number is no guess",
			[]string{
				said("m1", `"q"`, "null", long, `"input_tokens":9,"output_tokens":1`),
				said("m1", `"q"`, `"end_turn"`, "short", `"input_tokens":9,"output_tokens":700`),
			},
			[]string{`- response "m1" m in=9 read=0 write=0 out=700 think=0`},
		},
		{
			"a guess grows with the records",
			[]string{
				said("m1", `"q"`, "null", long, `"input_tokens":9,"output_tokens":1`),
				said("m1", `"q"`, "null", long, `"input_tokens":9,"output_tokens":1`),
			},
			[]string{`- response "m1" m in=9 read=0 write=0 out=2001 think=0 guessed=2000`},
		},
		{
			"a late record of the stream changes no final number",
			[]string{
				said("m1", `"q"`, `"end_turn"`, "a", `"input_tokens":9,"output_tokens":700`),
				said("m1", `"q"`, "null", "b", `"input_tokens":9,"output_tokens":1`),
			},
			[]string{`- response "m1" m in=9 read=0 write=0 out=700 think=0`},
		},
		{
			"T41: two requests are two charges",
			[]string{
				said("m1", `"q1"`, `"end_turn"`, "a", `"input_tokens":9,"output_tokens":7`),
				said("m1", `"q2"`, `"end_turn"`, "a", `"input_tokens":9,"output_tokens":7`),
			},
			[]string{`- response "m1" m in=9 read=0 write=0 out=7 think=0`, `- response "m1/q2" m in=9 read=0 write=0 out=7 think=0`},
		},
		{
			"T17: a gateway that gives every response the same id",
			[]string{
				said("m1", `null`, `"end_turn"`, "a", `"input_tokens":9,"output_tokens":7`),
				said("m1", `null`, `"end_turn"`, "b", `"input_tokens":30,"output_tokens":8`),
			},
			[]string{`- response "m1/9/0/0/7" m in=9 read=0 write=0 out=7 think=0`, `- response "m1/30/0/0/8" m in=30 read=0 write=0 out=8 think=0`},
		},
		{
			"a gateway that tells the prompt at the end only",
			[]string{
				said("m1", `null`, `null`, "a", `"input_tokens":0,"output_tokens":1`),
				said("m1", `null`, `"end_turn"`, "b", `"input_tokens":30,"output_tokens":8`),
			},
			[]string{`- response "m1/30/0/0/8" m in=30 read=0 write=0 out=8 think=0`},
		},
		{
			"an advisor's tokens are another response, its own iterations are not",
			[]string{
				said("m1", `"q"`, `"end_turn"`, "a", `"input_tokens":9,"output_tokens":7,"iterations":[
					{"type":"message","input_tokens":9,"output_tokens":7},
					{"type":"advisor_message","model":"big","input_tokens":50,"cache_read_input_tokens":5,"output_tokens":60}]`),
			},
			[]string{`- response "m1" m in=9 read=0 write=0 out=7 think=0`, `- response "m1/advisor/1" big in=50 read=5 write=0 out=60 think=0`},
		},
		{
			"terms",
			[]string{
				said("m1", `"q"`, `"end_turn"`, "a", `"input_tokens":9,"output_tokens":7,"speed":"fast","service_tier":"priority",
					"inference_geo":"us","server_tool_use":{"web_search_requests":2,"web_fetch_requests":5}`),
			},
			[]string{`- response "m1" m in=9 read=0 write=0 out=7 think=0 searches=2 terms={Fast:true Tier:3 Regional:true}`},
		},
		{
			"the harness's own total",
			[]string{`{"type":"cost-state","totalCostUSD":1.25,"hasUnknownModelCost":false}`},
			[]string{"- own total $1.25"},
		},
		{
			"an own total that lacks a model's cost", []string{`{"type":"cost-state","totalCostUSD":1.25,"hasUnknownModelCost":true}`}, nil,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			var data strings.Builder
			for _, record := range c.records {
				data.WriteString(strings.ReplaceAll(record, "\n", " ") + "\n")
			}
			events, _ := readAll([]byte(data.String()), 0, true)
			if diff := cmp.Diff(c.want, lines(events)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}
