//go:build unix

package neverblocks

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// row is one thing that can go wrong.
type row struct {
	name    string
	prepare func(t *testing.T, w *world)
	check   func(t *testing.T, w *world) // afterwards; nil: nothing more
	shell   bool                         // only the shell around the binary saves the call
	heavy   bool                         // once is enough
}

// T26: whatever happens to our program or its files, the call goes through.
func TestNeverBlocks(t *testing.T) {
	for _, g := range []struct {
		name      string
		rows      []row
		harnesses []string
	}{
		{"binary", binaryRows(), []string{"claude-code"}},
		{"stdin", stdinRows(), []string{"claude-code", "codex"}},
		{"state", stateRows(), []string{"claude-code"}},
		{"transcript", transcriptRows(), []string{"claude-code", "codex"}},
		{"place", placeRows(), []string{"codex"}},
		{"process", processRows(), []string{"claude-code"}},
		{"system", systemRows(), []string{"claude-code"}},
	} {
		for _, r := range g.rows {
			t.Run(g.name+"/"+r.name, func(t *testing.T) { r.test(t, g.harnesses) })
		}
	}
}

func (r row) test(t *testing.T, harnesses []string) {
	if r.heavy {
		r.play(t, harnesses[0], (*world).installed)
		return
	}
	for _, harness := range harnesses {
		t.Run(harness, func(t *testing.T) {
			t.Parallel()
			r.play(t, harness, (*world).installed)
		})
	}
	if !r.shell {
		t.Run("alone", func(t *testing.T) {
			t.Parallel()
			r.play(t, harnesses[0], (*world).alone)
		})
	}
}

func (r row) play(t *testing.T, harness string, run func(*world, *testing.T) outcome) {
	w := newWorld(t, harness)
	r.prepare(t, w)
	run(w, t).mustPass(t)
	if r.check != nil {
		r.check(t, w)
	}
}

// TestTheTestSeesBlocks: what these tests call blocked is what they would see.
func TestTheTestSeesBlocks(t *testing.T) {
	for _, harness := range []string{"claude-code", "codex"} {
		w := newWorld(t, harness)
		for n := range 3 {
			w.input["tool_use_id"] = fmt.Sprint("toolu_", n)
			o := w.installed(t)
			if blocked := o.blocks() != ""; blocked != (n == 2) {
				t.Errorf("%s, identical call %d: %q, stderr %q", harness, n+1, o.stdout, o.stderr)
			}
		}
		w.mustSave(t)
	}
	w := newWorld(t, "claude-code")
	w.binary, w.env["CHECKREIN_SABOTAGE"] = kit.sabotaged, "goroutine"
	if o := w.alone(t); o.code != 2 {
		t.Errorf("a panic in a goroutine ends with %d: %s", o.code, o.stderr)
	}
}

func copyBinary(t *testing.T, w *world, mode os.FileMode, size int) {
	t.Helper()
	data, err := os.ReadFile(w.binary)
	must(t, err)
	w.binary = filepath.Join(w.root, "checkrein")
	must(t, os.WriteFile(w.binary, data[:min(size, len(data))], mode))
}

func sabotaged(how string, shell bool) row {
	return row{name: "sabotaged: " + how, shell: shell, prepare: func(_ *testing.T, w *world) {
		w.binary, w.env["CHECKREIN_SABOTAGE"] = kit.sabotaged, how
	}}
}

