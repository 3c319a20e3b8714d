package usage

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"checkrein/internal/guard"
	"checkrein/internal/harness"
	"checkrein/internal/price"
)

// table prices one model at $1 a million input tokens, $2 from December on.
func table(t *testing.T) *price.Table {
	t.Helper()
	p, err := price.Parse([]byte(`{"schema":1,"unit":"USD per million tokens","checked":"2026-11-30","models":[
		{"id":"claude-opus-9","source":"made up","checked":"2026-11-30","periods":[
			{"to":"2026-12-01","tiers":[{"input":1,"output":10,"cache_read":0}]},
			{"from":"2026-12-01","tiers":[{"input":2,"output":10,"cache_read":0},{"above":10000000,"input":4,"output":10,"cache_read":0}]}]}]}`), price.BuiltIn)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const million = 1_000_000

// response is one of a million input tokens.
func response(id, at, model string) Response {
	r := Response{Model: model, Usage: harness.Usage{Input: million}}
	if id != "" {
		r.ID = guard.NewID("assistant:" + id)
	}
	if at != "" {
		when, err := time.Parse(time.RFC3339, at)
		if err != nil {
			panic(err)
		}
		r.At = when.UnixMilli()
	}
	return r
}

func log(session, agent, project string, responses ...Response) *Log {
	return &Log{
		Log:     harness.Log{Path: project + "/" + session + agent, Session: session, Agent: agent, Project: project},
		Harness: harness.ClaudeCode, Responses: responses,
	}
}

// keys are a report's rows as "key responses usd".
func keys(r *Report) (out []string) {
	for i := range r.Rows {
		out = append(out, r.Rows[i].Key+" "+grouped(int64(r.Rows[i].Responses))+" "+money(r.Rows[i].USD))
	}
	return out
}

const (
	opus   = "claude-opus-9"
	before = "2026-11-30T12:00:00Z"
	after  = "2026-12-01T12:00:00Z"
)

func TestFold(t *testing.T) {
	east := time.FixedZone("east", 9*3600)
	for _, c := range []struct {
		name string
		logs []*Log
		q    Question
		want []string
	}{
		{
			"by day, at the prices of the day",
			[]*Log{log("s", "", "/p", response("a", before, opus), response("b", after, opus))},
			Question{By: Day},
			[]string{"2026-11-30 1 1.00", "2026-12-01 1 2.00"},
		},
		{
			"local days",
			[]*Log{log("s", "", "/p", response("a", "2026-11-30T16:00:00Z", opus))},
			Question{By: Day, Zone: east},
			[]string{"2026-12-01 1 1.00"},
		},
		{"no time", []*Log{log("s", "", "/p", response("a", "", opus))}, Question{By: Day}, []string{" 1 1.00"}},
		{"resumed: the earlier file owns (T16)", []*Log{
			log("b", "", "/p2", response("1", before, opus), response("2", before, opus), response("3", after, opus)),
			log("a", "", "/p1", response("1", before, opus), response("2", before, opus)),
		}, Question{By: Session}, []string{"a 2 2.00", "b 1 2.00"}},
		{"forked: the one that went on first owns", []*Log{
			log("a", "", "/p", response("1", before, opus), response("3", "2026-12-02T00:00:00Z", opus)),
			log("b", "", "/p", response("1", before, opus), response("2", after, opus)),
		}, Question{By: Session}, []string{"b 2 3.00", "a 1 2.00"}},
		{"a subagent repeats the parent's response (T15, T18)", []*Log{
			log("s", "", "/p", response("1", before, opus)), log("s", "x", "/p", response("1", after, opus), response("2", after, opus)),
		}, Question{By: Agent}, []string{"subagent 1 2.00", "main 1 1.00"}},
		{
			"without ids each counts",
			[]*Log{log("s", "", "/p", response("", before, opus), response("", before, opus))},
			Question{By: Model},
			[]string{opus + " 2 2.00"},
		},
		{"since leaves out what is older, but it still owns", []*Log{
			log("a", "", "/p", response("1", before, opus)), log("b", "", "/p", response("0", after, opus), response("1", after, opus)),
		}, Question{By: Session, Since: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)}, []string{"b 1 2.00"}},
		{"a project holds the folders below it", []*Log{
			log("a", "", "/p", response("1", before, opus)), log("b", "", "/p/q", response("2", before, opus)), log("c", "", "/pq", response("3", before, opus)),
		}, Question{By: Project, Project: "/p"}, []string{"/p 1 1.00", "/p/q 1 1.00"}},
		{"another harness", []*Log{log("a", "", "/p", response("1", before, opus))}, Question{By: Harness, Harness: harness.Codex}, nil},
		{
			"open responses count, too",
			[]*Log{{Harness: harness.Codex, Open: []Response{response("1", before, opus)}}},
			Question{By: Harness},
			[]string{"codex 1 1.00"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.q.Zone == nil {
				c.q.Zone = time.UTC
			}
			if diff := cmp.Diff(c.want, keys(Fold(c.logs, table(t), c.q))); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

// TestWithoutPrice: estimates, the harness's own count and tokens without any
// dollar stand apart.
func TestWithoutPrice(t *testing.T) {
	told := response("3", before, "glm-9")
	told.Told = 0.25
	guessed := response("4", before, opus)
	guessed.Usage.Output, guessed.Guessed = 100_000, 50_000
	r := Fold([]*Log{log("s", "", "/p",
		response("1", before, "claude-opus-77"), response("2", before, "other-1"), told, guessed)}, table(t), Question{By: Model, Zone: time.UTC})
	if diff := cmp.Diff(Sum{
		Responses: 4, Input: 4 * million, Output: 100_000, USD: 1 + 0.25 + 2, EstimatedUSD: 1 + 0.5, ToldUSD: 0.25, UnpricedTokens: million,
	}, r.Total); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	text := r.Text(false)
	for _, said := range []string{
		"$3.25 for 4 responses of 1 session ($1.50 of it estimated; $0.25 by the harness's own count; 1,000,000 tokens without a price not in it).",
		"~3.25+", "claude-opus-77: 1 response, 1,000,000 tokens, $1.00 estimated", "other-1: 1 response, 1,000,000 tokens, no dollars",
		"glm-9: 1 response, 1,000,000 tokens, $0.25 by the harness's own count",
	} {
		if !strings.Contains(text, said) {
			t.Errorf("the report lacks %q:\n%s", said, text)
		}
	}
}

// TestSafeNames: names come from files that others write.
func TestSafeNames(t *testing.T) {
	text := Fold([]*Log{log("s\x1b[2J\nx", "", "/p", response("1", before, "evil\x1b[31m\nmodel"))}, table(t),
		Question{By: Session, Zone: time.UTC}).Text(false)
	if strings.ContainsAny(text, "\x1b") || strings.Contains(text, "\nx") || strings.Contains(text, "\nmodel") {
		t.Errorf("control characters in %q", text)
	}
}

// TestTiersSurvive: a response keeps the tier of its own prompt.
func TestTiersSurvive(t *testing.T) {
	long := response("1", after, opus)
	long.Usage.Input = 20 * million
	r := Fold([]*Log{log("s", "", "/p", long, response("2", after, opus))}, table(t), Question{By: Day, Zone: time.UTC})
	if r.Total.USD != 82 {
		t.Errorf("$%.2f, want $82.00", r.Total.USD)
	}
}
