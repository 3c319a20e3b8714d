package redact

import "strings"

// token is a key that gives itself away by how it starts: head, one character
// of kinds (where there are any), tail; then at least least characters of body.
// It starts where no word goes on, and ends with its run; a try that fails has
// walked fewer than least characters, or, of an exact one, a run it does not share.
type token struct {
	head, kinds, tail string
	body              class
	least             int
	exact             bool // least characters, no more, and no word goes on
}

// tokens is every known start, in the order to try them: a head that begins
// with another one stands before it.
func tokens() [17]token {
	return [...]token{
		{head: "sk-ant-", body: isWordDash, least: 16},                    // Anthropic
		{head: "sk-", body: isWordDash, least: 20},                        // OpenAI and its kin
		{head: "gh", kinds: "pousr", tail: "_", body: isAlnum, least: 20}, // GitHub
		{head: "github_pat_", body: isWord, least: 20},
		{head: "glpat-", body: isWordDash, least: 20},                           // GitLab
		{head: "xox", kinds: "abposr", tail: "-", body: isAlnumDash, least: 10}, // Slack
		{head: "AIza", body: isWordDash, least: 30},                             // Google
		{head: "AKIA", body: isUpperAlnum, least: 16, exact: true},              // AWS
		{head: "ASIA", body: isUpperAlnum, least: 16, exact: true},              // AWS, temporary
		{head: "rk_live_", body: isAlnum, least: 16},                            // Stripe: restricted,
		{head: "rk_test_", body: isAlnum, least: 16},
		{head: "sk_live_", body: isAlnum, least: 16}, // secret
		{head: "sk_test_", body: isAlnum, least: 16},
		{head: "pk_live_", body: isAlnum, least: 16}, // and publishable keys
		{head: "pk_test_", body: isAlnum, least: 16},
		{head: "npm_", body: isAlnum, least: 30},
		{head: "hf_", body: isAlnum, least: 30}, // Hugging Face
	}
}

// find is the finder of the token.
func (k *token) find(t *scan, at int) (span, bool) {
	for {
		from := t.index(k.head, at)
		if from < 0 {
			return span{}, false
		}
		if to, ok := k.match(t, from); ok {
			return span{from, to}, true
		}
		at = from + 1
	}
}

// match is the end of the token whose head stands at from, if it is one.
func (k *token) match(t *scan, from int) (int, bool) {
	if wordBefore(t.s, from) {
		return 0, false
	}
	body, ok := k.start(t.s, from+len(k.head))
	if !ok {
		return 0, false
	}
	end := t.run(body, k.body)
	if k.exact {
		return end, end-body == k.least && !wordAt(t.s, end)
	}
	return end, end-body >= k.least
}

// start is where the body begins, behind the kind and the tail at i.
func (k *token) start(s string, i int) (int, bool) {
	if k.kinds != "" {
		if i == len(s) || strings.IndexByte(k.kinds, s[i]) < 0 {
			return 0, false
		}
		i++
	}
	return i + len(k.tail), strings.HasPrefix(s[i:], k.tail)
}

const (
	webTokenHead = "eyJ" // {" in base64url
	webTokenPart = 8     // characters each part has at least
)

// webToken finds a JSON web token: three runs of base64url with dots between.
func webToken(t *scan, at int) (span, bool) {
	for {
		from := t.index(webTokenHead, at)
		if from < 0 {
			return span{}, false
		}
		if end, ok := t.webTokenEnd(from); ok {
			return span{from, end}, true
		}
		at = from + 1
	}
}

func (t *scan) webTokenEnd(from int) (int, bool) {
	if wordBefore(t.s, from) {
		return 0, false
	}
	part := from + len(webTokenHead)
	end := t.webTokenFirst(part)
	for range 2 {
		if end-part < webTokenPart || end == len(t.s) || t.s[end] != '.' {
			return 0, false
		}
		part = end + 1
		end = t.run(part, isWordDash)
	}
	return end, end-part >= webTokenPart
}

// webTokenFirst is the end of the first part. It stops before a later "-eyJ",
// where the next try starts: otherwise a run of them would be walked over once
// for each.
func (t *scan) webTokenFirst(i int) int {
	from := i
	for i < len(t.s) && isWordDash(t.s[i]) {
		if t.s[i] == '-' && strings.HasPrefix(t.s[i+1:], webTokenHead) {
			break
		}
		i++
	}
	t.looked += i - from + 1
	return i
}