func binaryRows() []row {
	const whole = 1 << 30
	return []row{
		{name: "deleted", shell: true, prepare: func(_ *testing.T, w *world) { w.binary = filepath.Join(w.root, "gone") }},
		{name: "not executable", shell: true, prepare: func(t *testing.T, w *world) { copyBinary(t, w, 0o644, whole) }},
		{name: "cut short by an upgrade", shell: true, prepare: func(t *testing.T, w *world) { copyBinary(t, w, 0o755, 100_000) }},
		{name: "empty", shell: true, prepare: func(t *testing.T, w *world) { copyBinary(t, w, 0o755, 0) }},
		{name: "a folder", shell: true, prepare: func(_ *testing.T, w *world) { w.binary = w.root }},
		{name: "a link to nothing", shell: true, prepare: func(t *testing.T, w *world) {
			w.binary = filepath.Join(w.root, "link")
			must(t, os.Symlink(filepath.Join(w.root, "gone"), w.binary))
		}},
		{name: "another program", shell: true, prepare: func(t *testing.T, w *world) {
			w.binary = filepath.Join(w.root, "other")
			must(t, os.WriteFile(w.binary, []byte("#!/bin/sh\nexit 2\n"), 0o755))
		}},
		{
			name:    "panics in main",
			prepare: sabotaged("panic", false).prepare,
			check: func(t *testing.T, w *world) {
				log, _ := os.ReadFile(filepath.Join(w.state, "errors.log"))
				if !strings.Contains(string(log), "sabotage_panic.go") || !strings.Contains(string(log), "on purpose") {
					t.Errorf("the error log says %q", log)
				}
			},
		},
		sabotaged("goroutine", true),
		sabotaged("overflow", true),
		sabotaged("map", true),
		sabotaged("exit", true),
		sabotaged("kill", true),
	}
}

func text(s string) func() io.Reader { return func() io.Reader { return strings.NewReader(s) } }

// endless repeats a piece up to size bytes, between a head and a tail.
func endless(head, piece, tail string, size int64) func() io.Reader {
	return func() io.Reader {
		body := io.LimitReader(repeat(strings.Repeat(piece, 4096)), size)
		return io.MultiReader(strings.NewReader(head), body, strings.NewReader(tail))
	}
}

type repeat string

// Read may cut a piece: all pieces here are of one character.
func (r repeat) Read(b []byte) (int, error) { return copy(b, r), nil }

func stdinRows() []row {
	gives := func(name string, in func() io.Reader) row {
		return row{name: name, prepare: func(_ *testing.T, w *world) { w.stdin = in }}
	}
	toolInput := func(name, value string) row {
		return row{name: name, prepare: func(_ *testing.T, w *world) {
			w.stdin = func() io.Reader {
				return bytes.NewReader(bytes.Replace(w.call(), []byte(`{"command":"ls"}`), []byte(value), 1))
			}
		}, check: func(t *testing.T, w *world) { w.mustSave(t) }}
	}
	const head, tail = `{"hook_event_name":"PreToolUse","session_id":"sess-1","tool_name":"Bash","tool_input":{"command":"`, `"}}`
	rows := []row{
		gives("empty", text("")),
		gives("blank", text(" \n\t ")),
		gives("not JSON", text("hello")),
		gives("HTML", text("<html>")),
		gives("null", text("null")),
		gives("a number", text("42")),
		gives("a list", text(`[{"hook_event_name":"PreToolUse"}]`)),
		gives("an empty object", text("{}")),
		gives("closed early", text(head)),
		gives("two objects", text(`{"hook_event_name":"PreToolUse","session_id":"sess-1"}{}`)),
		gives("NUL bytes", text("\x00\x00\x00")),
		gives("not UTF-8", text(head+"\xff\xfe\x80"+tail)),
		gives("every member of another type", text(`{"hook_event_name":1,"session_id":[],"transcript_path":{},"cwd":0,"tool_name":null,"tool_use_id":true}`)),
		gives("most members of another type", text(`{"hook_event_name":"PreToolUse","session_id":"sess-1","transcript_path":{},"cwd":0,"tool_name":null,`+
			`"tool_input":7,"tool_use_id":true,"prompt_id":[1],"agent_id":{"a":1},"model":2.5,"turn_id":false}`)),
		gives("an unknown event", text(`{"hook_event_name":"NextYearsEvent","session_id":"sess-1"}`)),
		gives("a million brackets", endless("", "[", "", 1_000_000)),
		toolInput("deeply nested", strings.Repeat(`{"b":1,"a":`, 9000)+"1"+strings.Repeat("}", 9000)),
		toolInput("a long list", "["+strings.Repeat("1,", 100_000)+"1]"),
		toolInput("numbers out of range", `[1e999,-1e999,1e-999,123456789012345678901234567890]`),
		toolInput("half a character", `{"command":"\ud800","\udc00":1}`),
		toolInput("many keys of the same name", `{"a":1`+strings.Repeat(`,"a":1`, 5000)+`}`),
		{name: "closed", prepare: func(_ *testing.T, w *world) { w.before = "exec 0<&-; " }},
		{name: "a folder", prepare: func(_ *testing.T, w *world) { w.before = "exec 0</; " }},
	}
	heavy := []row{
		gives("100 MB of one command", endless(head, "a", tail, 100<<20)),
		gives("100 MB that are not JSON", endless("", "x", "", 100<<20)),
		gives("100 MB of brackets", endless("", "[", "", 100<<20)),
		gives("30 MB of one command", endless(head, "a", tail, 30<<20)),
	}
	for _, r := range heavy {
		r.heavy = true
		rows = append(rows, r)
	}
	return rows
}

