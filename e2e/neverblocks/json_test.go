//go:build unix

package neverblocks

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

func unmarshal(raw []byte, into any) error {
	return json.Unmarshal(raw, into, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}
