package task

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTestModules(t *testing.T) {
	for name, c := range map[string]struct {
		src  string
		want []string
	}{
		"none":        {"fn main() {}", nil},
		"plain":       {"fn f() {}\n#[cfg(test)]\nmod tests { fn g() {} }\n", []string{"#[cfg(test)]\nmod tests { fn g() {} }"}},
		"a file":      {"#[cfg(test)]\nmod tests;\n", []string{"#[cfg(test)]\nmod tests;"}},
		"attributes":  {"#[allow(x)]\n/// Doc.\n#[cfg( test )]\n#[rustfmt::skip]\npub(crate) mod r#type {}", []string{"#[allow(x)]\n/// Doc.\n#[cfg( test )]\n#[rustfmt::skip]\npub(crate) mod r#type {}"}},
		"all":         {"#[cfg(all(test, not(miri)))] mod a {} #[cfg(all(any(test, x), y))] mod b {} #[cfg(all(unix, test))] mod c {}", []string{"#[cfg(all(test, not(miri)))] mod a {}", "#[cfg(all(unix, test))] mod c {}"}},
		"not tests":   {"#[cfg(not(test))] mod a {} #[cfg(feature = \"test\")] mod b {} #[cfg(any(test, x))] mod c {} #[cfg_attr(test, x)] mod d {} #[cfg(testing)] mod e {}", nil},
		"no module":   {"#[cfg(test)] use x::{a, b}; #[cfg(test)] fn f() {} mod m { #[cfg(test)] mod inner {} }", nil},
		"after a use": {"use a::{b, c};\n#[cfg(test)] mod t {}", []string{"#[cfg(test)] mod t {}"}},
		"whole file":  {"#![allow(x)]\n//! Doc.\n#[cfg(test)] mod t {}", []string{"#[cfg(test)] mod t {}"}},
		"an array":    {"const A: [u8; 3] = [1, 2, 3];\nstatic B: S = S { a: '}' };\n#[cfg(test)] mod t {}", []string{"#[cfg(test)] mod t {}"}},
		"what hides": {
			"fn f<'a>(x: &'a str) { let _ = ('{', '\\'', b'}', \"}\\\"\", r#\"\"}\"#, br\"\\\", '\"', 'é'); } // }\n/* { /* } */ */\n#[cfg(test)] mod t { /* } */ fn g() { let _ = \"}\"; } // }\n}\nfn h() {}",
			[]string{"#[cfg(test)] mod t { /* } */ fn g() { let _ = \"}\"; } // }\n}"},
		},
		"in a string":  {"const A: &str = \"#[cfg(test)] mod t {}\"; // #[cfg(test)] mod u {}", nil},
		"a macro":      {"macro_rules! m { () => { #[cfg(test)] mod t {} } }\nm!();\n#[cfg(test)] mod u {}", []string{"#[cfg(test)] mod u {}"}},
		"a loop label": {"fn f() { 'a: loop { break 'a; } }\n#[cfg(test)] mod u {}", []string{"#[cfg(test)] mod u {}"}},
		"cut off":      {"#[cfg(test)] mod t { fn", []string{"#[cfg(test)] mod t { fn"}},
	} {
		var got []string
		for _, m := range testModules(c.src) {
			got = append(got, c.src[m.from:m.to])
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestWithTests(t *testing.T) {
	for name, c := range map[string]struct{ src, tests, want string }{
		"replaced":       {"fn f() {}\n#[cfg(test)] mod t { old }\nfn g() {}\n", "x #[cfg(test)] mod t { new }", "fn f() {}\n#[cfg(test)] mod t { old }\nfn g() {}\n"},
		"appended":       {"fn f() {}", "fn z() {}\n#[cfg(test)] mod t { new }", "fn f() {}\n#[cfg(test)] mod t { new }\n"},
		"gone":           {"fn f() {}\n/// Doc.\n#[cfg(test)] mod t { old }\n\nfn g() {}\n", "fn z() {}", "fn f() {}\nfn g() {}\n"},
		"one of several": {"#[cfg(test)] mod a { 1 }\n#[cfg(test)] mod b { 2 }\n", "#[cfg(test)] mod b { 3 }\n#[cfg(test)] mod c { 4 }", "#[cfg(test)] mod b { 3 }\n\n#[cfg(test)] mod c { 4 }\n"},
		"a trap":         {"fn f() {}\n#[cfg(never)]\n/// Doc.", "#[cfg(test)] mod t {}", "fn f() {}\n\n#[cfg(test)] mod t {}\n"},
		"a trap above":   {"#[cfg(never)] #[cfg(test)] mod t {}", "#[cfg(test)] mod t { new }", "#[cfg(test)] mod t { new }"},
		"a last comment": {"fn f() {} // x", "#[cfg(test)] mod t;", "fn f() {} // x\n#[cfg(test)] mod t;\n"},
	} {
		if name == "replaced" {
			c.tests, c.want = "fn x() {} "+c.tests[2:], strings.Replace(c.want, "old", "new", 1)
		}
		if diff := cmp.Diff(c.want, withTests(c.src, c.tests)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// FuzzWithTests: a file has the other's tests afterwards, and its own source still;
// files whose brackets or literals stay open are no Rust and only must not crash.
func FuzzWithTests(f *testing.F) {
	f.Add("fn f() {}\n#[cfg(test)] mod t {}", "#[cfg(test)] mod t { x }")
	f.Add("'a' 'b r#\"\"# /* /* */ */", "#[cfg(test)] mod t;")
	f.Fuzz(func(t *testing.T, src, tests string) {
		out := withTests(src, tests)
		if !closed(src) || !closed(tests) {
			return
		}
		if got, want := sorted(testsIn(out)), sorted(testsIn(tests)); got != want {
			t.Errorf("tests of %q with those of %q: %q, want %q", src, tests, got, want)
		}
		if again := withTests(out, tests); testsIn(again) != testsIn(out) {
			t.Errorf("%q with the tests of %q twice: %q, then %q", src, tests, out, again)
		}
	})
}

func sorted(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines { // order is that of the file
		for k := i + 1; k < len(lines); k++ {
			if lines[k] < lines[i] {
				lines[i], lines[k] = lines[k], lines[i]
			}
		}
	}
	return strings.Join(lines, "\n")
}

// closed tells whether a file ends outside of everything, by adding a module to it.
func closed(src string) bool {
	found := testModules(src + "\n#[cfg(test)] mod zz {}")
	return len(found) > 0 && found[len(found)-1].name == "zz"
}
