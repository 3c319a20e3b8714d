package grade

import (
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
)

// maxName is where a name is cut. What follows is kept as a hash, so that names
// that differ late stay different.
const maxName = 400

// namer makes names that are the same in every run and every copy.
type namer struct {
	roots []string // folders of this run
	seen  map[string]int
	file  string // of the report, where tests are named by it
}

// name joins the parts of a name.
func (n *namer) name(parts ...string) string {
	var kept []string
	for _, p := range parts {
		if p = n.clean(p); p != "" {
			kept = append(kept, p)
		}
	}
	return bounded(strings.Join(kept, "::"))
}

// clean takes out what differs between runs: where the copy lies, and addresses
// of objects, which parameters without a name of their own show.
func (n *namer) clean(text string) string {
	for _, root := range n.roots {
		text = unrooted(text, root+"/")
	}
	return addresses(strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD")))
}

// unrooted takes a folder out of a text. That of copies behind a wall has a short
// name, which other paths may hold in their middle.
func unrooted(text, root string) string {
	var out strings.Builder
	for {
		at := strings.Index(text, root)
		if at < 0 {
			return out.String() + text
		}
		out.WriteString(text[:at])
		if at > 0 && inPath(text[at-1]) {
			out.WriteString(root)
		}
		text = text[at+len(root):]
	}
}

func inPath(c byte) bool { return wordByte(c) || strings.IndexByte(".-+@~", c) >= 0 }

// nth tells tests apart that a runner gives the same name, by their order.
func (n *namer) nth(name string) string {
	if n.seen == nil {
		n.seen = map[string]int{}
	}
	if len(n.seen) >= maxTests {
		return name
	}
	n.seen[name]++
	if count := n.seen[name]; count > 1 {
		return name + " #" + strconv.Itoa(count)
	}
	return name
}

// addresses writes 0x… for what is long enough to be a place in memory. Go's
// functions and variables lie low, and where a number that short would be a
// value elsewhere, Go's "(func() int)(0x665bc0)" is none.
func addresses(text string) string {
	const shortest, shortestOfGo = 8, 5
	var out strings.Builder
	for {
		at := strings.Index(text, "0x")
		if at < 0 {
			out.WriteString(text)
			return out.String()
		}
		end := at + 2
		for end < len(text) && hexDigit(text[end]) {
			end++
		}
		digits := end - at - 2
		if digits >= shortest || digits >= shortestOfGo && strings.HasSuffix(text[:at], ")(") && strings.HasPrefix(text[end:], ")") {
			out.WriteString(text[:at] + "0x…")
		} else {
			out.WriteString(text[:end])
		}
		text = text[end:]
	}
}

func hexDigit(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func bounded(name string) string {
	if len(name) <= maxName {
		return name
	}
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(name)) // never fails
	return strings.ToValidUTF8(name[:maxName], "") + fmt.Sprintf("…%016x", hash.Sum64())
}
