// Package modelserver is a model for tests: an HTTP server on 127.0.0.1 that
// plays scripted turns to unmodified coding-agent CLIs in the formats of
// Anthropic (Messages), OpenAI (Responses) and Google (generateContent), and
// keeps every request it got, with the turn that answered it.
//
// It never looks at keys, never leaves the machine, and never checks that a
// request is well formed beyond what choosing a turn takes.
package modelserver

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"
)

// Request is one request and how it was answered.
type Request struct {
	Path   string
	Thread string // the script's thread, or Side, Count, Other
	Turn   int    // from 0; goes on counting past the thread's last turn
	Asked  string // the model asked for
	Model  string // the model that answered; "" for errors and counts
	Usage  Usage  // what the answer reported; zero for errors and counts
	Status int
	Body   []byte
}

// Server is a running model server.
type Server struct {
	URL string // http://127.0.0.1:PORT, no slash at the end

	http     *httptest.Server
	mark     string // in every id, so that two servers' responses differ
	mu       sync.Mutex
	player   *player
	requests []Request
	ids      int
}

// Start runs a server that plays s on a free port. Close ends it.
func Start(s Script) *Server {
	srv := &Server{player: newPlayer(s), mark: rand.Text()[:8]}
	srv.http = httptest.NewServer(http.HandlerFunc(srv.serve))
	srv.URL = srv.http.URL
	return srv
}

// Close ends the server and cuts the connections still open, since a CLI may
// keep one alive for as long as it runs.
func (s *Server) Close() {
	s.http.CloseClientConnections()
	s.http.Close()
}

// Play starts another script from its first turn; the requests are kept.
func (s *Server) Play(next Script) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.player = newPlayer(next)
}

// Requests is a copy of every request so far, in order of arrival.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// Served counts the requests that a thread of the script answered.
func (s *Server) Served(thread string) int {
	n := 0
	for _, r := range s.Requests() {
		if r.Thread == thread {
			n++
		}
	}
	return n
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client gave up
	}
	format, count := wireFor(r.URL.Path)
	switch {
	case r.Method != http.MethodPost || format == nil:
		s.other(w, r, raw)
	case count:
		s.keep(Request{Path: r.URL.Path, Thread: Count, Status: http.StatusOK, Body: raw})
		size := max(1, len(raw)/4)
		writeJSON(w, http.StatusOK, object{"input_tokens": size, "totalTokens": size})
	default:
		s.play(w, r, format, raw)
	}
}

// play answers a request for a response with the turn that is due.
func (s *Server) play(w http.ResponseWriter, r *http.Request, format wire, raw []byte) {
	var body object
	if err := json.Unmarshal(raw, &body); err != nil {
		s.keep(Request{Path: r.URL.Path, Thread: Other, Status: http.StatusBadRequest, Body: raw})
		writeJSON(w, http.StatusBadRequest, format.fail(http.StatusBadRequest, "reading the request: "+err.Error()))
		return
	}
	a := format.read(r.URL.Path, body)
	s.mu.Lock()
	c := s.player.next(a)
	s.mu.Unlock()
	req := Request{Path: r.URL.Path, Thread: c.thread, Turn: c.index, Asked: a.model, Status: http.StatusOK, Body: raw}
	if c.turn.Status != 0 {
		req.Status = c.turn.Status
	} else {
		req.Model, req.Usage = firstOf(c.turn.Model, a.model), c.turn.Usage
	}
	s.keep(req)
	s.speak(w, r, format, c.turn, req, a.stream)
}

func (s *Server) speak(w http.ResponseWriter, r *http.Request, format wire, t Turn, req Request, stream bool) {
	select {
	case <-time.After(t.Delay):
	case <-r.Context().Done():
		return
	}
	if t.Status != 0 {
		writeJSON(w, t.Status, format.fail(t.Status, firstOf(t.Error, "scripted error")))
		return
	}
	answer := format.answer(t, req.Model, s.id)
	if !stream {
		writeJSON(w, http.StatusOK, answer)
		return
	}
	writeStream(w, format.events(answer), t)
}

// other answers what CLIs ask for beside responses: model lists, greetings.
func (s *Server) other(w http.ResponseWriter, r *http.Request, raw []byte) {
	status := http.StatusNotFound
	if r.Method == http.MethodHead || strings.HasSuffix(r.URL.Path, "/models") {
		status = http.StatusOK
	}
	s.keep(Request{Path: r.URL.Path, Thread: Other, Status: status, Body: raw})
	writeJSON(w, status, object{"object": "list", "data": []any{}, "models": []any{}})
}

func (s *Server) keep(r Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r)
}

func (s *Server) id(prefix string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ids++
	return fmt.Sprintf("%s%s%06d", prefix, s.mark, s.ids)
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
