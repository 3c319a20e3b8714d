// Package redact makes untrusted text safe to show: a commit, a transcript, a
// tool's name or input, a model's answer. It masks keys, tokens, passwords and
// private keys, and turns what is left into one inert line.
//
// It holds no state, reads and writes nothing, and costs time in proportion to
// the text, also when the text is built to be slow: a hook cleans every tool
// call, and an input can be a megabyte. It never promises to know every secret;
// what has no known prefix, no telling name beside it and fewer than 40
// characters passes.
package redact

import "strings"

// masked stands where a secret stood. Its brackets belong to no key's
// characters, so a mask never becomes part of a longer key.
const masked = "[REDACTED]"

// Secrets masks the secrets in text, of any length and with its line breaks,
// with [REDACTED]. The answer is valid UTF-8 in NFKC form without characters
// that draw nothing, so a key name in fullwidth letters, or one with a
// zero-width space inside, is masked like the plain one.
func Secrets(text string) string {
	t := scan{s: plain(text)}
	t.redact()
	return t.s
}

// redact masks in an order that matters: what gives itself away by how it starts
// is masked whole, whatever flag or name stands before it, and what is only long
// comes last.
func (t *scan) redact() {
	t.maskTokens()
	t.maskCredentials()
	t.mask(longRun)
}

// maskTokens masks what gives itself away by how it starts.
func (t *scan) maskTokens() {
	t.mask(privateKey)
	for _, k := range tokens() {
		t.mask(k.find)
	}
	t.mask(webToken)
}

// maskCredentials masks what is a secret because of the words before it, and
// keeps those words. Each rule costs a search for a literal where it has no work.
func (t *scan) maskCredentials() {
	t.mask(sshpass)
	if strings.Contains(t.s, "-p") || strings.Contains(t.s, "-P") {
		t.mask(mysqlPassword)
	}
	t.mask(userFlag)
	t.mask(passFlag)
	t.mask(authorization)
	t.mask(urlPassword)
	if strings.ContainsAny(t.s, ":=") {
		t.mask(namedSecret)
	}
}
