package history

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"checkrein/internal/guard"
	"checkrein/internal/harness"
	"checkrein/internal/harness/claudecode"
	"checkrein/internal/harness/codex"
	"checkrein/internal/harness/geminicli"
	"checkrein/internal/harness/pi"
	"checkrein/internal/harness/registry"
	"checkrein/internal/transcript"
	"checkrein/internal/usage"
)

// world is a home folder with sessions and a cache.
type world struct {
	t           *testing.T
	home, cache string
	build       string
}

func newWorld(t *testing.T) *world {
	dir := t.TempDir()
	return &world{t: t, home: filepath.Join(dir, "home"), cache: filepath.Join(dir, "state", "usage.cache"), build: "1"}
}

func (w *world) read() *Result {
	w.t.Helper()
	r, err := Read(context.Background(), Options{
		Archives: registry.Archives(), Getenv: func(string) string { return "" }, Home: w.home, Cache: w.cache, Build: w.build,
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

// outputs are the output tokens of all responses, which name them in these tests.
func (w *world) outputs() string {
	w.t.Helper()
	r := w.read()
	for _, p := range r.Problems {
		w.t.Errorf("problem: %v", p)
	}
	var out []string
	for _, l := range r.Logs {
		for _, part := range [][]usage.Response{l.Responses, l.Open} {
			for i := range part {
				out = append(out, fmt.Sprint(part[i].Usage.Output))
			}
		}
	}
	return strings.Join(out, " ")
}

func (w *world) path(name string) string { return filepath.Join(w.home, filepath.FromSlash(name)) }

func (w *world) write(name, text string) {
	w.t.Helper()
	w.put(name, text, os.O_TRUNC)
}

func (w *world) put(name, text string, how int) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(w.path(name)), 0o755); err != nil {
		w.t.Fatal(err)
	}
	f, err := os.OpenFile(w.path(name), os.O_CREATE|os.O_WRONLY|how, 0o600)
	if err != nil {
		w.t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		w.t.Fatal(err)
	}
}

// say is an assistant record with so many output tokens.
func say(output int) string {
	return fmt.Sprintf(`{"type":"assistant","cwd":"/p","message":{"id":"m%d","model":"claude-opus-5-5","stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":%d}},"requestId":"r%d"}`+"\n", output, output, output)
}

const session = ".claude/projects/-p/s.jsonl"

func TestReadsOnlyWhatIsNew(t *testing.T) {
	w := newWorld(t)
	w.write(session, say(1)+say(2)+say(3))
	if got := w.outputs(); got != "1 2 3" {
		t.Fatalf("first read: %s", got)
	}
	info, err := os.Stat(w.path(session))
	if err != nil {
		t.Fatal(err)
	}
	at := info.ModTime()

	// Other bytes with the same size and time show that the file is not read.
	w.write(session, say(1)+say(2)+say(7))
	chtimes(t, w.path(session), at)
	if got := w.outputs(); got != "1 2 3" {
		t.Errorf("nothing new, yet it was read: %s", got)
	}

	// Where something was added, what was read before is not read again, but the
	// last response is: it may have been written anew.
	w.write(session, say(1)+say(8)+say(9)+say(4))
	if got := w.outputs(); got != "1 8 9 4" {
		t.Errorf("written anew with other bytes before the end: %s", got)
	}
	long := strings.Repeat(say(5), 1)
	w.put(session, long, os.O_APPEND)
	if got := w.outputs(); got != "1 8 9 4 5" {
		t.Errorf("appended: %s", got)
	}
	w.write(session, say(6))
	if got := w.outputs(); got != "6" {
		t.Errorf("replaced by a shorter one: %s", got)
	}
	w.write(session, say(7))
	chtimes(t, w.path(session), at.Add(time.Hour))
	if got := w.outputs(); got != "7" {
		t.Errorf("written anew with the same size: %s", got)
	}
	if err := os.Remove(w.path(session)); err != nil {
		t.Fatal(err)
	}
	if got := w.outputs(); got != "" {
		t.Errorf("gone: %s", got)
	}
}

func chtimes(t *testing.T, path string, at time.Time) {
	t.Helper()
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
}

// TestReadsOnlyTheTail: of a file that grew, the bytes read before are not looked
// at again, but for the last ones, by which it is known.
func TestReadsOnlyTheTail(t *testing.T) {
	w := newWorld(t)
	var filler strings.Builder
	for range 40 {
		filler.WriteString(`{"type":"user","message":{"role":"user","content":"` + strings.Repeat("x", 60) + `"}}` + "\n")
	}
	w.write(session, say(1)+say(2)+filler.String()+say(3))
	if got := w.outputs(); got != "1 2 3" {
		t.Fatal(got)
	}
	w.write(session, say(8)+say(9)+filler.String()+say(3)+say(4))
	if got := w.outputs(); got != "1 2 3 4" {
		t.Errorf("the beginning was read again: %s", got)
	}
	w.write(session, say(8)+say(9)+filler.String()+say(3)+say(5))
	if got := w.outputs(); got != "8 9 3 5" {
		t.Errorf("of the same size, so nothing was added: %s", got)
	}
}

// TestHalfWritten: a line without its end waits, and a response that grows
// counts with what it has at the end.
func TestHalfWritten(t *testing.T) {
	w := newWorld(t)
	w.write(session, say(1)+say(20)[:60])
	if got := w.outputs(); got != "1" {
		t.Errorf("half a line: %s", got)
	}
	w.put(session, say(20)[60:], os.O_APPEND)
	if got := w.outputs(); got != "1 20" {
		t.Errorf("the other half: %s", got)
	}
	more := strings.Replace(say(20), `"output_tokens":20`, `"output_tokens":99`, 1)
	w.put(session, more, os.O_APPEND)
	if got := w.outputs(); got != "1 99" {
		t.Errorf("grown: %s", got)
	}
}

func TestCacheThatCannotBeUsed(t *testing.T) {
	w := newWorld(t)
	w.write(session, say(1))
	w.outputs()
	whole, err := os.ReadFile(w.cache)
	if err != nil {
		t.Fatal(err)
	}
	if info, _ := os.Stat(w.cache); info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	for n := range len(whole) {
		cut := append([]byte{}, whole...)
		cut[n] ^= 0x40
		if entries, err := decode(cut, "1"); err == nil && !reflect.DeepEqual(entries, load(w.cache, "1")) {
			t.Errorf("byte %d changed: read as %v", n, entries)
		}
		if _, err := decode(whole[:n], "1"); err == nil {
			t.Errorf("cut at %d: accepted", n)
		}
	}
	if err := os.WriteFile(w.cache, whole[:len(whole)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	if got := w.outputs(); got != "1" {
		t.Errorf("with half a cache: %s", got)
	}
	info, _ := os.Stat(w.path(session))
	w.write(session, say(2))
	chtimes(t, w.path(session), info.ModTime())
	w.build = "2"
	if got := w.outputs(); got != "2" {
		t.Errorf("another program's cache was used: %s", got)
	}
	left, _ := os.ReadDir(filepath.Dir(w.cache))
	if len(left) != 1 {
		t.Errorf("left beside the cache: %v", left)
	}
}

// TestCacheKeepsAll fills every member, so that one that the cache forgets shows.
func TestCacheKeepsAll(t *testing.T) {
	n := int64(12)
	r := usage.Response{
		ID: guard.NewID("a"), At: 5, Model: "m", Guessed: 6, Told: 0.5,
		Usage: harness.Usage{
			Input: 1, CacheRead: 2, CacheWrite: 3, CacheWrite1h: 4, Output: 7, Reasoning: 8, WebSearches: 9,
			Terms: harness.Terms{Fast: true, Tier: harness.Flex, Regional: true},
		},
	}
	e := &entry{
		harness: "h", path: "p", stamp: stamp{1, 2, 3}, offset: 4, tail: 5, mark: 6,
		resume: harness.Resume{Model: "m", Records: true, Total: &n},
		logs: []*usage.Log{{
			Log:     harness.Log{Path: "p", Session: "s", Project: "q", Agent: "a"},
			Harness: "h", Responses: []usage.Response{r, r}, Open: []usage.Response{r},
		}},
	}
	for _, part := range []any{r, r.Usage, r.Usage.Terms, *e, e.stamp, *e.logs[0], e.logs[0].Log} {
		v := reflect.ValueOf(part)
		for i := range v.NumField() {
			if v.Field(i).IsZero() {
				t.Errorf("%s.%s is not filled: add it here, and to the cache", v.Type(), v.Type().Field(i).Name)
			}
		}
	}
	data, err := encode("b", map[string]*entry{"p": e})
	if err != nil {
		t.Fatal(err)
	}
	got, err := decode(data, "b")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(e, got["p"], cmp.AllowUnexported(entry{}, stamp{})); diff != "" {
		t.Errorf("-kept +read\n%s", diff)
	}
}

// TestOtherHarnessesStay: a question about one harness does not make the next
// one read the others again.
func TestOtherHarnessesStay(t *testing.T) {
	w := newWorld(t)
	w.write(session, say(1))
	w.outputs()
	_, err := Read(context.Background(), Options{
		Archives: []harness.Archive{codex.Archive()}, Getenv: func(string) string { return "" }, Home: w.home, Cache: w.cache, Build: w.build,
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(load(w.cache, w.build)) != 1 {
		t.Error("the other harness's files were forgotten")
	}
}

func TestUnreadableAndStopped(t *testing.T) {
	w := newWorld(t)
	w.write(session, say(1))
	w.write(".codex/sessions/2026/11/30/rollout-x.jsonl.zst", "no zstd")
	r := w.read()
	if len(r.Problems) != 1 || !strings.Contains(r.Problems[0].Error(), "rollout-x") || len(r.Logs) != 1 {
		t.Errorf("problems %v, %d logs", r.Problems, len(r.Logs))
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	w.write(session, say(1)+say(2))
	_, err := Read(ctx, Options{Archives: registry.Archives(), Getenv: func(string) string { return "" }, Home: w.home, Build: w.build})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}

// TestCompressedRollout reads what the plain one says, and only one of both.
func TestCompressedRollout(t *testing.T) {
	plain, err := filepath.Glob("../harness/codex/testdata/rollouts/full/*.jsonl")
	if err != nil || len(plain) != 1 {
		t.Fatal(plain, err)
	}
	text, err := os.ReadFile(plain[0])
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t)
	name := ".codex/sessions/2026/11/30/" + filepath.Base(plain[0])
	w.write(name, string(text))
	want := w.outputs()
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	w.write(name+".zst", string(z.EncodeAll(text, nil)))
	if got := w.outputs(); got != want || want == "" {
		t.Errorf("both there: %s, want %s", got, want)
	}
	if err := os.Remove(w.path(name)); err != nil {
		t.Fatal(err)
	}
	if got := w.outputs(); got != want {
		t.Errorf("compressed: %s, want %s", got, want)
	}
}

// TestCodexRepeats: events written twice count once, also when a read ended
// between them (T20); what a fork repeats of its parent counts in the parent alone
// (T19).
func TestCodexRepeats(t *testing.T) {
	const (
		parent  = "01a22c0e-0a5c-79e1-95d4-4ebf9626975e"
		child   = "01a22c0e-136f-7102-aed9-476289f66dea"
		oldTurn = "01a22c0e-0a95-74f1-ba0b-f8c2a9360100"
		newTurn = "01a22c0e-13a3-7f52-86cb-90b9978122ea"
	)
	line := func(kind, payload string) string {
		return fmt.Sprintf(`{"timestamp":"2026-11-30T10:00:00Z","type":%q,"payload":%s}`, kind, payload) + "\n"
	}
	meta := func(id string) string { return line("session_meta", `{"id":"`+id+`","cwd":"/p"}`) }
	turn := func(id string) string { return line("event_msg", `{"type":"task_started","turn_id":"`+id+`"}`) }
	count := func(total, output int) string {
		return line("event_msg", fmt.Sprintf(`{"type":"token_count","info":{"total_token_usage":{"total_tokens":%d},"last_token_usage":{"output_tokens":%d}}}`, total, output))
	}
	w := newWorld(t)
	const day = ".codex/sessions/2026/11/30/rollout-"
	w.write(day+"a.jsonl", meta(parent)+turn(oldTurn)+count(1, 1)+count(1, 1)+count(3, 2))
	if got := w.outputs(); got != "1 2" {
		t.Errorf("twice: %s", got)
	}
	w.put(day+"a.jsonl", count(3, 2)+count(6, 3), os.O_APPEND)
	if got := w.outputs(); got != "1 2 3" {
		t.Errorf("twice, with a read between: %s", got)
	}
	w.write(day+"b.jsonl", meta(child)+meta(parent)+turn(oldTurn)+count(1, 1)+count(3, 2)+turn(newTurn)+count(7, 4))
	if got := w.outputs(); got != "1 2 3 4" {
		t.Errorf("a fork: %s", got)
	}
}

// TestSkimTellsTheSame: leaving out lines changes no response of the recordings.
func TestSkimTellsTheSame(t *testing.T) {
	files := map[string]harness.Archive{}
	for pattern, a := range map[string]harness.Archive{
		"../harness/claudecode/testdata/transcripts/*/*.jsonl":             claudecode.Archive(),
		"../harness/claudecode/testdata/transcripts/*/*/subagents/*.jsonl": claudecode.Archive(),
		"../harness/codex/testdata/rollouts/*/*.jsonl":                     codex.Archive(),
		"../harness/geminicli/testdata/chats/*/*.jsonl":                    geminicli.Archive(),
		"../harness/pi/testdata/sessions/*/*.jsonl":                        pi.Archive(),
	} {
		found, _ := filepath.Glob(pattern)
		for _, f := range found {
			files[f] = a
		}
	}
	if len(files) < 31 {
		t.Fatalf("%d recordings", len(files))
	}
	for path, a := range files {
		if diff := cmp.Diff(responsesOf(t, path, a, false), responsesOf(t, path, a, true)); diff != "" {
			t.Errorf("%s: -all lines +skimmed\n%s", path, diff)
		}
	}
}

func responsesOf(t *testing.T, path string, a harness.Archive, skim bool) (out []string) {
	t.Helper()
	resume := harness.Resume{}
	if a.Name == harness.Codex {
		var err error
		if resume, err = codex.Prepare(path, 0, &resume); err != nil {
			t.Fatal(err)
		}
	}
	p := pass{archive: a, path: path, log: &usage.Log{}, final: true}
	if skim {
		if err := p.run(); err != nil {
			t.Fatal(err)
		}
	} else {
		r := a.NewReader(p.add, resume)
		end, err := transcript.Tail(path, 0, r.Line)
		if err != nil {
			t.Fatal(err)
		}
		r.Close(end, true)
	}
	for i := range p.found {
		r := &p.found[i]
		out = append(out, fmt.Sprintf("%v %d %s %s %d", r.ID, r.At, r.Model, r.Usage, r.Guessed))
	}
	return out
}
