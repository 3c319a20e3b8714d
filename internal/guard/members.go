package guard

import (
	"errors"

	"github.com/go-json-experiment/json/jsontext"
)

// What a state file holds. The members that the Python guard writes keep its
// names; it passes over ours.

func (s *Session) members(f *form) {
	one(f, "version", &s.Version, false, integer)
	one(f, "session_id", &s.ID, false, text)
	one(f, "harness", &s.Harness, false, text)
	one(f, "created", &s.Created, false, text)
	one(f, "created_ts", &s.CreatedTS, false, number)
	one(f, "updated", &s.Updated, false, text)
	one(f, "files", &s.Files, false, table(maybe(record((*File).members))))
	one(f, "cost_usd", &s.CostUSD, false, number)
	one(f, "baseline_usd", &s.BaselineUSD, false, number)
	one(f, "estimated_usd", &s.EstimatedUSD, false, number)
	one(f, "estimated_tokens", &s.EstimatedTokens, false, integer)
	one(f, "estimated_models", &s.EstimatedModels, false, list(text))
	one(f, "estimate_noted", &s.EstimateNoted, false, flag)
	one(f, "warned_cap", &s.WarnedCap, false, maybe(number))
	one(f, "streaks", &s.Streaks, false, table(integer[int]))
	one(f, "agents", &s.Agents, false, agentsValue)
	one(f, "denied_ids", &s.DeniedIDs, false, list(text))
	one(f, "trips", &s.Trips, false, list(record((*Trip).members)))
	one(f, "counts", &s.Counts, false, table(integer[int]))
	one(f, "limits", &s.Limits, false, limitsValue)
	one(f, "counted", &s.Counted, s.Counted == "", text)
	one(f, "codex_started", &s.CodexStarted, s.CodexStarted == nil, maybe(number))
	one(f, "codex_checked", &s.CodexChecked, s.CodexChecked == nil, list(text))
	one(f, "resets", &s.Resets, s.Resets == 0, integer)
	one(f, "guessed_usd", &s.GuessedUSD, s.GuessedUSD == 0, number)
	one(f, "copied_usd", &s.CopiedUSD, s.CopiedUSD == 0, number)
	one(f, "own", &s.Own, s.Own == Own{}, record((*Own).members))
	one(f, "judged", &s.Judged, s.Judged == nil, list(record((*judged).members)))
	one(f, "baseline_note", &s.BaselineNote, s.BaselineNote == 0, number)
	s.moreMembers(f)
	if f.d == nil {
		f.out = append(f.out, s.Extra...)
	}
}

func (s *Session) moreMembers(f *form) {
	one(f, "installed", &s.Installed, s.Installed == 0, integer)
	one(f, "unpaid", &s.Unpaid, !s.Unpaid, flag)
	one(f, "project", &s.Project, s.Project == "", text)
	one(f, "tokens", &s.Tokens, s.Tokens == 0, integer)
	one(f, "days", &s.Days, len(s.Days) == 0, table(integer[int64]))
	one(f, "rate", &s.Rate, len(s.Rate) == 0, list(record((*paid).members)))
	one(f, "rate_quiet", &s.RateQuiet, s.RateQuiet == 0, integer)
	one(f, "work_usd", &s.WorkUSD, s.WorkUSD == 0, number)
	one(f, "work_noted", &s.WorkNoted, !s.WorkNoted, flag)
	one(f, "baseline_tokens", &s.BaselineTokens, s.BaselineTokens == 0, integer)
	one(f, "allowed_usd", &s.AllowedUSD, s.AllowedUSD == 0, number)
	one(f, "allowed_tokens", &s.AllowedTokens, s.AllowedTokens == 0, integer)
	one(f, "grants", &s.Grants, s.Grants == nil, list(record((*grant).members)))
	one(f, "warned", &s.Warned, s.Warned == nil, list(text))
	one(f, "spawned", &s.Spawned, s.Spawned == 0, integer)
	one(f, "spawn_prompt", &s.SpawnPrompt, s.SpawnPrompt == "", text)
	one(f, "spawn_noted", &s.SpawnNoted, !s.SpawnNoted, flag)
	one(f, "spawn_stopped", &s.SpawnStopped, !s.SpawnStopped, flag)
}

func (p *paid) members(f *form) {
	one(f, "minute", &p.Minute, false, integer)
	one(f, "usd", &p.USD, false, number)
}

func (g *grant) members(f *form) {
	one(f, "key", &g.Key, false, text)
	one(f, "usd", &g.USD, false, number)
}

