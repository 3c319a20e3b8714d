package modelserver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	messages = "/v1/messages"
	openai   = "/v1/responses"
	google   = "/v1beta/models/gemini-x:generateContent"
)

// post sends a body and returns status and answer.
func post(t *testing.T, srv *Server, path, body string) (int, string) {
	t.Helper()
	res, err := http.Post(srv.URL+path, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(text)
}

// decode parses a JSON answer.
func decode(t *testing.T, text string) object {
	t.Helper()
	var o object
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return o
}

// stream parses server-sent events.
func stream(t *testing.T, text string) []object {
	t.Helper()
	var all []object
	lines := bufio.NewScanner(strings.NewReader(text))
	for lines.Scan() {
		if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			all = append(all, decode(t, data))
		}
	}
	return all
}

func start(t *testing.T, s Script) *Server {
	t.Helper()
	srv := Start(s)
	t.Cleanup(srv.Close)
	return srv
}

func TestThreadsAreForTheModelTheyName(t *testing.T) {
	srv := start(t, Script{Threads: []Thread{
		{Name: "a", Model: "a", Says: "go", Turns: []Turn{{Text: "for a"}}},
		{Name: "b", Model: "b", Says: "go", Turns: []Turn{{Text: "for b"}}},
	}})
	for _, model := range []string{"b", "a", "c"} {
		post(t, srv, messages, `{"model":"`+model+`","tools":[{"name":"x"}],"messages":[{"role":"user","content":"go"}]}`)
	}
	var got []string
	for _, r := range srv.Requests() {
		got = append(got, r.Thread)
	}
	if diff := cmp.Diff([]string{"b", "a", Other}, got); diff != "" {
		t.Error(diff)
	}
}

func TestThreadsPlayTheirOwnTurnsInOrder(t *testing.T) {
	srv := start(t, Script{Usage: Usage{Input: 3}, Threads: []Thread{
		{Name: "sub", Says: "COUNT-THEM", Turns: []Turn{{Text: "s0"}}, Repeat: true},
		{Name: Main, Turns: []Turn{{Text: "m0"}, {Text: "m1", Usage: Usage{Output: 9}, Model: "other"}}},
	}})
	ask := func(text string) {
		post(t, srv, messages, `{"model":"a","tools":[{"name":"x"}],"messages":[{"role":"user","content":"`+text+`"}]}`)
	}
	ask("go")
	ask("please COUNT-THEM")
	ask("go on")
	ask("COUNT-THEM again")
	ask("go further")
	type row struct {
		thread, model string
		turn          int
		usage         Usage
	}
	var got []row
	for _, r := range srv.Requests() {
		got = append(got, row{r.Thread, r.Model, r.Turn, r.Usage})
	}
	want := []row{
		{Main, "a", 0, Usage{Input: 3}},
		{"sub", "a", 0, Usage{Input: 3}},
		{Main, "other", 1, Usage{Output: 9}},
		{"sub", "a", 1, Usage{Input: 3}},
		{Main, "a", 2, Usage{Input: 3}},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(row{})); diff != "" {
		t.Error(diff)
	}
	if n := srv.Served(Main); n != 3 {
		t.Errorf("main served %d, want 3", n)
	}
}

func TestToolResultsNeverSelectAThread(t *testing.T) {
	srv := start(t, Script{Threads: []Thread{{Name: "sub", Says: "MARK"}, {Name: Main}}})
	post(t, srv, messages, `{"tools":[{}],"messages":[{"role":"assistant","content":"MARK"},
		{"role":"user","content":[{"type":"tool_result","content":[{"type":"text","text":"MARK"}]},{"type":"text","text":"go"}]}]}`)
	post(t, srv, openai, `{"tools":[{}],"input":[{"type":"function_call_output","output":"MARK"},{"role":"user","content":[{"type":"input_text","text":"go"}]}]}`)
	post(t, srv, openai, `{"tools":[{}],"input":[{"type":"agent_message","content":[{"type":"encrypted_content","encrypted_content":"MARK"}]}]}`)
	post(t, srv, google, `{"tools":[{}],"contents":[{"role":"user","parts":[{"functionResponse":{"response":{"output":"MARK"}}}]}]}`)
	if diff := cmp.Diff([]int{3, 1}, []int{srv.Served(Main), srv.Served("sub")}); diff != "" {
		t.Error(diff)
	}
}

