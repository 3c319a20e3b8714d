package fair

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What runners and compilers print, as they print it or as a report holds it.
// The lines of javac, rustc, kotlinc, csc, swiftc, PHP and Elixir are from their
// manuals.
func TestMissing(t *testing.T) {
	for _, c := range []struct{ said, want string }{
		{"NameError: name '_LazyFile' is not defined", "_LazyFile"},
		{"ImportError: cannot import name '_PagerWriter' from 'click._termui_impl' (/x/click/_termui_impl.py)", "_PagerWriter"},
		{"AttributeError: module 'click.shell_completion' has no attribute 'PowerShellComplete'. Did you mean: 'ShellComplete'?", "PowerShellComplete"},
		{"AttributeError: 'Context' object has no attribute 'invoke_all'", "invoke_all"},
		{`<failure message="AttributeError: type object &#x27;T&#x27; has no attribute &quot;new_one&quot;">`, "new_one"},
		{"AttributeError: <module 'click._compat' from 'x'> does not have the attribute '_get_binary_stream'", "_get_binary_stream"},
		{"TypeError: f() got an unexpected keyword argument 'deep_copy'", "deep_copy"},
		{"ModuleNotFoundError: No module named 'pkg.newer'", "newer"},
		{"./context_test.go:12:3: undefined: readNthLine", "readNthLine"},
		{`{"Action":"build-output","Output":"./x_test.go:1:2: undefined: gin.localhostIP\n"}`, "localhostIP"},
		{"./a_test.go:9:4: c.ClientPort undefined (type *Context has no field or method ClientPort)", "ClientPort"},
		{"./a_test.go:9:4: unknown field MaxDepth in struct literal of type Options", "MaxDepth"},
		{"TypeError: m.readLine is not a function", "readLine"},
		{"TypeError: (0 , _m.sub) is not a function", "sub"},
		{"TypeError: a.b(...).chain is not a function", "chain"},
		{"TypeError: m.Reader is not a constructor", "Reader"},
		{"SyntaxError: The requested module './m.js' does not provide an export named 'parseAll'", "parseAll"},
		{`{"message":"Cannot read properties of undefined (reading 'options')"}`, "options"},
		{"Error: Cannot find module '../lib/new-thing.js'", "new-thing"},
		{"x.ts(3,9): error TS2305: Module '\"./m\"' has no exported member 'mergeAll'.", "mergeAll"},
		{"error TS2339: Property 'depth' does not exist on type 'Node'.", "depth"},
		{"error[E0425]: cannot find function `read_nth` in this scope", "read_nth"},
		{"error[E0422]: cannot find struct, variant or union type `Lines` in this scope", "Lines"},
		{"error[E0599]: no method named `skip_all` found for struct `R`", "skip_all"},
		{"error[E0432]: unresolved import `calc::sub`", "sub"},
		{"NoMethodError: undefined method `empty?' for nil", "empty?"},
		{"NoMethodError: undefined method 'nth_line' for an instance of R", "nth_line"},
		{"NameError: uninitialized constant Rack::Lazy", "Lazy"},
		{"ArgumentError: unknown keyword: :depth", "depth"},
		{"LoadError: cannot load such file -- rack/lazy", "lazy"},
		{"T.java:3: error: cannot find symbol\n    Lib.run();\n  symbol:   method run(int)\n  location: class Lib", "run"},
		{"e: t.kt: (3, 5): Unresolved reference: runAll", "runAll"},
		{"error CS0103: The name 'RunAll' does not exist in the current context", "RunAll"},
		{"error CS1061: 'Lib' does not contain a definition for 'RunAll' and no", "RunAll"},
		{"t.c:3:5: error: implicit declaration of function ‘read_nth’ [-Wimplicit-function-declaration]", "read_nth"},
		{"t.c:(.text+0x9): undefined reference to `read_nth'", "read_nth"},
		{"t.c:3:9: error: ‘LIMIT’ undeclared (first use in this function)", "LIMIT"},
		{"t.cpp:3:5: error: ‘runAll’ was not declared in this scope", "runAll"},
		{"error: cannot find 'runAll' in scope", "runAll"},
		{"PHP Fatal error:  Uncaught Error: Call to undefined method Lib::runAll()", "runAll"},
		{"(UndefinedFunctionError) function Lib.run_all/1 is undefined or private", "run_all"},
		{"\x1b[31mundefined: \x1b[0mreadNth", "readNth"},
	} {
		if got := Missing(c.said); !slices.Equal(got, []string{c.want}) {
			t.Errorf("%s:\ngot %q, want %q", c.said, got, c.want)
		}
	}
	for _, quiet := range []string{"", "ok  \tcalc\t0.1s", "expected 3, got 4", "undefined: \n", "undefined: 3", "has no attribute ''"} {
		if got := Missing(quiet); len(got) > 0 {
			t.Errorf("%q: %q", quiet, got)
		}
	}
}