const (
	goodState  = `{"version":2,"session_id":"sess-1","harness":"claude-code","created":"2026-11-30T12:00:00Z","created_ts":1796040000.5,"updated":"2026-11-30T12:00:00Z","files":{},"cost_usd":1.5,"baseline_usd":0,"estimated_usd":0,"estimated_tokens":0,"estimated_models":[],"estimate_noted":false,"warned_cap":null,"streaks":{},"agents":{},"denied_ids":[],"trips":[],"counts":{"loop":0,"failures":0,"spend":0,"warning":0},"limits":{}}`
	newerState = `{"version": 3, "session_id": "sess-1", "cost": {"usd": 12},  "agents": []}`
)

func stateRows() []row {
	counted := func(t *testing.T, w *world) { w.mustSave(t) }
	holds := func(name, content string) row {
		return row{name: name, check: counted, prepare: func(t *testing.T, w *world) {
			must(t, os.WriteFile(w.file(t, "sess-1.json"), []byte(content), 0o600))
		}}
	}
	untouched := func(name, content string) row {
		r := holds(name, content)
		r.check = func(t *testing.T, w *world) {
			if got, err := os.ReadFile(filepath.Join(w.state, "sess-1.json")); err != nil || string(got) != content {
				t.Errorf("a newer release's file became %q (%v)", got, err)
			}
		}
		return r
	}
	makes := func(name string, make func(path string) error, file string) row {
		return row{name: name, prepare: func(t *testing.T, w *world) { must(t, make(w.file(t, file))) }}
	}
	fifo := func(path string) error { return syscall.Mkfifo(path, 0o600) }
	dir := func(path string) error { return os.Mkdir(path, 0o700) }
	loop := func(path string) error { return os.Symlink(path, path) }
	future := strings.NewReplacer("2026", "2099", "1796040000.5", "4099680000.5").Replace(goodState)
	return []row{
		{name: "folder missing", check: counted, prepare: func(t *testing.T, w *world) { must(t, os.RemoveAll(filepath.Join(w.root, "xdg"))) }},
		{name: "folder is a file", prepare: func(t *testing.T, w *world) { write(t, w.state, "") }},
		{name: "folder's parent is a file", prepare: func(t *testing.T, w *world) { w.env["XDG_STATE_HOME"] = w.transcript }},
		{name: "folder is a link to nothing", prepare: func(t *testing.T, w *world) { must(t, os.Symlink(w.root+"/gone", w.state)) }},
		{name: "folder is a link in a circle", prepare: func(t *testing.T, w *world) { must(t, loop(w.state)) }},
		holds("empty", ""),
		holds("corrupt", "\x00\x01garbage{{{"),
		holds("truncated", goodState[:len(goodState)/2]),
		holds("a list", "[]"),
		holds("null", "null"),
		holds("an older version", `{"version":1,"session_id":"sess-1"}`),
		holds("no version", `{"session_id":"sess-1"}`),
		holds("members of other types", `{"version":2,"session_id":7,"files":[],"agents":3,"counts":"x","trips":{}}`),
		holds("nulls", `{"version":2,"session_id":null,"files":{"a":null},"agents":null,"counts":null,"trips":null,"judged":null}`),
		holds("another session's", strings.Replace(goodState, "sess-1", "../../other", 1)),
		holds("absurd numbers", strings.Replace(goodState, `"cost_usd":1.5`, `"cost_usd":-1e308`, 1)),
		holds("dated in the future", future),
		{name: "file time in the future", check: counted, prepare: func(t *testing.T, w *world) {
			path := w.file(t, "sess-1.json")
			write(t, path, future)
			must(t, os.Chtimes(path, time.Now().AddDate(50, 0, 0), time.Now().AddDate(50, 0, 0)))
		}},
		untouched("of a newer version", newerState),
		untouched("of a newer version, cut short", newerState[:40]),
		{name: "absurdly large", check: counted, prepare: func(t *testing.T, w *world) {
			write(t, w.file(t, "sess-1.json"), goodState)
			must(t, os.Truncate(w.file(t, "sess-1.json"), 1<<30))
		}},
		makes("state is a FIFO", fifo, "sess-1.json"),
		makes("state is a folder", dir, "sess-1.json"),
		makes("state is a link in a circle", loop, "sess-1.json"),
		makes("spare is a FIFO", fifo, "sess-1.json.tmp"),
		makes("spare is a folder", dir, "sess-1.json.tmp"),
		makes("lock is a FIFO", fifo, "sess-1.lock"),
		makes("lock is a folder", dir, "sess-1.lock"),
		makes("lock is a link in a circle", loop, "sess-1.lock"),
		makes("shared list is a FIFO", fifo, "counted-ids.bin"),
		makes("shared list is a folder", dir, "counted-ids.bin"),
		makes("shared list's lock is a folder", dir, "counted-ids.bin.lock"),
		makes("settings are a FIFO", fifo, "runaway-guard.json"),
		makes("settings are a folder", dir, "runaway-guard.json"),
		makes("error log is a FIFO", fifo, "errors.log"),
		makes("settings are garbage", func(path string) error { return os.WriteFile(path, []byte("{{"), 0o600) }, "runaway-guard.json"),
		{name: "settings of odd types", check: counted, prepare: func(t *testing.T, w *world) {
			write(t, w.file(t, "runaway-guard.json"), `{"spend_cap_usd":[],"warn_at":"x","loop_repeats":1e400,"failure_streak":null}`)
			write(t, filepath.Join(w.root, "cwd/.claude/runaway-guard.json"), `{"spend_cap_usd":-1,"loop_repeats":1,"warn_at":{}}`)
		}},
		{name: "the project's settings are a FIFO", check: counted, prepare: func(t *testing.T, w *world) {
			must(t, os.Mkdir(filepath.Join(w.root, "cwd/.claude"), 0o755))
			must(t, fifo(filepath.Join(w.root, "cwd/.claude/runaway-guard.json")))
		}},
		{name: "torn shared list", check: counted, prepare: func(t *testing.T, w *world) {
			write(t, w.file(t, "counted-ids.bin"), strings.Repeat("x", 16*10+7))
		}},
	}
}

