package price

import (
	"strings"
	"unicode"
)

// Match finds the row of a model id, or nil. Tried in turn: the id as it is;
// the id without what clouds and harnesses wrap around it (Bedrock's
// us.anthropic.…-v1:0, Vertex AI's …@20260101, a context suffix such as [1m], a
// date); the longest known id it starts with. A newer version or another size
// after a known id (claude-opus-5-6, gpt-5.5-pro) is another model.
func (t *Table) Match(id string) *Model {
	id = strings.TrimSpace(id)
	if m := t.byID(id); m != nil {
		return m
	}
	id = withoutDate(withoutCloudSuffix(withoutContext(withoutCloudPrefix(id))))
	if m := t.byID(id); m != nil {
		return m
	}
	var best *Model
	for i := range t.Models {
		m := &t.Models[i]
		if extends(id, m.ID) && (best == nil || len(m.ID) > len(best.ID)) {
			best = m
		}
	}
	return best
}

func (t *Table) byID(id string) *Model {
	for i := range t.Models {
		if t.Models[i].ID == id {
			return &t.Models[i]
		}
	}
	return nil
}

const separators = "-_.@:"

// extends reports whether id is known plus a suffix that names the same model.
func extends(id, known string) bool {
	rest, ok := strings.CutPrefix(id, known)
	if !ok || rest == "" || !strings.ContainsRune(separators, rune(rest[0])) {
		return false
	}
	word := rest[1:]
	if i := strings.IndexAny(word, separators); i >= 0 {
		word = word[:i]
	}
	switch word {
	case "mini", "nano", "pro", "max", "lite", "turbo": // another size has another price
		return false
	}
	return !allDigits(word)
}

func allDigits(s string) bool {
	for _, r := range s {
		if !unicode.IsDigit(r) {
			return false
		}
	}
	return s != ""
}

func withoutCloudPrefix(id string) string {
	rest := id
	for _, region := range [...]string{"us.", "eu.", "apac.", "jp.", "au.", "global.", "us-gov."} {
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