// Whatever a run prints, the search stays bounded, and a name is a name.
func FuzzMissing(f *testing.F) {
	for _, say := range append(complaints(), said()...) {
		f.Add("x" + say + "'abc'")
		f.Add("abc" + strings.TrimPrefix(say, before))
	}
	f.Add(`\u00`)
	f.Add("&#x10ffff;&#99999999999;\x1b[")
	f.Fuzz(func(t *testing.T, text string) {
		for _, name := range Missing(text) {
			if !identifier(name) || len(name) > maxName || strings.ContainsAny(name, "\n \x1b`'\"") {
				t.Errorf("%q", name)
			}
		}
	})
}

func TestHiddenNames(t *testing.T) {
	c := Change{
		Prompt: "Read lines\n\nwith `known` in it",
		Gold: []File{
			{Path: "a.go", Added: []string{"\tx := readNthLine(f, 3)", "func Known() {}", "type walker struct{}"}},
			{Path: "b.go", Added: []string{"func readNthLine(f string, n int) string {", "func (w *walker) next() {"}},
			{Path: "lib/newer/__init__.py", New: true},
			{Path: "old.py"},
		},
		Tests: []File{{Path: "a_test.go", Added: []string{"readNthLine(x); w := walker{}; w.next(); helper()", "func helper() {}"}}},
	}
	want := []Name{{"readNthLine", "b.go"}, {"newer", "lib/newer/__init__.py"}}
	if diff := cmp.Diff(want, c.Unsaid([]string{"Known", "readNthLine", "newer", "old", "absent", "helper", "NthLine"})); diff != "" {
		t.Errorf("unsaid (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"next", "readNthLine", "walker"}, c.Shared()); diff != "" {
		t.Errorf("shared (-want +got):\n%s", diff)
	}
}

// A test that fails before it comes to a new name complains of something else,
// or of a module that the prompt gives. The name was called given, and the task
// "good".
func TestNamesThatNoRunComesTo(t *testing.T) {
	for _, c := range []struct {
		gold, test string
		want       []string
	}{
		{"def is_blank(self):", "assert not Document('').is_blank()", []string{"is_blank"}},
		{"  drainAll () { return this.items }", "assert.deepStrictEqual(q.drainAll(), [1])", []string{"drainAll"}},
		{"  drainAll(n) {", "q.drainAll(2)", []string{"drainAll"}},
		{"export const drainAll = (q) => q", "drainAll(q)", []string{"drainAll"}},
		{"class TooDeep(Exception):", "with raises(errors.TooDeep):", []string{"TooDeep"}},
		{"  def nth_line(n)", "expect(r.nth_line(3)).to eq 1", []string{"nth_line"}},
		{"  class Lazy", "Rack::Lazy.new", []string{"Lazy"}},
		{"exports.subtract = subtract", "m.subtract(1)", []string{"subtract"}},
		{"pub const LIMIT: u8 = 3;", "assert_eq!(calc::LIMIT, 3)", []string{"LIMIT"}},

		{"def is_blank(self):", "# is_blank() comes later", nil},
		{"def is_blank(self):", "say('is_blank()')", nil},
		{"def is_blank(self):", "def is_blank(x): return not_blank(x)", nil},
		{"def is_blank(self):", "make(is_blank=3)", nil},
		{"    lines = read()", "out.lines(3)", nil},
		{"const lines = read()", "out.lines(3)", nil},
		{"self.lines = read()", "out.lines(3)", nil},
		{"describe(function () {", "describe('x')", nil},
		{"if (ready(x)) {", "ready(x)", nil},
		{"def run_all(self):", "rerun_all(x)", nil},
	} {
		change := Change{Gold: []File{{Path: "a", Added: []string{c.gold}}}, Tests: []File{{Path: "t", Added: []string{c.test}}}}
		if diff := cmp.Diff(c.want, change.Needed()); diff != "" {
			t.Errorf("%s / %s (-want +got):\n%s", c.gold, c.test, diff)
		}
	}
}

func TestWhatAPromptSays(t *testing.T) {
	for _, c := range []struct {
		prompt, name string
		want         bool
	}{
		{"Add a --dry-run flag", "dry_run", true},
		{"Add a --dry-run flag", "dryRun", true},
		{"Support NO_COLOR", "no_color", true},
		{"add read_file", "readFile", true},
		{"Run dry", "dry_run", false},
		{"Count each word", "word_count", false},
		{"--", "x", false},
		{"", "_", false},
	} {
		if got := Says(c.prompt, c.name); got != c.want {
			t.Errorf("%q gives %q: %v", c.prompt, c.name, got)
		}
	}
}

func TestDefines(t *testing.T) {
	for _, c := range []struct {
		line string
		want bool
	}{
		{"def run(self):", true},
		{"async def run(self):", true},
		{"class run(Base):", true},
		{"func run() {", true},
		{"func (r *T) run() {", true},
		{"export const run = () => 1", true},
		{"exports.run = run", true},
		{"pub fn run<T>() {", true},
		{"run = 3", true},
		{"run := 3", true},
		{"return run()", false},
		{"if run == 3 {", false},
		{"run == 3", false},
		{"x.run = 3", false},
		{"def runner():", false},
	} {
		if got := defines("\t"+c.line, "run"); got != c.want {
			t.Errorf("%q: %v", c.line, got)
		}
	}
}

func TestPrompts(t *testing.T) {
	files := []string{"src/formatting.py", "go.mod"}
	for _, c := range []struct {
		subject, body string
		want          Prompt
	}{
		{"fix typo", "", Prompt{Tier: Terse, Words: 2}},
		{"Fix bug (#123)", "", Prompt{Tier: Terse, Words: 2, Issue: true}},
		{"Add Sub", "Closes ABC-12", Prompt{Tier: Terse, Words: 3, Body: true, Issue: true}},
		{"Keep the order of options in help output of groups", "", Prompt{Tier: Brief, Words: 10}},
		{"fix(context): ClientIP trusts too much", "", Prompt{Tier: Brief, Words: 5, Names: true}},
		{"wrap lines in formatting right", "", Prompt{Tier: Brief, Words: 5, Names: true}},
		{"honor `--no-color` and NO_COLOR everywhere", "", Prompt{Tier: Brief, Words: 5, Names: true}},
		{"Wrap", strings.Repeat("word ", 20), Prompt{Tier: Detailed, Words: 21, Body: true}},
		{"UTF-8 is not an issue, is it", "", Prompt{Tier: Terse, Words: 7}},
	} {
		if diff := cmp.Diff(c.want, ReadPrompt(c.subject, c.body, files)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.subject, diff)
		}
	}
}