func transcriptRows() []row {
	is := func(name string, value any) row {
		return row{name: name, check: func(t *testing.T, w *world) { w.mustSave(t) }, prepare: func(_ *testing.T, w *world) { w.input["transcript_path"] = value }}
	}
	holds := func(name, content string) row {
		return row{name: name, check: func(t *testing.T, w *world) { w.mustSave(t) }, prepare: func(t *testing.T, w *world) { write(t, w.transcript, content) }}
	}
	at := func(name string, make func(w *world, path string) error) row {
		return row{name: name, check: func(t *testing.T, w *world) { w.mustSave(t) }, prepare: func(t *testing.T, w *world) {
			must(t, os.Remove(w.transcript))
			must(t, make(w, w.transcript))
		}}
	}
	rows := []row{
		at("missing", func(*world, string) error { return nil }),
		at("a folder", func(_ *world, path string) error { return os.Mkdir(path, 0o700) }),
		at("a FIFO", func(_ *world, path string) error { return syscall.Mkfifo(path, 0o600) }),
		at("a link to nothing", func(w *world, path string) error { return os.Symlink(w.root+"/gone", path) }),
		at("a link in a circle", func(_ *world, path string) error { return os.Symlink(path, path) }),
		at("a link to a device", func(_ *world, path string) error { return os.Symlink("/dev/zero", path) }),
		is("an endless device", "/dev/zero"),
		is("a terminal", "/dev/tty"),
		is("the null device", "/dev/null"),
		is("a path with a NUL", "/tmp/\x00x"),
		is("an absurdly long path", "/"+strings.Repeat("x/", 5000)),
		is("a relative path", "../../../x.jsonl"),
		is("the root", "/"),
		is("null", nil),
		is("a number", 7),
		holds("garbage", "\x00\xff{{{\n\n\n]]]\n"),
		holds("lines of other types", "1\nnull\n[]\n\"x\"\n{}\n{\"type\":1,\"message\":2}\n{\"type\":\"assistant\",\"message\":{\"usage\":[],\"id\":{}}}\n"),
		holds("half a line", `{"type":"assistant","message":{"id":"msg_1","usa`),
		holds("a deeply nested line", strings.Repeat("[", 200_000)+"\n"),
		holds("absurd usage", `{"type":"assistant","message":{"id":"msg_1","model":"claude-opus-5-5","usage":{"input_tokens":-5,"output_tokens":1e400,"cache_read_input_tokens":"x"}}}`+"\n{\"type\":\"user\"}\n"),
		{name: "subagents are odd", check: func(t *testing.T, w *world) { w.mustSave(t) }, prepare: func(t *testing.T, w *world) {
			sub := strings.TrimSuffix(w.transcript, ".jsonl") + "/subagents"
			must(t, os.MkdirAll(sub+"/agent-d.jsonl", 0o755))
			must(t, syscall.Mkfifo(sub+"/agent-f.jsonl", 0o600))
			must(t, os.Symlink("/dev/zero", sub+"/agent-z.jsonl"))
			must(t, os.Symlink(sub, sub+"/workflows"))
		}},
		{name: "subagents' folder is a FIFO", check: func(t *testing.T, w *world) { w.mustSave(t) }, prepare: func(t *testing.T, w *world) {
			must(t, os.Mkdir(strings.TrimSuffix(w.transcript, ".jsonl"), 0o755))
			must(t, syscall.Mkfifo(strings.TrimSuffix(w.transcript, ".jsonl")+"/subagents", 0o600))
		}},
	}
	heavy := []row{
		at("1 GB", func(_ *world, path string) error {
			if err := os.WriteFile(path, nil, 0o600); err != nil {
				return err
			}
			return os.Truncate(path, 1<<30)
		}),
		at("a line of 200 MB", func(_ *world, path string) error {
			f, err := os.Create(path)
			if err != nil {
				return err
			}
			defer f.Close()
			line := endless(`{"type":"assistant","message":{"content":"`, "a", "\"}}\n", 200<<20)
			_, err = io.Copy(f, line())
			return err
		}),
	}
	for _, r := range heavy {
		r.heavy = true
		rows = append(rows, r)
	}
	return rows
}

