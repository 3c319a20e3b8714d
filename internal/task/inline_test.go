package task

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"checkrein/internal/repo"
	"checkrein/internal/untested"
)

func TestInlineOf(t *testing.T) {
	const tested, more = "fn f() {}\n#[cfg(test)] mod t { 1 }\n", "fn f() {}\n#[cfg(test)] mod t { 2 }\n"
	for name, c := range map[string]struct {
		before, after string
		want          inline
		tells         bool
	}{
		"code only":           {tested, strings.Replace(tested, "{}", "{ 2 }", 1), inline{code: true}, false},
		"tests only":          {tested, more, inline{hidden: []string{"src/a.rs"}}, false},
		"tests and layout":    {tested, "\n  " + more, inline{hidden: []string{"src/a.rs"}}, false},
		"both":                {tested, strings.Replace(more, "{}", "{ 2 }", 1), inline{hidden: []string{"src/a.rs"}, code: true}, true},
		"first tests":         {"fn f() {}", "fn f() { 2 }\n#[cfg(test)] mod t { 1 }", inline{hidden: []string{"src/a.rs"}, code: true}, true},
		"a new file":          {"", tested, inline{fresh: []string{"src/a.rs"}, code: true}, false},
		"a file that is gone": {tested, "", inline{code: true}, false},
	} {
		got := inlineOf([]repo.Edited{{Path: "src/a.rs", Before: c.before, After: c.after}})
		if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(inline{})); diff != "" || got.tells([]string{"src/a.rs"}) != c.tells {
			t.Errorf("%s: tells %v (-want +got):\n%s", name, got.tells([]string{"src/a.rs"}), diff)
		}
	}
	if in := (inline{hidden: []string{"src/a.rs"}}); !in.tells([]string{"src/a.rs", "src/b.c"}) || in.tells([]string{"src/a.rs", "tests/b.c", "x.md"}) {
		t.Error("code in another language")
	}
}

func TestInNewFile(t *testing.T) {
	c := Candidate{NewInline: []string{"crates/x/src/parse/number.rs", "src/util/mod.rs", "src/lib.rs"}}
	for name, want := range map[string]bool{
		"x src/lib.rs::parse::number::tests::one": true, "x src/lib.rs::util::tests::one": true, "x src/lib.rs::tests::one": false,
		"x src/lib.rs::parse::tests::one": false, "x tests/all.rs::one": false, "x src/lib.rs::reparse::number::x": false,
	} {
		if got := c.inNewFile(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestCargoTestsInside mines with the real cargo. Without the change nothing
// compiles, because the new tests name what the change adds.
func TestCargoTestsInside(t *testing.T) {
	if _, err := exec.LookPath("cargo"); err != nil {
		untested.Here(t, "no cargo")
	}
	h := newHistory(t)
	h.git("rm", "-q", "-r", ".")
	lib := func(code, tests string) string {
		return code + "\n#[cfg(test)]\nmod tests {\n    use super::*;\n    #[test]\n    fn keeps() { assert_eq!(keep('{'), \"}\"); }\n" + tests + "}\n"
	}
	const keep = "pub fn keep(_: char) -> &'static str { \"}\" }"
	other := "pub fn other() -> u8 { 1 }\n#[cfg(test)] mod tests { #[test] fn others() { assert_eq!(super::other(), 1); } }\n"
	h.commit("Rust", map[string]string{
		"Cargo.toml": "[package]\nname = \"x\"\nversion = \"0.1.0\"\nedition = \"2021\"\n", ".gitignore": "target\n",
		"src/lib.rs": "pub mod other;\n" + lib(keep, ""), "src/other.rs": other,
	})
	fix := h.commit("Double", map[string]string{
		"src/lib.rs":   "pub mod other;\npub mod fresh;\n" + lib(keep+"\nfn double(n: u8) -> u8 { 2 * n }", "    #[test] fn doubles() { assert_eq!(double(2), 4); }\n"),
		"src/fresh.rs": "#[cfg(test)] mod tests { #[test] fn named_by_nobody() {} }\n",
	})
	doc, err := h.mine(func(o *Options) {
		o.TestCmd, o.Grading, o.Reruns, o.Max = "cargo test --offline", ByTests, 1, 1
		o.Env = append(o.Env, "CARGO_NET_OFFLINE=true")
	})
	if err != nil || len(doc.Tasks) != 1 {
		t.Fatalf("%v, %+v", err, doc)
	}
	got := doc.Tasks[0]
	if diff := cmp.Diff([]string{"src/lib.rs"}, got.HiddenInline); diff != "" || got.Commit != fix || len(got.HiddenTests) != 0 {
		t.Errorf("%+v", got.Candidate)
	}
	if diff := cmp.Diff([]string{"x src/lib.rs::tests::doubles"}, got.Grade.FailToPass); diff != "" {
		t.Errorf("tell (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"x src/lib.rs::other::tests::others", "x src/lib.rs::tests::keeps"}, got.Grade.PassToPass); diff != "" {
		t.Errorf("must go on passing (-want +got):\n%s", diff)
	}
	placeAfterAnAgent(t, h, got.Candidate)
}

// placeAfterAnAgent: whatever an agent wrote into tests inside of source files is
// gone, and its code stays.
func placeAfterAnAgent(t *testing.T, h *history, c Candidate) {
	t.Helper()
	r, err := repo.Open(t.Context(), h.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	ws, err := r.Copy(t.Context(), c.Parent, "")
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Remove()
	edit := func(file, old, fresh string) {
		full := filepath.Join(ws.Dir, file)
		text, _ := os.ReadFile(full)
		if err := os.WriteFile(full, []byte(strings.Replace(string(text), old, fresh, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	edit("src/lib.rs", "fn keeps() {", "fn keeps() { return;")
	edit("src/lib.rs", "pub mod other;", "pub mod other; fn double(n: u8) -> u8 { n + n }")
	edit("src/other.rs", "{ 1 }", "{ 3 }")
	edit("src/other.rs", "super::other()", "1")
	if err := PlaceTests(t.Context(), ws, c, Wide, []string{"src/lib.rs", "src/other.rs", "src/gone.rs"}); err != nil {
		t.Fatal(err)
	}
	texts := texts(ws.Dir, []string{"src/lib.rs", "src/other.rs"})
	for i, want := range [][]string{{"n + n", "doubles()", "fn keeps() { assert"}, {"{ 3 }", "super::other()"}} {
		if slices.ContainsFunc(want, func(w string) bool { return !strings.Contains(texts[i], w) }) || strings.Contains(texts[i], "return;") {
			t.Errorf("after placing: %s", texts[i])
		}
	}
}