// keep puts a member that a later release wrote aside.
func (s *Session) keep(name string, v jsontext.Value) {
	s.Extra, _ = jsontext.AppendQuote(append(s.Extra, ','), name)
	s.Extra = append(append(s.Extra, ':'), v...)
}

func (x *File) members(f *form) {
	one(f, "offset", &x.Offset, false, integer)
	one(f, "size", &x.Size, false, integer)
	one(f, "key", &x.Agent, false, text)
	one(f, "model", &x.Model, x.Model == "", text)
	one(f, "records", &x.Records, !x.Records, flag)
	one(f, "total", &x.Total, x.Total == nil, maybe(integer[int64]))
	one(f, "thread", &x.Thread, x.Thread == "", text)
	one(f, "other", &x.Other, x.Other == "", text)
	one(f, "copied", &x.Copied, !x.Copied, flag)
	one(f, "tier", &x.Tier, x.Tier == 0, integer)
	one(f, "seen", &x.Seen, !x.Seen, flag)
	one(f, "copying", &x.Copying, !x.Copying, flag)
}

func (t *Trip) members(f *form) {
	one(f, "wire", &t.Wire, false, text)
	one(f, "at", &t.At, false, text)
	one(f, "tool", &t.Tool, false, text)
	one(f, "detail", &t.Detail, false, text)
	one(f, "rule", &t.Rule, t.Rule == "", text)
	one(f, "agent", &t.Agent, t.Agent == "", text)
	one(f, "calls", &t.Calls, t.Calls == nil, packedIDs)
}

func (l *Limits) members(f *form) {
	one(f, "spend_cap_usd", &l.SpendCapUSD, false, number)
	one(f, "warn_at", &l.WarnAt, false, number)
	one(f, "loop_repeats", &l.LoopRepeats, false, integer)
	one(f, "failure_streak", &l.FailureStreak, false, integer)
	for i, t := range ruleTexts() { // those that are not as usual
		one(f, t.key, &l.Rules[i], l.Rules[i] == t.usual, number)
	}
}

// limitsValue is the limits; what is left out has its usual value.
func limitsValue(f *form, l *Limits) {
	if f.d != nil {
		*l = Limits{Rules: Defaults().Rules}
	}
	record((*Limits).members)(f, l)
}

func (j *judged) members(f *form) {
	one(f, "call", &j.Call, false, text)
	one(f, "at", &j.At, false, integer)
	one(f, "kind", &j.Kind, j.Kind == 0, integer)
	one(f, "reason", &j.Reason, j.Reason == "", text)
	one(f, "message", &j.Text, j.Text == "", text)
	one(f, "end_turn", &j.End, !j.End, flag)
}

func (a *agent) members(f *form) {
	one(f, "prompt", &a.Prompt, a.Prompt == "", text)
	one(f, "counts", &a.Counts, a.Counts == nil, list(pair))
	one(f, "past", &a.Past, a.Past == nil, packedPast)
	one(f, "same", &a.Same, a.Same == nil, packedSame)
	one(f, "calls", &a.Calls, a.Calls == 0, integer)
	one(f, "tripped", &a.Tripped, a.Tripped == 0, integer)
	one(f, "test", &a.Test, a.Test == 0, integer)
}

// agentsValue is the agents as an object, in their order.
func agentsValue(f *form, a *agents) {
	if f.d != nil {
		*a = nil
		f.nested('{', func() {
			entry := namedAgent{key: f.at}
			f.object(entry.members, nil)
			*a = append(*a, entry)
		})
		return
	}
	f.out = append(f.out, '{')
	for i := range *a {
		f.name((*a)[i].key)
		f.object((*a)[i].members, nil)
	}
	f.out = append(f.out, '}')
}

func packedIDs(f *form, ids *[]ID) {
	if f.d == nil {
		var b []byte
		for _, id := range *ids {
			b = append(b, id[:]...)
		}
		f.hex(b)
		return
	}
	b := f.unhex()
	for *ids = nil; len(b) >= len(ID{}); b = b[len(ID{}):] {
		*ids = append(*ids, ID(b[:len(ID{})]))
	}
}

// pair is a count as [fingerprint, times].
func pair(f *form, c *count) {
	if f.d == nil {
		f.out = append(f.out, '[')
		text(f, &c.fingerprint)
		f.out = append(f.out, ',')
		integer(f, &c.times)
		f.out = append(f.out, ']')
		return
	}
	element := 0
	f.nested('[', func() {
		switch element++; element {
		case 1:
			text(f, &c.fingerprint)
		case 2:
			integer(f, &c.times)
		default:
			f.err = errors.New("a count has more than two parts")
		}
	})
	if f.err == nil && element != 2 {
		f.err = errors.New("a count has less than two parts")
	}
}
