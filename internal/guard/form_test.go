package guard

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"checkrein/internal/harness"
)

// full is a session with something in every member.
func full() *Session {
	limit, total, started := 10.0, int64(0), 1796040000.25
	s := New("sess-1", harness.Codex, noon)
	s.Files = map[string]*File{
		"/b": {Offset: 1, Size: 2, Agent: "main"},
		"/a": {Offset: 3, Size: 4, Agent: "sub", Model: "gpt-5.5", Records: true, Total: &total, Seen: true, Copying: true},
	}
	s.CostUSD, s.BaselineUSD, s.EstimatedUSD, s.EstimatedTokens = 1.5, 1e-7, 0.25, 12
	s.EstimatedModels, s.EstimateNoted, s.WarnedCap = []string{"é \"x\""}, true, &limit
	s.Streaks = map[string]int{"sub": 2, "main": 1}
	s.Agents = agents{{"z", agent{Prompt: "p", Counts: []count{{"f1", 1}, {"f2", 2}}}}, {"a", agent{}}}
	s.DeniedIDs, s.Trips = []string{"d"}, []Trip{{Wire: "loop", At: "now", Tool: "Bash", Detail: "3rd"}}
	s.Counts, s.Limits = map[string]int{"spend": 1, "loop": 2}, Defaults()
	s.Counted, s.CodexStarted, s.CodexChecked, s.Resets = "00ff", &started, []string{"r"}, 3
	s.Judged = []judged{{"c", 5, harness.Deny, "why", "told", true}, {Call: "d", At: 6}}
	s.BaselineNote, s.Extra = 0.5, []byte(`,"later":{"x":[1, 2]}`)
	return s
}

const fullText = `{"version":2,"session_id":"sess-1","harness":"codex","created":"2026-11-30T12:00:00Z","created_ts":1796040000,` +
	`"updated":"2026-11-30T12:00:00Z","files":{"/a":{"offset":3,"size":4,"key":"sub","model":"gpt-5.5","records":true,"total":0,"seen":true,"copying":true},` +
	`"/b":{"offset":1,"size":2,"key":"main"}},"cost_usd":1.5,"baseline_usd":1e-07,"estimated_usd":0.25,"estimated_tokens":12,` +
	`"estimated_models":["é \"x\""],"estimate_noted":true,"warned_cap":10,"streaks":{"main":1,"sub":2},` +
	`"agents":{"z":{"prompt":"p","counts":[["f1",1],["f2",2]]},"a":{}},"denied_ids":["d"],` +
	`"trips":[{"wire":"loop","at":"now","tool":"Bash","detail":"3rd"}],"counts":{"loop":2,"spend":1},` +
	`"limits":{"spend_cap_usd":10,"warn_at":0.8,"loop_repeats":3,"failure_streak":5},"counted":"00ff","codex_started":1796040000.25,` +
	`"codex_checked":["r"],"resets":3,"judged":[{"call":"c","at":5,"kind":2,"reason":"why","message":"told","end_turn":true},{"call":"d","at":6}],` +
	`"baseline_note":0.5,"later":{"x":[1, 2]}}`

func TestStateFileText(t *testing.T) {
	got, err := full().AppendJSON([]byte("before "))
	if diff := cmp.Diff("before "+fullText, string(got)); diff != "" || err != nil {
		t.Errorf("error %v (-want +got):\n%s", err, diff)
	}
	read := new(Session)
	if err := read.ReadJSON([]byte(" " + fullText + "\n")); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(full(), read, cmp.AllowUnexported(count{}, namedAgent{})); diff != "" {
		t.Errorf("read back (-want +got):\n%s", diff)
	}
}

// TestANewSessionIsPythons: its members are those of the Python guard's new_state.
func TestANewSessionIsPythons(t *testing.T) {
	got, err := New("s", harness.ClaudeCode, noon).AppendJSON(nil)
	want := `{"version":2,"session_id":"s","harness":"claude-code","created":"2026-11-30T12:00:00Z","created_ts":1796040000,` +
		`"updated":"2026-11-30T12:00:00Z","files":{},"cost_usd":0,"baseline_usd":0,"estimated_usd":0,"estimated_tokens":0,` +
		`"estimated_models":[],"estimate_noted":false,"warned_cap":null,"streaks":{},"agents":{},"denied_ids":[],"trips":[],` +
		`"counts":{"failures":0,"loop":0,"spend":0,"warning":0},"limits":{"spend_cap_usd":0,"warn_at":0,"loop_repeats":0,"failure_streak":0}}`
	if diff := cmp.Diff(want, string(got)); diff != "" || err != nil {
		t.Errorf("error %v (-want +got):\n%s", err, diff)
	}
}

func TestReadingOddMembers(t *testing.T) {
	for text, ok := range map[string]bool{
		`{}`: true,
		`{"files":null,"agents":null,"trips":null,"counts":null,"limits":null,"warned_cap":null,"counted":null,"resets":null}`: true,
		`{"files":{"a":null,"b":{}},"agents":{"a":null},"judged":[null]}`:                                                      true,
		`{"cost_usd":1,"cost_usd":2,"files":{"a":{"size":1},"a":{"size":2}},"session_id":"\u00e9\ud800"}`:                      true,
		`{"limits":{"spend_cap_usd":10,"new":[1]},"files":{"a":{"new":{"offset":9}}}}`:                                         true,
		`{"version":"2"}`: false, `{"version":2.0}`: false, `{"version":1e99}`: false, `{"cost_usd":"1"}`: false, `{"cost_usd":1e999}`: false,
		`{"files":[]}`: false, `{"files":{"a":1}}`: false, `{"agents":[]}`: false, `{"agents":{"a":{"counts":[["x"]]}}}`: false,
		`{"agents":{"a":{"counts":[["x",1,2]]}}}`: false, `{"trips":{}}`: false, `{"denied_ids":[1]}`: false, `{"estimate_noted":1}`: false,
		`{"limits":3}`: false, `{"judged":[{"kind":300}]}`: false, `{"streaks":{"a":1.5}}`: false,
		``: false, `null`: false, `[]`: false, `{`: false, `{"version":2`: false, `{}{}`: false, `{} x`: false, `{"a":}`: false,
	} {
		s := new(Session)
		if err := s.ReadJSON([]byte(text)); (err == nil) != ok {
			t.Errorf("%s: error %v", text, err)
		}
	}
	s := new(Session)
	if err := s.ReadJSON([]byte(`{"cost_usd":1,"cost_usd":2,"files":{"a":{"offset":7,"new":{"offset":9}}},"limits":{"x":{"warn_at":3}}}`)); err != nil ||
		s.CostUSD != 2 || s.Files["a"].Offset != 7 || s.Limits.WarnAt != 0 {
		t.Errorf("%+v, error %v", s, err)
	}
}

func TestNoNumberThatJSONLacksIsWritten(t *testing.T) {
	for _, n := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		s := New("s", harness.ClaudeCode, noon)
		s.CostUSD = n
		if text, err := s.AppendJSON(nil); err == nil {
			t.Errorf("%v is written: %s", n, text)
		}
	}
}