// placeRows: the working folder, HOME and the session's id.
func placeRows() []row {
	counted := func(t *testing.T, w *world) { w.mustSave(t) }
	with := func(name string, change func(w *world)) row {
		return row{name: name, check: counted, prepare: func(_ *testing.T, w *world) { change(w) }}
	}
	rows := []row{
		with("working folder deleted, T28", func(w *world) { w.before = "mkdir d && cd d && rmdir ../d && " }),
		with("working folder unknown", func(w *world) { w.input["cwd"] = w.root + "/gone" }),
		with("working folder is a file", func(w *world) { w.input["cwd"] = w.transcript }),
		with("working folder with a NUL", func(w *world) { w.input["cwd"] = "a\x00b" }),
		with("project folder unknown", func(w *world) { w.env["CLAUDE_PROJECT_DIR"] = "/gone/\nx" }),
		with("HOME unset", func(w *world) { w.env["HOME"] = "" }),
		with("HOME is a file", func(w *world) { w.env["HOME"] = w.transcript }),
		{name: "state home is relative, HOME is a file", prepare: func(_ *testing.T, w *world) {
			w.env["HOME"], w.env["XDG_STATE_HOME"] = w.transcript, "not/absolute"
		}},
		with("switched off", func(w *world) { w.env["RUNAWAY_GUARD_OFF"] = "" }),
		with("settings in the environment are nonsense", func(w *world) {
			for _, name := range []string{"CAP_USD", "WARN_AT", "LOOP_REPEATS", "FAILURE_STREAK", "OFF"} {
				w.env["RUNAWAY_GUARD_"+name] = "\xff nonsense"
			}
		}),
	}
	for _, id := range []any{
		"../../x", "../x", "..", ".", "/etc/passwd", "a/b", `a\b`, "a\x00b", "a\nb", "-rf", "~", "$(touch x)", "runaway-guard",
		"counted-ids.bin", "errors.log", "installs", "con", "é", "\xff", strings.Repeat("x", 10_000), strings.Repeat("../", 100) + "x",
		"", " ", 7, nil,
		[]any{"x"},
		map[string]any{"a": 1},
	} {
		var before map[string]bool
		rows = append(rows, row{
			name: fmt.Sprintf("session id %.30q", fmt.Sprint(id)),
			prepare: func(t *testing.T, w *world) {
				w.session = id
				before = w.listing(t)
			},
			check: func(t *testing.T, w *world) {
				for path := range w.listing(t) {
					if !before[strings.Replace(path, w.root, rootOf(before), 1)] {
						t.Errorf("%s was made outside the state folder", path)
					}
				}
			},
		})
	}
	return rows
}