func TestBrittleTests(t *testing.T) {
	long := strings.Repeat("x", 40)
	for _, c := range []struct {
		line string
		want Brittle
	}{
		{`assert str(e.value) == "no such option: --x"` + "  # error", Brittle{Messages: 1}},
		{`if err.Error() != "line 3 is not there" {`, Brittle{Messages: 1}},
		{`expect(() => f()).toThrow("nothing to be read here")`, Brittle{Messages: 1}},
		{`assert out == "` + long + `"`, Brittle{Strings: 1}},
		{`out = "` + long + `"`, Brittle{}},
		{`assert out == "short"`, Brittle{}},
		{`// assert out == "` + long + `"`, Brittle{}},
		{`expect(x).toMatchSnapshot()`, Brittle{Snapshots: 1}},
		{`time.Sleep(time.Second)`, Brittle{Timing: 1}},
		{`say("time.Sleep(1) is a word here")`, Brittle{}},
		{`assert f(3) == 0.1`, Brittle{Floats: 1}},
		{`assert f(3) == 0.5`, Brittle{}},
		{`assert f(3) == pytest.approx(0.1)`, Brittle{}},
		{`assert.Equal(t, "1.23", version)`, Brittle{}},
		{`x = 0.1`, Brittle{}},
	} {
		if diff := cmp.Diff(c.want, ReadTests([]File{{Path: "t", Added: []string{c.line}}})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.line, diff)
		}
	}
	if got := ReadTests([]File{{Path: "__snapshots__/a.snap", Added: []string{"x"}}}); got.Snapshots != 1 {
		t.Errorf("a file of snapshots: %+v", got)
	}
}

func TestScores(t *testing.T) {
	brief, names := Prompt{Tier: Brief, Words: 9}, []Name{{"readNth", "a.go"}, {"next", "b.go"}}
	for _, c := range []struct {
		score   Score
		word    string
		reasons string
	}{
		{Score{Prompt: brief}, Good, ""},
		{Score{Prompt: brief, NoResults: true}, Good, "hidden tests don't even start before the change"},
		{Score{Prompt: Prompt{Tier: Terse, Words: 2}}, Doubtful, "the prompt is terse: 2 words"},
		{Score{Prompt: brief, Lines: 301, Files: 2}, Doubtful, "the change is huge: 301 lines in 2 files"},
		{Score{Prompt: brief, Files: 13}, Doubtful, "the change is huge: 0 lines in 13 files"},
		{Score{Prompt: brief, Brittle: Brittle{Timing: 1}}, Good, "the tests depend on time (1)"},
		{Score{Prompt: brief, Brittle: Brittle{Messages: 3, Strings: 3}}, Doubtful, "the tests compare exact error messages (3); the tests compare long strings (3)"},
		{Score{Prompt: Prompt{Tier: Terse}, Lines: 999}, Poor, "the prompt is terse: 0 words; the change is huge: 999 lines in 0 files"},
		{Score{Prompt: brief, Names: names}, Poor, "the tests use names that nothing gives: readNth, next"},
		{Score{Prompt: brief, Names: names, Hinted: true}, Good, "the prompt names what the tests use: readNth, next"},
	} {
		got := c.score.Judged()
		if got.Word != c.word || strings.Join(got.Reasons, "; ") != c.reasons {
			t.Errorf("%+v:\n%s: %q", c.score, got.Word, got.Reasons)
		}
	}
}
