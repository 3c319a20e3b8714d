package harness

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// EncodeAnswer is the JSON of a hook's answer in one harness's form, nil when it
// says nothing. Texts that are no valid UTF-8 are mended: an answer that is not
// JSON is thrown away.
func EncodeAnswer[Form comparable](answer Form) []byte {
	var nothing Form
	if answer == nothing {
		return nil
	}
	b, err := json.Marshal(answer, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return nil
	}
	return b
}
