package codex

import (
	"bytes"

	"checkrein/internal/harness"
	"checkrein/internal/transcript"
)

// payload gathers the members of a line's payload that mean something in any
// kind of line; they come in any order.
type payload struct {
	detailed               bool
	arguments              []byte // of a call, as they are written; only where details are wanted
	kind, role, status     string
	name, namespace        string
	hasName                bool
	id, callID, responseID string
	turn, forked           string
	model, settingsModel   string
	tier                   harness.Tier
	usage, last            harness.Usage
	hasUsage, hasLast      bool
	hasInfo                bool
	total                  *int64
	typed, reviewer        bool
	out                    outcome
	item                   item
}

func (p *payload) member(r *transcript.Record, name []byte) {
	switch string(name) {
	case "type":
		p.kind = r.String()
	case "role":
		p.role = r.String()
	case "status":
		p.status = r.String()
	case "name":
		p.hasName = r.Kind() == '"'
		p.name = r.String()
	case "namespace":
		p.namespace = r.String()
	case "id":
		p.id = r.ID()
	case "call_id":
		p.callID = r.ID()
	case "response_id":
		p.responseID = r.ID()
	case "turn_id":
		p.turn = r.String()
	case "forked_from_id":
		p.forked = r.String()
	case "model":
		p.model = r.String()
	case "thread_settings":
		p.settings(r)
	case "usage":
		p.usage, p.hasUsage = tokens(r)
	case "info":
		p.info(r)
	case "content":
		p.typed = typed(r)
	case "source":
		p.reviewer = reviewer(r)
	case "output":
		p.out = readOutcome(r, p.detailed)
	case "item":
		p.item = readItem(r, p.detailed)
	case "arguments", "input", "action":
		if p.detailed {
			from := r.Offset()
			r.Skip()
			p.arguments = bytes.Clone(r.Since(from))
		}
	}
}

// settings are what the user chose: the model, and since 0.171.0 the service
// tier, which no record of usage tells.
func (p *payload) settings(r *transcript.Record) {
	p.settingsModel, p.tier = "", harness.Standard
	r.Object(func(name []byte) {
		switch string(name) {
		case "model":
			p.settingsModel = r.String()
		case "service_tier":
			p.tier = harness.TierOf(r.String())
		}
	})
}

// only is a member callback that takes one member.
func only(member string, take func()) func(name []byte) {
	return func(name []byte) {
		if string(name) == member {
			take()
		}
	}
}

func (p *payload) info(r *transcript.Record) {
	p.total, p.last, p.hasLast = nil, harness.Usage{}, false
	p.hasInfo = r.Object(func(name []byte) {
		switch string(name) {
		case "total_token_usage":
			p.total = nil
			r.Object(only("total_tokens", func() {
				p.total = nil
				if n, ok := r.Int(); ok {
					p.total = &n
				}
			}))
		case "last_token_usage":
			p.last, p.hasLast = tokens(r)
		}
	})
}

// typed tells whether one text of a message is not context that Codex adds in
// the user's name.
func typed(r *transcript.Record) (yes bool) {
	r.Array(func() {
		r.Object(only("text", func() {
			yes = r.Kind() == '"' && !startsContext(r) || yes
		}))
	})
	return yes
}

// startsContext tells whether the next value is a text that Codex wrote. Most
// texts are told by their first byte, without reading them.
func startsContext(r *transcript.Record) bool {
	if !r.Starts("<") && !r.Starts("#") && !r.Starts(" ") && !r.Starts(`\`) {
		return false
	}
	text, _ := r.Text()
	return isContext(text)
}

// isContext tells whether a text is one whole <tag>…</tag> block or the
// AGENTS.md file.
func isContext(text []byte) bool {
	text = bytes.TrimSpace(text)
	if bytes.HasPrefix(text, []byte("# AGENTS.md instructions")) {
		return true
	}
	if !bytes.HasPrefix(text, []byte("<")) {
		return false
	}
	end := bytes.IndexAny(text, "> \t\r\n\v\f")
	if end < 2 || !isTag(text[1:end]) {
		return false
	}
	rest := bytes.TrimSuffix(text[end+1:], []byte(">"))
	rest = bytes.TrimSuffix(rest, text[1:end])
	return len(rest) == len(text)-2*end-1 && bytes.HasSuffix(rest, []byte("</"))
}

func isTag(name []byte) bool {
	for i, c := range name {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return true
}

// reviewer tells from a thread's source whether it is a subagent that Codex
// itself started, such as a review: every message in it is Codex's own.
func reviewer(r *transcript.Record) (yes bool) {
	r.Object(only("subagent", func() {
		yes = r.Kind() != 'n'
		r.Object(only("thread_spawn", func() { yes = r.Kind() != '{' }))
	}))
	return yes
}
