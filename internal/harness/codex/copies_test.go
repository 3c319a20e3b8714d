package codex

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Ids of version 7; the first 12 hex digits are their age.
const (
	parent  = "01a22c0e-0a5c-79e1-95d4-4ebf9626975e"
	child   = "01a22c0e-136f-7102-aed9-476289f66dea"
	oldTurn = "01a22c0e-0a95-74f1-ba0b-f8c2a9360100"
	newTurn = "01a22c0e-13a3-7f52-86cb-90b9978122ea"
)

func sessionMeta(id, forkedFrom string) string {
	return fmt.Sprintf(`{"type":"session_meta","payload":{"id":%q,"forked_from_id":%q}}`, id, forkedFrom)
}

func started(turn string) string {
	return fmt.Sprintf(`{"type":"event_msg","payload":{"type":"task_started","turn_id":%q}}`, turn)
}

func recorded(thread, turn, response string) string {
	return fmt.Sprintf(`{"type":"token_usage_record","payload":{"thread_id":%q,"turn_id":%q,"response_id":%q,"usage":{"input_tokens":5}}}`,
		thread, turn, response)
}

const (
	shellCall = `{"type":"response_item","payload":{"type":"function_call","name":"exec_command","call_id":"c1"}}`
	typedText = `{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]}}`
)

// TestAForkCountsOnlyItsOwn: T19 of the users' complaints, where a parent's
// events in its children's rollouts were counted up to 91 times.
func TestAForkCountsOnlyItsOwn(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		want  []string
	}{
		{
			"by the age of the turn",
			[]string{
				sessionMeta(child, parent),
				sessionMeta(parent, ""), started(oldTurn), typedText, shellCall, count(100, 7), count(200, 8),
				started(newTurn), shellCall, count(300, 9),
			},
			[]string{
				`- response "total/` + child + `/300-9-0-0-0"  in=9 read=0 write=0 out=0 think=0`,
				`- call "c1" exec_command pending`,
			},
		},
		{
			"by the age of the record's turn",
			[]string{
				sessionMeta(child, ""), recorded(parent, oldTurn, "r1"), recorded(child, newTurn, "r2"),
			},
			[]string{`- response "r2"  in=5 read=0 write=0 out=0 think=0`},
		},
		{
			"a subagent without its parent's history",
			[]string{
				sessionMeta(child, ""), started(newTurn), count(100, 7),
			},
			[]string{`- response "total/` + child + `/100-7-0-0-0"  in=7 read=0 write=0 out=0 think=0`},
		},
		{
			"without turn ids it goes under the parent's name, which has counted it",
			[]string{
				sessionMeta(child, parent), count(100, 7),
			},
			[]string{`- response "total/` + parent + `/100-7-0-0-0"  in=7 read=0 write=0 out=0 think=0`},
		},
		{
			"without turn ids nothing is lost, whoever the lines are of",
			[]string{
				sessionMeta(child, ""), sessionMeta(parent, ""), count(100, 7),
				`{"type":"turn_context","payload":{"model":"m"}}`, count(200, 8),
			},
			[]string{
				`- response "total/` + parent + `/100-7-0-0-0"  in=7 read=0 write=0 out=0 think=0`,
				`- response "total/` + parent + `/200-8-0-0-0" m in=8 read=0 write=0 out=0 think=0`,
			},
		},
		{
			"the parent names it alike",
			[]string{sessionMeta(parent, ""), count(100, 7)},
			[]string{`- response "total/` + parent + `/100-7-0-0-0"  in=7 read=0 write=0 out=0 think=0`},
		},
		{
			"T20: every event twice",
			[]string{sessionMeta(parent, ""), count(100, 7), count(100, 7), count(150, 7)},
			[]string{
				`- response "total/` + parent + `/100-7-0-0-0"  in=7 read=0 write=0 out=0 think=0`,
				`- response "total/` + parent + `/150-7-0-0-0"  in=7 read=0 write=0 out=0 think=0`,
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, whole(c.lines...)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}
