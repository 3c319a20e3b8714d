package claudecode

import (
	"time"

	"checkrein/internal/harness"
	"checkrein/internal/transcript"
)

// kind tells the records apart that mean something here.
type kind uint8

const (
	other      kind = iota
	assistant       // one block of a response
	user            // prompts, interrupts and tool results
	hookDenial      // an attachment: another hook denied the call named by id
	request         // the next request was sent (2.1.332 writes these)
	costState       // the harness's own count of the session so far
)

// row is what one line tells, without its texts.
type row struct {
	detailed bool  // texts and inputs are wanted, too
	start    int64 // where the line starts
	kind     kind
	time     time.Time
	id       string // response key, or the call that a hook denied
	request  string // id of the response's request
	model    string
	usage    harness.Usage
	hasUsage bool
	advisors []advisor
	calls    []call
	parts    []part

	streaming bool    // the response had not ended when the record was written
	stopped   bool    // the record tells why the response ended
	words     int     // bytes that the model wrote, as the record spells them
	usd       float64 // costState

	summary     bool   // what a compaction left of the conversation
	injected    bool   // the harness wrote all of the record's texts
	denial      string // why the call did not run
	interrupted bool   // the user stopped the call
	size        int64  // of the whole output, where the result has only its beginning
}

type call struct {
	id, name string
	input    []byte // as JSON; only of a detailed row
}

// part is one block of a user record.
type part struct {
	kind partKind
	ending
}

// ending is what a tool_result block tells.
type ending struct {
	id        string // the call's id
	failed    bool   // an error
	cancelled bool   // the call never ran, because of what befell another one
	invalid   bool   // the call never ran, because there is no such tool or its input is malformed
	output    uint64 // see harness.Event
	text      string // the beginning; only of a detailed row
}

type partKind uint8

const (
	noPart partKind = iota
	toolResult
	typed
	injected
	interrupt
)

// fields gathers the members that decide what a record is; they come in any
// order.
type fields struct {
	kind, uuid, request           string
	message, model                string
	attachment, event, deniedCall string
	meta, foreign                 bool
	usd                           float64
	partial                       bool // costState: a model's price was not known
}

// read fills rec from a line; false when the line means nothing here.
func (rec *row) read(r *transcript.Record, line []byte) bool {
	var f fields
	ok := r.Read(line, func(name []byte) {
		switch string(name) {
		case "type":
			f.kind = r.String()
		case "uuid":
			f.uuid = r.String()
		case "requestId":
			f.request = r.ID()
		case "timestamp":
			rec.time = timestamp(r)
		case "message":
			rec.message(r, &f)
		case "attachment":
			f.readAttachment(r)
		case "isMeta":
			f.meta = r.Set()
		case "isCompactSummary":
			rec.summary = r.Set()
		case "origin":
			f.foreign = foreignOrigin(r)
		case "toolDenialKind":
			rec.denial = r.String()
		case "toolUseResult":
			rec.toolUseResult(r)
		case "totalCostUSD":
			f.usd = r.Number()
		case "hasUnknownModelCost":
			f.partial = r.Set()
		}
	})
	return ok && rec.settle(f)
}

// settle decides what the record is once all of it was read.
func (rec *row) settle(f fields) bool {
	switch {
	case f.kind == "assistant" && f.model != synthetic:
		rec.kind, rec.model, rec.request = assistant, f.model, f.request
		rec.id = firstOf(f.message, f.request, f.uuid)
	case f.kind == "user":
		rec.kind, rec.injected = user, f.meta || f.foreign
	case f.kind == "attachment" && f.attachment == "hook_blocking_error" &&
		(f.event == "PreToolUse" || f.event == "PermissionRequest"):
		rec.kind, rec.id = hookDenial, f.deniedCall
	case f.kind == "api-request":
		rec.kind = request
	case f.kind == "cost-state" && !f.partial:
		rec.kind, rec.usd = costState, f.usd
	}
	return rec.kind != other
}

// synthetic is the model of messages that the harness made itself: nothing was
// paid for them.
const synthetic = "<synthetic>"

func firstOf(ids ...string) string {
	for _, id := range ids {
		if id != "" {
			return id
		}
	}
	return ""
}

func timestamp(r *transcript.Record) time.Time {
	t, err := time.Parse(time.RFC3339Nano, r.String())
	if err != nil {
		return time.Time{}
	}
	return t
}

func (f *fields) readAttachment(r *transcript.Record) {
	f.attachment, f.event, f.deniedCall = "", "", ""
	r.Object(func(name []byte) {
		switch string(name) {
		case "type":
			f.attachment = r.String()
		case "hookEvent":
			f.event = r.String()
		case "toolUseID":
			f.deniedCall = r.String()
		}
	})
}

// foreignOrigin tells whether a record names someone else than a human as its
// author: a task, a channel, another agent.
func foreignOrigin(r *transcript.Record) (foreign bool) {
	r.Object(func(name []byte) {
		if string(name) == "kind" {
			null := r.Kind() == 'n'
			foreign = r.String() != "human" && !null
		}
	})
	return foreign
}

func (rec *row) toolUseResult(r *transcript.Record) {
	rec.interrupted, rec.size = false, 0
	r.Object(func(name []byte) {
		switch string(name) {
		case "interrupted":
			rec.interrupted = r.True()
		case "persistedOutputSize":
			rec.size = r.Count()
		}
	})
}
