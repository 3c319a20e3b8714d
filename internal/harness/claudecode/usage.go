package claudecode

import (
	"checkrein/internal/harness"
	"checkrein/internal/transcript"
)

// advisor is what a second model cost that the first one consulted within its
// response. Its tokens stand in usage.iterations only, under a model of its own.
type advisor struct {
	model string
	usage harness.Usage
}

// readUsage reads the usage of a message; rec.hasUsage is false when there is
// none.
func (rec *row) readUsage(r *transcript.Record) {
	rec.usage, rec.advisors = harness.Usage{}, nil
	rec.hasUsage = r.Object(func(name []byte) {
		if string(name) == "iterations" {
			r.Array(func() { rec.iteration(r) })
			return
		}
		tokens(r, name, &rec.usage)
	})
	rec.usage.CacheWrite1h = min(rec.usage.CacheWrite1h, rec.usage.CacheWrite)
}

// iteration keeps an advisor's turn. The others are parts of the usage itself.
func (rec *row) iteration(r *transcript.Record) {
	kind, a := "", advisor{}
	r.Object(func(name []byte) {
		switch string(name) {
		case "type":
			kind = r.String()
		case "model":
			a.model = r.String()
		default:
			tokens(r, name, &a.usage)
		}
	})
	if kind == "advisor_message" && len(rec.advisors) < maxAdvisors {
		a.usage.CacheWrite1h = min(a.usage.CacheWrite1h, a.usage.CacheWrite)
		rec.advisors = append(rec.advisors, a)
	}
}

// maxAdvisors is far above what one response consults.
const maxAdvisors = 64

// tokens reads one member of a usage, in Anthropic's meanings.
func tokens(r *transcript.Record, name []byte, u *harness.Usage) {
	switch string(name) {
	case "input_tokens":
		u.Input = r.Count()
	case "cache_read_input_tokens":
		u.CacheRead = r.Count()
	case "cache_creation_input_tokens":
		u.CacheWrite = r.Count()
	case "cache_creation":
		u.CacheWrite1h = count(r, "ephemeral_1h_input_tokens")
	case "output_tokens":
		u.Output = r.Count()
	case "output_tokens_details":
		u.Reasoning = count(r, "thinking_tokens")
	case "server_tool_use":
		u.WebSearches = count(r, "web_search_requests")
	case "speed":
		u.Terms.Fast = r.String() == "fast"
	case "service_tier":
		u.Terms.Tier = harness.TierOf(r.String())
	case "inference_geo":
		u.Terms.Regional = r.String() == "us" // seen besides: "", "not_available"
	}
}

// count is one count of an object that holds several.
func count(r *transcript.Record, member string) (n int64) {
	r.Object(func(name []byte) {
		if string(name) == member {
			n = r.Count()
		}
	})
	return n
}

// bytesPerToken turns a text's size into a floor of its tokens: prose has about
// four bytes a token, code and other scripts fewer.
const bytesPerToken = 4

// guess puts a floor under the output of a response whose record was written
// when its stream began, and so has next to nothing in output_tokens (of 19,247
// responses of a corpus, 3.3% had their final number; subagents of 2.1.332 still
// don't). words is the size of all that the model is seen to have written.
func guess(u harness.Usage, words int) (_ harness.Usage, guessed int64) {
	floor := int64(words / bytesPerToken)
	if floor <= u.Output {
		return u, 0
	}
	guessed = floor - u.Output
	u.Output = floor
	return u, guessed
}
