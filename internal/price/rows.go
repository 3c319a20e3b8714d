package price

import (
	"bytes"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// ParseFor reads of a table that AppendJSON wrote the rows that can be those of
// a model id; all of them for "". An imported table has thousands.
func ParseFor(data []byte, origin Origin, id string) (*Table, error) {
	if id == "" || !bytes.Contains(data, []byte("\n  "+rowStart)) {
		return Parse(data, origin)
	}
	some := []byte(`{"models": [`)
	names := spellings(id, unwrap(id).Name)
	for i, name := range names {
		if !slices.Contains(names[:i], name) {
			some = appendRows(some, data, name)
		}
	}
	return Parse(append(bytes.TrimRight(some, ","), "]}"...), origin)
}

const rowStart = `{"id": `

// appendRows appends the lines of data that are rows and hold name, each once.
func appendRows(some, data []byte, name string) []byte {
	quoted, _ := jsontext.AppendQuote(nil, name)
	for name != "" {
		i := bytes.Index(data, quoted)
		if i < 0 {
			break
		}
		from, to := bytes.LastIndexByte(data[:i], '\n')+1, len(data)
		if n := bytes.IndexByte(data[i:], '\n'); n >= 0 {
			to = i + n
		}
		line := bytes.TrimRight(bytes.TrimSpace(data[from:to]), ",")
		if bytes.HasPrefix(line, []byte(rowStart)) && !bytes.Contains(some, line) {
			some = append(append(some, line...), ',')
		}
		data = data[to:]
	}
	return some
}
