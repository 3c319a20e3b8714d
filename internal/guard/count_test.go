package guard

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"checkrein/internal/harness"
	"checkrein/internal/price"
)

// owners is a shared list: response to the session that counted it.
type owners map[ID]ID

func (o owners) Owner(response ID) (ID, bool) {
	owner, ok := o[response]
	return owner, ok
}

const model = "claude-haiku-4-5" // $1 per million tokens of input

func response(id string, tokens int64) harness.Event {
	return harness.Event{Kind: harness.Response, ID: id, Model: model, Usage: harness.Usage{Input: tokens}, Time: noon}
}

// tally folds events of one file into the session and returns what is new.
func tally(s *Session, f *File, shared owners, events ...harness.Event) []ID {
	c := NewCounter(s, price.Embedded, func() Shared { return shared }, true)
	c.Forks = true
	c.Begin(f, "")
	for _, e := range events {
		c.Add(e)
	}
	return c.Close()
}

func usd(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9 {
		t.Errorf("%s: $%v, want $%v", what, got, want)
	}
}

func TestEachResponseCountsOnce(t *testing.T) {
	s, f := New("s", harness.ClaudeCode, noon), &File{Agent: "main"}
	fresh := tally(s, f, nil, response("a", 1e6), response("b", 1e6), response("a", 1e6))
	usd(t, "twice in one read", s.CostUSD, 2)
	if len(fresh) != 2 || fresh[0] != NewID("assistant:a") {
		t.Errorf("fresh %v", fresh)
	}
	tally(s, f, nil, response("a", 1e6), response("c", 1e6))
	usd(t, "read again from the start", s.CostUSD, 3)
	f.Offset = 100
	tally(s, f, nil, response("b", 1e6), response("d", 1e6))
	usd(t, "repeated further down", s.CostUSD, 4)
	tally(s, &File{Agent: "sub"}, nil, response("c", 1e6))
	usd(t, "in another file", s.CostUSD, 4)
	tally(s, f, nil, response("", 1e6), response("", 1e6))
	usd(t, "without an id nothing is known twice", s.CostUSD, 6)
}

func TestCopiesOfAnotherSessionDoNotCount(t *testing.T) {
	shared := owners{NewID("assistant:theirs"): NewID("other"), NewID("assistant:mine"): NewID("s")}
	for _, c := range []struct {
		name   string
		offset int64
		id     string
		want   float64
	}{
		{"a copy at the start", 0, "theirs", 0},
		{"our own, lost by a crash before it was saved", 0, "mine", 1},
		{"new to everybody", 0, "new", 1},
		{"further down there are no copies", 10, "theirs", 1},
	} {
		s := New("s", harness.ClaudeCode, noon)
		tally(s, &File{Agent: "main", Offset: c.offset}, shared, response(c.id, 1e6))
		usd(t, c.name, s.CostUSD, c.want)
	}
}

// The last response of a forked session's copy was held back at the first read
// and counted at the second, once in each session.
func TestTheLastResponseOfACopyComesOneReadLater(t *testing.T) {
	shared := owners{NewID("assistant:a"): NewID("other"), NewID("assistant:b"): NewID("other")}
	s, f := New("s", harness.ClaudeCode, noon), &File{Agent: "main"}
	tally(s, f, shared, response("a", 1e6))
	f.Offset = 10
	tally(s, f, shared, response("b", 1e6))
	usd(t, "after the copies", s.CostUSD, 0)
	f.Offset = 20
	tally(s, f, shared, response("own", 1e6))
	usd(t, "after its own", s.CostUSD, 1)
	if f.Copying {
		t.Error("the list is still searched after a response of its own")
	}
}

