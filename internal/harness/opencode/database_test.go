package opencode

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/ncruces/go-sqlite3"

	"checkrein/internal/harness"
)

// makeDatabase makes a database of the recorded rows, with a log of pending
// writes as OpenCode's, and leaves the writer open.
func makeDatabase(t *testing.T) (path string, writer *sqlite3.Conn) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "opencode.db")
	c, err := sqlite3.Open("file:" + path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	schema, err := os.ReadFile("testdata/db.schema.sql")
	if err != nil {
		t.Fatal(err)
	}
	run(t, c, "PRAGMA journal_mode=WAL; PRAGMA foreign_keys=OFF;"+string(schema))
	text, err := os.ReadFile("testdata/db.rows.json")
	if err != nil {
		t.Fatal(err)
	}
	var tables map[string][]map[string]any
	if err := json.Unmarshal(text, &tables); err != nil {
		t.Fatal(err)
	}
	for table, rows := range tables {
		for _, row := range rows {
			insert(t, c, table, row)
		}
	}
	return path, c
}

func run(t *testing.T, c *sqlite3.Conn, sql string) {
	t.Helper()
	if err := c.Exec(sql); err != nil {
		t.Fatal(err)
	}
}

func insert(t *testing.T, c *sqlite3.Conn, table string, row map[string]any) {
	t.Helper()
	var names, values []string
	for name, v := range row {
		names = append(names, name)
		switch v := v.(type) {
		case nil:
			values = append(values, "NULL")
		case float64:
			values = append(values, fmt.Sprint(int64(v)))
			if v != math.Trunc(v) {
				values[len(values)-1] = fmt.Sprint(v)
			}
		case string:
			values = append(values, sqlite3.Quote(v))
		}
	}
	run(t, c, "INSERT INTO "+table+" ("+strings.Join(names, ",")+") VALUES ("+strings.Join(values, ",")+")")
}

// read asks for everything since mark.
func read(t *testing.T, path string, mark int64) (logs []harness.Log, events []harness.Event, next int64, all []string) {
	t.Helper()
	next, all, err := Query(path, mark, func(l harness.Log) { logs = append(logs, l) }, func(e harness.Event) { events = append(events, e) })
	if err != nil {
		t.Fatal(err)
	}
	return logs, events, next, all
}

// beside is the folder's files and what is in them, all but the lock marks of
// SQLite's own readers.
func beside(t *testing.T, path string) string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(filepath.Dir(path), e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(e.Name(), "-shm") {
			text = nil
		}
		fmt.Fprintf(&b, "%s %d %x\n", e.Name(), len(text), text)
	}
	return b.String()
}

// TestRecordedSession: every response with OpenCode's own count of its cost,
// which adds up to the session's.
func TestRecordedSession(t *testing.T) {
	path, _ := makeDatabase(t)
	logs, events, _, all := read(t, path, 0)
	if len(logs) != 2 || len(all) != 2 || len(events) != 11 {
		t.Fatalf("%d logs, %d sessions, %d responses", len(logs), len(all), len(events))
	}
	var child harness.Log
	for _, l := range logs {
		if l.Project != "/home/dev/project" || l.Session != "ses_dd4018871ffeE5XykjXwUEbctn" {
			t.Errorf("log %+v", l)
		}
		if l.Agent != "" {
			child = l
		}
	}
	if child.Agent != "ses_dd4012be3ffeTJ3qygVvP04Tz7" {
		t.Errorf("the subagent is %+v", child)
	}
	var usd float64
	var sum harness.Usage
	ids := map[string]bool{}
	for _, e := range events {
		ids[e.ID] = true
		if e.Time.UTC().Format(time.DateOnly) != "2026-11-30" {
			t.Errorf("%s: time %v", e, e.Time)
		}
		usd += e.USD
		sum.Input, sum.CacheRead, sum.Output = sum.Input+e.Usage.Input, sum.CacheRead+e.Usage.CacheRead, sum.Output+e.Usage.Output
		own := (3*float64(e.Usage.Input) + 0.3*float64(e.Usage.CacheRead) + 15*float64(e.Usage.Output)) / 1e6 // as its opencode.json said
		if math.Abs(own-e.USD) > 1e-9 {
			t.Errorf("%s: tokens say $%.6f, OpenCode $%.6f", e, own, e.USD)
		}
	}
	if len(ids) != len(events) {
		t.Errorf("%d ids of %d responses", len(ids), len(events))
	}
	if math.Abs(usd-0.085905) > 1e-9 {
		t.Errorf("$%.6f, the sessions say $0.070905 and $0.015", usd)
	}
	if sum.Input != 13200 || sum.CacheRead != 99000 || sum.Output != 857+90+140+20 {
		t.Errorf("tokens %+v", sum)
	}
}

// TestSteps: a message of several model steps counts each; without parts the
// message's own tokens count.
func TestSteps(t *testing.T) {
	path, c := makeDatabase(t)
	run(t, c, "DELETE FROM part")
	_, events, _, _ := read(t, path, 0)
	if len(events) != 11 {
		t.Errorf("without parts: %d responses, want 11", len(events))
	}
	for i, out := range []int{7, 9} {
		insert(t, c, "part", map[string]any{
			"id": fmt.Sprintf("prt_%d", i), "message_id": "msg_22bfe9f39001Wxg2CyTYSfzyEi", "session_id": "ses_dd4018871ffeE5XykjXwUEbctn",
			"time_created": 1.0, "time_updated": 1.0,
			"data": fmt.Sprintf(`{"type":"step-finish","tokens":{"input":1,"output":%d,"reasoning":0,"cache":{"read":0,"write":0}},"cost":0}`, out),
		})
	}
	_, events, _, _ = read(t, path, 0)
	if len(events) != 12 {
		t.Errorf("with two steps in one message: %d responses, want 12", len(events))
	}
}

