package state

import (
	"encoding/json"
	"testing"
)

// anyJSON reads JSON the plain way, so that two texts compare by what they say.
func anyJSON(t *testing.T, data []byte) any {
	t.Helper()
	var value any
	if err := json.Unmarshal(data, &value); err != nil {
		t.Fatalf("%v in %s", err, data)
	}
	return value
}
