package codex

import "testing"

// TestTrustHash: the hash of an entry as written down from Codex's own rule, the
// compact JSON with sorted keys (sha256sum of that text).
func TestTrustHash(t *testing.T) {
	got, err := TrustHash("PreToolUse", "a && b || true", 10)
	const want = "sha256:e0d6552a06ba5d40b21bf142c6b2ec7a0a7ec3d3c5a442681caab74e0bc045f8"
	if err != nil || got != want {
		t.Errorf("TrustHash = %q, %v; want %q", got, err, want)
	}
}

func TestTrusted(t *testing.T) {
	const key = `/h/.codex/hooks.json:pre_tool_use:0:0`
	if got := TrustKey("/h/.codex/hooks.json", "PreToolUse", 0, 0); got != key {
		t.Fatalf("TrustKey = %q", got)
	}
	for config, want := range map[string]string{
		"": "",
		"[hooks.state.\"" + key + "\"]\ntrusted_hash = \"sha256:1\"\n":                      "sha256:1",
		"[hooks.state.'" + key + "']\nenabled = true\ntrusted_hash='sha256:2'\n":            "sha256:2",
		"[hooks.state]\n\"" + key + "\" = { trusted_hash = \"sha256:3\" }\n":                "sha256:3",
		"[hooks.state.\"" + key + "\"]\n[hooks.state.\"x\"]\ntrusted_hash = \"sha256:4\"\n": "",
		"[hooks.state.\"" + key + "0\"]\ntrusted_hash = \"sha256:5\"\n":                     "",
		"[hooks.state.\"" + key + "\"]\ntrusted_hash = 6\n":                                 "",
		"[hooks.state.\"" + key + "\"]\ntrusted_hash = \"sha256:7":                          "sha256:7",
	} {
		if got := Trusted([]byte(config), key); got != want {
			t.Errorf("in %q: %q, want %q", config, got, want)
		}
	}
}
