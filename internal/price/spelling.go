package price

import (
	"strings"
	"unicode"
)

// unwrap takes off what clouds, gateways and harnesses wrap around a model's
// id, and notes what it says. It knows
//
//   - gateways' prefixes: openrouter/anthropic/…, vertex_ai/…, azure/eu/…
//   - Bedrock: us.anthropic.…-v1:0, with or without the ARN of a profile
//   - Vertex AI: …@20260101
//   - a context suffix, a date, "-latest": …[1m], …-20251001
//   - gateways' fast mode and dots: claude-opus-4.8-fast
func unwrap(id string) Found {
	name, profile := withoutGateway(id)
	bare := withoutCloudPrefix(name)
	if bare != name && !strings.HasPrefix(name, "global.") && !bareVendor(name) {
		profile = true
	}
	bare = withoutDate(withoutCloudSuffix(withoutContext(bare)))
	bare = strings.TrimSuffix(bare, "-latest")
	found := Found{Profile: profile}
	found.Name, found.Fast = strings.CutSuffix(bare, "-fast")
	if strings.HasPrefix(found.Name, "claude-") {
		found.Name = strings.ReplaceAll(found.Name, ".", "-")
	}
	return found
}

// withoutGateway is what follows the last slash. LiteLLM names Azure's regions
// before it.
func withoutGateway(id string) (name string, profile bool) {
	i := strings.LastIndexByte(id, '/')
	if i < 0 {
		return id, false
	}
	way := id[:i]
	return id[i+1:], way == "azure/us" || way == "azure/eu"
}

func bareVendor(name string) bool {
	return strings.HasPrefix(name, "anthropic.") || strings.HasPrefix(name, "openai.")
}

func withoutCloudPrefix(id string) string {
	rest := id
	for _, region := range [...]string{"us.", "eu.", "apac.", "jp.", "au.", "ca.", "global.", "us-gov."} {
		if after, ok := strings.CutPrefix(id, region); ok {
			rest = after
			break
		}
	}
	for _, vendor := range [...]string{"anthropic.", "openai."} {
		if after, ok := strings.CutPrefix(rest, vendor); ok {
			return after
		}
	}
	return id
}

// withoutContext drops a last bracket group: claude-opus-5-5[1m].
func withoutContext(id string) string {
	if !strings.HasSuffix(id, "]") {
		return id
	}
	body := id[:len(id)-1]
	if i := strings.LastIndexByte(body, ']'); i >= 0 { // a group ends where the last one began
		if j := strings.IndexByte(body[i:], '['); j >= 0 {
			return id[:i+j]
		}
		return id
	}
	if i := strings.IndexByte(body, '['); i >= 0 {
		return id[:i]
	}
	return id
}

// withoutCloudSuffix drops -v1, -v1:0, @20260101 and @latest.
func withoutCloudSuffix(id string) string {
	if i := strings.LastIndexByte(id, '@'); i >= 0 {
		if tail := id[i+1:]; tail == "latest" || (len(tail) == 8 && allDigits(tail)) {
			return id[:i]
		}
	}
	i := strings.LastIndex(id, "-v")
	if i < 0 {
		return id
	}
	major, minor, colon := strings.Cut(id[i+2:], ":")
	if allDigits(major) && (!colon || allDigits(minor)) {
		return id[:i]
	}
	return id
}

// withoutDate drops -20251001 and -2026-09-01.
func withoutDate(id string) string {
	if n := len(id) - 9; n >= 0 && id[n] == '-' && allDigits(id[n+1:]) {
		return id[:n]
	}
	if n := len(id) - 11; n >= 0 && id[n] == '-' {
		d := id[n+1:]
		if d[4] == '-' && d[7] == '-' && allDigits(d[:4]+d[5:7]+d[8:]) {
			return id[:n]
		}
	}
	return id
}

func allDigits(s string) bool {
	for _, r := range s {
		if !unicode.IsDigit(r) {
			return false
		}
	}
	return s != ""
}
