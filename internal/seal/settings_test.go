package seal

import (
	"strings"
	"testing"
)

func TestWithoutLogins(t *testing.T) {
	for text, want := range map[string]string{
		"[source.crates-io]\nreplace-with = \"mirror\"\n[registries.mine]\ntoken = \"x\"\n": "[source.crates-io]\nreplace-with = \"mirror\"\n[registries.mine]\n",
		"GOFLAGS=-mod=mod\nGOPROXY=https://me:key@proxy/x\n":                                "GOFLAGS=-mod=mod\n",
		"GOPROXY=https://proxy/@v\n":                                                        "GOPROXY=https://proxy/@v\n",
		"BUNDLE_PATH: \"~/gems\"\nBUNDLE_GEMS__EXAMPLE: \"me:x\"\n":                         "BUNDLE_PATH: \"~/gems\"\n",
		"<s><mirrors/><servers>\n<server><id>a</id></server></servers></s>":                 "<s><mirrors/></s>",
		"<s>\n<proxy>\n<username>me</username>\n<password>x</password>\n</proxy>\n</s>":     "<s>\n<proxy>\n</proxy>\n</s>",
		"<servers>": "<servers>",
		"a\nb":      "a\nb",
	} {
		if got := withoutLogins(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if strings.Contains(withoutLogins("<servers>x</servers><servers>y</servers>"), "y") {
		t.Error("the second list of servers is left")
	}
}