func TestRequestsOfTheHarnessUseUpNoTurn(t *testing.T) {
	srv := start(t, One(Usage{}, Turn{Text: "first"}))
	schema := `{"type":"object","required":["title","n","ok","kind","list"],"properties":{"title":{"type":"string"},
		"n":{"type":"integer"},"ok":{"type":"boolean"},"kind":{"enum":["b","c"]},"list":{"type":"array"}}}`
	_, text := post(t, srv, messages, `{"tools":[{}],"output_config":{"format":{"schema":`+schema+`}},"messages":[]}`)
	content := decode(t, text)["content"].([]any)[0].(object)["text"].(string)
	want := object{"title": "ok", "n": 0.0, "ok": false, "kind": "b", "list": []any{}}
	if diff := cmp.Diff(want, decode(t, content)); diff != "" {
		t.Error(diff)
	}
	_, text = post(t, srv, messages, `{"messages":[]}`)
	if !strings.Contains(text, `"ok"`) {
		t.Errorf("without tools: %s", text)
	}
	_, text = post(t, srv, messages, `{"tools":[{}],"messages":[]}`)
	if !strings.Contains(text, `"first"`) {
		t.Errorf("the side call used up a turn: %s", text)
	}
}

func TestToolsAmongTheInputAreTools(t *testing.T) {
	srv := start(t, One(Usage{}, Turn{Text: "first"}))
	_, text := post(t, srv, openai, `{"input":[{"type":"additional_tools","tools":[{}]},{"role":"user","content":"go"}]}`)
	if !strings.Contains(text, `"first"`) {
		t.Errorf("it is taken for a side call: %s", text)
	}
}

func TestErrorsInEveryFormat(t *testing.T) {
	srv := start(t, Script{Threads: []Thread{{Name: Main, Turns: []Turn{{Status: 401, Error: "no such key"}}, Repeat: true}}})
	for path, want := range map[string]string{
		messages: `"authentication_error"`, openai: `"invalid_api_key"`, google: `"UNAUTHENTICATED"`,
	} {
		status, text := post(t, srv, path, `{"tools":[{}]}`)
		if status != 401 || !strings.Contains(text, want) || !strings.Contains(text, "no such key") {
			t.Errorf("%s: %d %s", path, status, text)
		}
	}
	if r := srv.Requests()[0]; r.Model != "" || r.Status != 401 {
		t.Errorf("an error is recorded as an answer: %+v", r)
	}
}

func TestWhatIsNoResponse(t *testing.T) {
	srv := start(t, One(Usage{}, Turn{Text: "first"}))
	_, text := post(t, srv, messages+"/count_tokens", `{"messages":[1,2]}`)
	if got := decode(t, text)["input_tokens"]; got != 4.0 {
		t.Errorf("count_tokens: %v", got)
	}
	post(t, srv, "/v1beta/models/g:countTokens", `{}`)
	post(t, srv, "/v1/nothing", `{}`)
	post(t, srv, messages, `{broken`)
	if diff := cmp.Diff([]int{2, 2, 0}, []int{srv.Served(Count), srv.Served(Other), srv.Served(Main)}); diff != "" {
		t.Error(diff)
	}
}

func TestACutStreamBreaksOff(t *testing.T) {
	srv := start(t, One(Usage{}, Turn{Text: "never whole", Cut: true}))
	body := strings.NewReader(`{"stream":true,"tools":[{}],"messages":[]}`)
	res, err := http.Post(srv.URL+messages, "application/json", body)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err == nil || bytes.Contains(text, []byte("message_stop")) {
		t.Errorf("the stream came whole: %v %s", err, text)
	}
}

func TestPlayStartsAnotherScriptAndKeepsRequests(t *testing.T) {
	srv := start(t, One(Usage{}, Turn{Text: "one"}))
	post(t, srv, messages, `{"tools":[{}]}`)
	srv.Play(One(Usage{}, Turn{Text: "two"}))
	_, text := post(t, srv, messages, `{"tools":[{}]}`)
	if !strings.Contains(text, `"two"`) || len(srv.Requests()) != 2 {
		t.Errorf("%d requests, %s", len(srv.Requests()), text)
	}
}