// A first read that found no response (the hook of a prompt comes before the
// copy is written, or the copy's only response was held back) ended the search,
// and the copy was counted in both sessions.
func TestACopyWrittenAfterTheFirstReadDoesNotCount(t *testing.T) {
	shared := owners{NewID("assistant:a"): NewID("other")}
	s, f := New("s", harness.ClaudeCode, noon), &File{Agent: "main"}
	tally(s, f, shared, harness.Event{Kind: harness.Prompt})
	f.Offset = 10
	tally(s, f, shared, response("a", 1e6), response("own", 1e6))
	usd(t, "its own only", s.CostUSD, 1)
	if f.Copying {
		t.Error("the list is still searched after a response of its own")
	}
}

// Without forks of that kind only a file's first read looks for copies.
func TestNoCopiesAreLookedForWhereForksAreOtherwise(t *testing.T) {
	shared := owners{NewID("assistant:a"): NewID("other"), NewID("assistant:b"): NewID("other")}
	s, f := New("s", harness.Codex, noon), &File{Agent: "main"}
	c := NewCounter(s, price.Embedded, func() Shared { return shared }, true)
	c.Begin(f, "")
	c.Add(response("a", 1e6))
	f.Offset = 10
	c.Begin(f, "")
	c.Add(response("b", 1e6))
	usd(t, "after both reads", s.CostUSD, 1)
}

func TestTheSharedListIsReadOnce(t *testing.T) {
	reads := 0
	c := NewCounter(New("s", harness.ClaudeCode, noon), price.Embedded, func() Shared { reads++; return owners{} }, true)
	c.Begin(&File{Agent: "main"}, "")
	c.Add(response("a", 1))
	c.Add(response("b", 1))
	if reads != 1 {
		t.Errorf("read %d times", reads)
	}
}

func TestNothingIsLookedUpWithoutAResponse(t *testing.T) {
	s := New("s", harness.ClaudeCode, noon)
	c := NewCounter(s, func() *price.Table { t.Error("prices read"); return nil },
		func() Shared { t.Error("shared list read"); return nil }, true)
	c.Begin(&File{Agent: "main"}, "")
	c.Add(harness.Event{Kind: harness.ToolCall, ID: "t", Result: harness.Succeeded})
	if fresh := c.Close(); fresh != nil {
		t.Errorf("fresh %v", fresh)
	}
}

func TestTheLatest4096ResponsesAreKnown(t *testing.T) {
	s, f := New("s", harness.ClaudeCode, noon), &File{Agent: "main", Offset: 1}
	var events []harness.Event
	for n := range 5000 {
		events = append(events, response(fmt.Sprint(n), 1))
	}
	tally(s, f, nil, events...)
	if len(s.Counted) != 4096*16 {
		t.Errorf("%d characters of ids", len(s.Counted))
	}
	before := s.CostUSD
	tally(s, f, nil, response("4999", 1), response("904", 1))
	usd(t, "a known one", s.CostUSD, before)
	tally(s, f, nil, response("903", 1e6))
	usd(t, "one that fell out", s.CostUSD, before+1)
}

func TestModelsWithoutAPriceAreEstimated(t *testing.T) {
	s, f := New("s", harness.ClaudeCode, noon), &File{Agent: "main"}
	unknown := func(id, model string) harness.Event {
		e := response(id, 1e6)
		e.Model = model
		return e
	}
	tally(s, f, nil, unknown("a", "claude-haiku-9"), unknown("b", "claude-haiku-9"), unknown("c", ""))
	usd(t, "estimated", s.EstimatedUSD, s.CostUSD)
	if s.CostUSD <= 2 || s.EstimatedTokens != 3e6 {
		t.Errorf("$%v for %d tokens", s.CostUSD, s.EstimatedTokens)
	}
	if diff := cmp.Diff([]string{"claude-haiku-9", "(no model id)"}, s.EstimatedModels); diff != "" {
		t.Errorf("models (-want +got):\n%s", diff)
	}
	c := NewCounter(s, price.Embedded, func() Shared { return owners{} }, true)
	c.Begin(f, model) // the model in force, where a record names none
	before := s.EstimatedUSD
	c.Add(unknown("d", ""))
	usd(t, "the file's model has a price", s.EstimatedUSD, before)
}