// TestLiveWriter: what a live session has stored counts, also what is in its log
// of pending writes alone; what it has not committed does not; and its files are
// not touched.
func TestLiveWriter(t *testing.T) {
	path, c := makeDatabase(t)
	if !there(path + "-wal") {
		t.Fatal("no log of pending writes: this tests nothing")
	}
	_, _, mark, _ := read(t, path, 0)
	more := func(id string, at int64) string {
		return fmt.Sprintf(`INSERT INTO message VALUES ('%s','ses_dd4018871ffeE5XykjXwUEbctn',%d,%d,'{"role":"assistant","modelID":"m",`+
			`"tokens":{"input":5,"output":1,"reasoning":0,"cache":{"read":0,"write":0}},"cost":1,"time":{"created":%d}}')`, id, at, at, at)
	}
	run(t, c, more("msg_z1", mark+1))
	run(t, c, "BEGIN IMMEDIATE")
	run(t, c, more("msg_z2", mark+2))
	before := beside(t, path)
	logs, events, next, _ := read(t, path, mark)
	if len(events) != 12 || len(logs) != 2 || next != mark+1 {
		t.Errorf("%d logs, %d responses, mark +%d; want 2, 12 and 1", len(logs), len(events), next-mark)
	}
	if after := beside(t, path); after != before {
		t.Error("the reader changed the writer's files")
	}
	run(t, c, "COMMIT")
	if _, events, _, _ = read(t, path, next); len(events) != 13 {
		t.Errorf("after the commit: %d responses, want 13", len(events))
	}
}

// TestOnlyChangedSessions: a session whose messages are older than the mark is
// left alone.
func TestOnlyChangedSessions(t *testing.T) {
	path, c := makeDatabase(t)
	_, _, mark, _ := read(t, path, 0)
	run(t, c, fmt.Sprintf("UPDATE message SET time_updated = %d WHERE id = 'msg_22bfed656001AatNXsI2Yvl6Cm'", mark+2*grace))
	logs, events, _, all := read(t, path, mark+2*grace)
	if len(logs) != 1 || logs[0].Agent == "" || len(events) != 2 || len(all) != 2 {
		t.Errorf("%d logs, %d responses, %d sessions; want 1, 2 and 2", len(logs), len(events), len(all))
	}
}

// TestClosedDatabase: with nobody writing, reading makes no file beside it.
func TestClosedDatabase(t *testing.T) {
	path, c := makeDatabase(t)
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	before := beside(t, path)
	if strings.Contains(before, "-wal") {
		t.Fatal("closing left a log")
	}
	if _, events, _, _ := read(t, path, 0); len(events) != 11 {
		t.Errorf("%d responses", len(events))
	}
	if after := beside(t, path); after != before {
		t.Error("the reader changed the folder")
	}
}

// TestCrashedSession: a log without a live session is read from a copy.
func TestCrashedSession(t *testing.T) {
	path, _ := makeDatabase(t)
	left := filepath.Join(t.TempDir(), "opencode.db")
	for _, end := range []string{"", "-wal"} {
		if err := copyFile(path+end, left+end); err != nil {
			t.Fatal(err)
		}
	}
	before := beside(t, left)
	if _, events, _, _ := read(t, left, 0); len(events) != 11 {
		t.Errorf("%d responses", len(events))
	}
	if after := beside(t, left); after != before {
		t.Error("the reader changed the folder")
	}
}

// TestFork: a fork copies messages under ids of its own; their responses keep
// theirs.
func TestFork(t *testing.T) {
	path, c := makeDatabase(t)
	_, events, _, _ := read(t, path, 0)
	ids := map[string]bool{}
	for _, e := range events {
		ids[e.ID] = true
	}
	run(t, c, "INSERT INTO session SELECT 'ses_fork', project_id, workspace_id, NULL, slug, directory, path, title, version, share_url, "+
		"summary_additions, summary_deletions, summary_files, summary_diffs, metadata, cost, tokens_input, tokens_output, tokens_reasoning, "+
		"tokens_cache_read, tokens_cache_write, revert, permission, agent, model, time_created, time_updated, time_compacting, time_archived "+
		"FROM session WHERE parent_id IS NULL")
	run(t, c, "INSERT INTO message SELECT 'f' || id, 'ses_fork', time_created, time_updated, data FROM message WHERE session_id = 'ses_dd4018871ffeE5XykjXwUEbctn'")
	_, events, _, _ = read(t, path, 0)
	for _, e := range events {
		if !ids[e.ID] {
			t.Errorf("new id %s", e.ID)
		}
	}
	if len(events) != 20 {
		t.Errorf("%d responses, want 11 and 9 copies", len(events))
	}
}

func TestNotADatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "opencode.db")
	if err := os.WriteFile(path, []byte(strings.Repeat("no database ", 500)), 0o600); err != nil {
		t.Fatal(err)
	}
	_, _, err := Query(path, 0, func(harness.Log) {}, func(harness.Event) {})
	if err == nil || !strings.Contains(err.Error(), "opencode.db") {
		t.Errorf("error %v", err)
	}
}
