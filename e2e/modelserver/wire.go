package modelserver

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// wire is one vendor's format.
type wire interface {
	// read finds what choosing a turn needs in a decoded request.
	read(path string, body object) ask
	// answer builds the whole response; id makes ids that no other response has.
	answer(t Turn, model string, id func(prefix string) string) object
	// events cuts a response into what a stream sends, in order.
	events(answer object) []event
	// fail is the body of an HTTP error.
	fail(status int, message string) object
}

// event is one server-sent event; Gemini's have no name.
type event struct {
	name string
	data object
}

// wireFor tells the format of a path, and whether it only asks for a size.
func wireFor(path string) (w wire, count bool) {
	switch {
	case strings.HasSuffix(path, "/messages/count_tokens"):
		return anthropic{}, true
	case strings.HasSuffix(path, "/messages"):
		return anthropic{}, false
	case strings.HasSuffix(path, "/responses"):
		return responses{}, false
	case strings.HasSuffix(path, ":countTokens"):
		return gemini{}, true
	case strings.HasSuffix(path, ":generateContent"), strings.HasSuffix(path, ":streamGenerateContent"):
		return gemini{}, false
	}
	return nil, false
}

// writeJSON sends one object. A client that went away is no error of ours.
func writeJSON(w http.ResponseWriter, status int, body object) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

// writeStream sends events at the turn's pace and drops the connection half
// way when the turn says so.
func writeStream(w http.ResponseWriter, events []event, t Turn) {
	w.Header().Set("Content-Type", "text/event-stream")
	flush := http.NewResponseController(w)
	for i, e := range events {
		if t.Cut && i >= len(events)/2 {
			panic(http.ErrAbortHandler)
		}
		data, err := json.Marshal(e.data)
		if err != nil {
			panic(err)
		}
		if e.name != "" {
			fmt.Fprintf(w, "event: %s\n", e.name)
		}
		fmt.Fprintf(w, "data: %s\n\n", data)
		_ = flush.Flush()
		time.Sleep(t.Pace)
	}
}

// pieces cuts text as a model's stream would: never inside a character, and
// always at least one piece.
func pieces(text string) []string {
	const size = 32
	runes := []rune(text)
	var all []string
	for len(runes) > size {
		all = append(all, string(runes[:size]))
		runes = runes[size:]
	}
	return append(all, string(runes))
}

// arguments encodes a tool's input; a script that can't be encoded is a bug in
// the test, so it panics.
func arguments(input any) string {
	text, err := json.Marshal(input)
	if err != nil {
		panic(fmt.Sprintf("encoding a scripted tool input: %v", err))
	}
	return string(text)
}

// with copies an object and sets keys of the copy, given as key, value, ….
func with(o object, pairs ...any) object {
	out := object{}
	for k, v := range o {
		out[k] = v
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		out[pairs[i].(string)] = pairs[i+1]
	}
	return out
}
