package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// worker writes ordinary sessions. Its numbers come from a fixed seed.
type worker struct {
	*rand.Rand
	*story
	n int // counts what must differ
}

// habit is a piece of ordinary work that looks a little like a loop.
type habit struct {
	name string
	do   func(w *worker)
}

func habits() []habit {
	return []habit{
		{"polls whose result changes", (*worker).polls},
		{"polls with real waits and the same result, up to 20 times", (*worker).waits},
		{"failing tests whose output changes, with edits between (red-green)", (*worker).redGreen},
		{"failing tests of which only the counts change, with edits between", (*worker).counts},
		{"failing tests run in other ways, without edits", (*worker).narrowing},
		{"batches of edits with cancelled siblings", (*worker).cancelledBatch},
		{"`git status` after each edit and after the commit", (*worker).gitStatus},
		{"`git status` again and again while the user edits", (*worker).userEdits},
		{"`git status` twice with nothing changed", (*worker).twice},
		{"40 edits of different files (T34)", (*worker).manyEdits},
		{"many edits of one file", (*worker).oneFile},
		{"reading files again after edits", (*worker).reading},
		{"5 subagents in a turn, which read the same files", (*worker).subagents},
		{"searches without a match", (*worker).searches},
		{"the same build before and after each change", (*worker).builds},
	}
}

// ordinary is the n-th session: some habits, each for a prompt of its own or
// after the one before.
func ordinary(n uint64) story {
	w := &worker{Rand: rand.New(rand.NewPCG(7, n)), story: &story{}}
	w.ask()
	for range 3 + w.IntN(5) {
		all := habits()
		all[w.IntN(len(all))].do(w)
		if w.IntN(2) == 0 {
			w.ask()
		}
	}
	return *w.story
}

// other is a word that no other call has.
func (w *worker) other(word string) string {
	w.n++
	return fmt.Sprintf("%s%d", word, w.n)
}

func (w *worker) path() string {
	return fmt.Sprintf("internal/%s/%s.go", [...]string{"app", "store", "web"}[w.IntN(3)], w.other("file"))
}

func (w *worker) polls() {
	id := w.other("")
	for i := range 4 + w.IntN(8) {
		w.say(run("gh run view "+id, fmt.Sprintf("in progress: %d of 12 jobs done, %d running", i, 1+w.IntN(3))))
	}
	w.say(run("gh run view "+id, "completed: success"))
}

func (w *worker) waits() {
	id := w.other("")
	for range 3 + w.IntN(18) {
		w.say(run("sleep 60 && gh pr checks "+id, "build\tpending"))
		w.steps[len(w.steps)-1].gap = time.Minute
	}
	w.say(run("gh pr checks "+id, "build\tpass"))
}

func (w *worker) redGreen() {
	path, left := w.path(), 2+w.IntN(8)
	for ; left > 0; left-- {
		names := strings.Repeat("--- FAIL: TestParse/case\n", left)
		w.say(fails("go test ./...", names+fmt.Sprintf("FAIL app %d.%03ds", w.IntN(4), w.IntN(1000))))
		w.say(reads(path), edits(path, left))
	}
	w.say(run("go test ./...", "ok  \tapp\t0.4s"))
}

func (w *worker) counts() {
	for left := 3 + w.IntN(6); left > 0; left-- {
		w.say(fails("pytest -q --tb=no", fmt.Sprintf("%d failed, %d passed in 0.%02ds", left, 20-left, w.IntN(100))))
		w.say(edits("app/models.py", left))
	}
	w.say(run("pytest -q --tb=no", "20 passed in 0.31s"))
}

func (w *worker) narrowing() {
	test := w.other("TestServe")
	w.say(fails("go test ./...", "--- FAIL: "+test+"\nFAIL app"))
	w.say(fails("go test -run "+test+" -v ./internal/web", "=== RUN "+test+"\nweb_test.go:31: got 404, want 200"))
	w.say(fails("go test -run "+test+" -race ./internal/web", "=== RUN "+test+"\nweb_test.go:31: got 404, want 200\nno race"))
	w.say(reads("internal/web/web_test.go"), edits("internal/web/web.go", w.IntN(1000)))
	w.say(run("go test -run "+test+" ./internal/web", "ok"))
}

func (w *worker) cancelledBatch() {
	path := w.path()
	batch := []call{edits(path, 1), {kind: edit, text: path, n: 2, end: failed, result: "String to replace not found in file."}}
	for i := range 3 + w.IntN(4) {
		batch = append(batch, call{kind: edit, text: path, n: 3 + i, end: cancelled, result: "cancelled"})
	}
	w.say(batch...)
	w.say(reads(path))
	for i := range batch[1:] {
		w.say(edits(path, 20+i))
	}
}

func (w *worker) gitStatus() {
	status := ""
	for i := range 3 + w.IntN(6) {
		path := w.path()
		status += " M " + path + "\n"
		w.say(edits(path, i))
		w.say(run("git status", "On branch main\n"+status))
	}
	w.say(run("git diff --stat", status))
	w.say(run("git commit -am "+w.other("change"), "[main 1a2b3c4] change"))
	w.say(run("git status", "On branch main\nnothing to commit, working tree clean"))
}

func (w *worker) userEdits() {
	status := ""
	for range 3 + w.IntN(4) {
		w.say(run("git status --short", status), reads(w.path()))
		status += " M " + w.path() + "\n"
	}
}

func (w *worker) twice() {
	for range 2 {
		w.say(run("git status --branch", "On branch main\nnothing to commit"))
		w.say(reads(w.path()))
	}
	w.say(edits(w.path(), 1), run("git status --branch", "On branch main\n M one file"))
}

func (w *worker) manyEdits() {
	var all []call
	for range 40 {
		all = append(all, edits(w.path(), 1))
	}
	if w.IntN(2) == 0 {
		w.say(all...)
		return
	}
	w.each(all...)
}

func (w *worker) oneFile() {
	path := w.path()
	for i := range 10 + w.IntN(20) {
		w.say(edits(path, i))
	}
}

func (w *worker) reading() {
	path, other := w.path(), w.path()
	for i := range 3 + w.IntN(4) {
		w.say(reads(path), reads(other))
		w.say(edits([...]string{path, other}[i%2], i))
	}
}

func (w *worker) subagents() {
	var all []call
	for i := range 5 {
		all = append(all, starts(w.other(fmt.Sprint("look at part ", i, " "))))
	}
	w.say(all...)
	paths := []string{w.path(), w.path(), w.path()}
	for i := range 5 {
		agent := fmt.Sprintf("a1.%d.%d", w.n, i)
		for _, p := range paths {
			w.by(agent, reads(p))
		}
		w.by(agent, run("go doc "+paths[i%3], "package app"))
	}
}

func (w *worker) searches() {
	for range 2 + w.IntN(3) {
		w.say(fails("grep -rn "+w.other("frobnicate")+" .", ""))
	}
	w.say(run("ls internal", "app\nstore\nweb"))
}

func (w *worker) builds() {
	for range 3 + w.IntN(5) {
		w.say(run("go build ./...", ""))
		w.say(edits(w.path(), 1))
		w.say(run("go build ./...", ""))
	}
}