// rootOf is the shortest path of a listing.
func rootOf(paths map[string]bool) string {
	shortest := ""
	for path := range paths {
		if shortest == "" || len(path) < len(shortest) {
			shortest = path
		}
	}
	return shortest
}

// processRows: flags, the environment of the Go runtime, limits and output.
func processRows() []row {
	flags := func(words string) row {
		return row{name: fmt.Sprintf("flags %q", words), check: func(t *testing.T, w *world) { w.mustSave(t) }, prepare: func(_ *testing.T, w *world) { w.flags = words }}
	}
	variable := func(name, value string, shell bool) row {
		return row{name: name + "=" + value, shell: shell, prepare: func(_ *testing.T, w *world) { w.env[name] = value }}
	}
	limit := func(line string) row {
		return row{name: line, shell: true, prepare: func(_ *testing.T, w *world) { w.before = line + "; " }}
	}
	warned := func(name, redirect string) row {
		return row{name: name, shell: true, prepare: func(t *testing.T, w *world) {
			write(t, w.file(t, "sess-1.json"), strings.Replace(goodState, `"cost_usd":1.5`, `"cost_usd":9`, 1))
			w.flags += " " + redirect
		}}
	}
	return []row{
		flags(""), flags("--bogus"), flags("--harness"), flags("--harness nonsense"), flags("--harness="), flags("-x -y=z --"),
		flags("--harness claude-code '||' true"), flags("--help --harness codex"), flags("--harness codex --version"), flags("--json --out /"),
		variable("GODEBUG", "nonsense=1,x", false),
		variable("GOMAXPROCS", "-5", false),
		variable("GOGC", "nonsense", false),
		variable("GOTRACEBACK", "crash", false),
		variable("GOMEMLIMIT", "nonsense", true),
		variable("TZ", "Nowhere/Land", false),
		variable("LC_ALL", "nonsense", false),
		limit("ulimit -n 3"),
		limit("ulimit -f 0"),
		limit("ulimit -v 100000"),
		limit("ulimit -c 0; ulimit -s 64"),
		warned("standard output closed", ">&-"),
		warned("standard output full", ">/dev/full"),
		warned("standard error closed", "2>&-"),
		warned("all output closed", ">&- 2>&-"),
	}
}