func TestFailureStreaks(t *testing.T) {
	result := func(r harness.Result) harness.Event { return harness.Event{Kind: harness.ToolCall, ID: "t", Result: r} }
	fail, ok, neutral := result(harness.Failed), result(harness.Succeeded), result(harness.Neutral)
	refused, pending := result(harness.Refused), result(harness.Pending)
	for _, c := range []struct {
		name   string
		events []harness.Event
		want   int
	}{
		{"failures add up", []harness.Event{fail, fail, fail}, 3},
		{"a success ends them", []harness.Event{fail, fail, ok}, 0},
		{"and they start anew", []harness.Event{fail, ok, fail}, 1},
		{"a neutral end is passed over", []harness.Event{fail, neutral, neutral, fail, neutral}, 2},
		{"a call that has not ended is passed over", []harness.Event{fail, pending, fail}, 2},
		{"a refusal: somebody watches", []harness.Event{fail, fail, refused}, 0},
		{"an interrupt", []harness.Event{fail, fail, {Kind: harness.Interrupt}, fail}, 1},
		{"a typed prompt", []harness.Event{fail, fail, {Kind: harness.Prompt}}, 0},
		{"a response says nothing", []harness.Event{fail, response("a", 1), fail}, 2},
		{"our own blocks are not failures", []harness.Event{fail, {Kind: harness.ToolCall, ID: "denied", Result: harness.Failed}, fail}, 2},
	} {
		s := New("s", harness.ClaudeCode, noon)
		s.DeniedIDs = []string{"denied"}
		tally(s, &File{Agent: "sub"}, nil, c.events...)
		if got := s.Streaks["sub"]; got != c.want || s.Streaks["main"] != 0 {
			t.Errorf("%s: streak %d, want %d (main %d)", c.name, got, c.want, s.Streaks["main"])
		}
	}
}

// TestATypedPromptClearsLoopCounts where the hook's input names no prompt.
func TestATypedPromptClearsLoopCounts(t *testing.T) {
	for _, promptIDs := range []bool{true, false} {
		s := New("s", harness.ClaudeCode, noon)
		for _, name := range []string{"main", "sub"} {
			s.Agents.use(name).Counts = []count{{fingerprint("Edit", []byte(`{}`)).String(), 1}}
		}
		c := NewCounter(s, price.Embedded, func() Shared { return owners{} }, promptIDs)
		c.Begin(&File{Agent: "main"}, "")
		c.Add(harness.Event{Kind: harness.Prompt})
		if kept := len(s.Agents.find("main").Counts); (kept == 1) != promptIDs {
			t.Errorf("prompt ids %t: %d counts kept", promptIDs, kept)
		}
		if len(s.Agents.find("sub").Counts) != 1 {
			t.Error("another agent's counts were cleared")
		}
	}
}

// TestCountedAhead: a response that is held back counts once, and so does a copy of
// another session's.
func TestCountedAhead(t *testing.T) {
	shared := owners{NewID("assistant:theirs"): NewID("other")}
	s, f := New("s", harness.ClaudeCode, noon), &File{Agent: "main"}
	read := func(ahead bool, events ...harness.Event) {
		c := NewCounter(s, price.Embedded, func() Shared { return shared }, true)
		c.Forks, c.Ahead = true, ahead
		c.Begin(f, "")
		for _, e := range events {
			c.Add(e)
		}
		c.Close()
	}
	held := func(e harness.Event) harness.Event { e.Held = true; return e }
	read(true, held(response("theirs", 1e6)))
	usd(t, "a copy held back", s.CopiedUSD, 0)
	read(true, response("theirs", 1e6), held(response("mine", 2e6)))
	usd(t, "copied", s.CopiedUSD, 1)
	usd(t, "held back", s.CostUSD, 2)
	read(true, response("mine", 2e6), held(response("next", 4e6)))
	usd(t, "and come again", s.CostUSD, 6)
	read(false, response("next", 4e6), held(response("last", 8e6)))
	usd(t, "by the reference's rules", s.CostUSD, 6)
}
