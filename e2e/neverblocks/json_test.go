//go:build unix

package neverblocks

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

func marshal(value any) ([]byte, error) { return json.Marshal(value, jsontext.AllowInvalidUTF8(true)) }

func unmarshal(raw []byte, into any) error {
	return json.Unmarshal(raw, into, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}
