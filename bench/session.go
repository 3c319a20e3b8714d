package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const (
	kilobyte = 1 << 10
	megabyte = 1 << 20
)

// session is a made-up Claude Code session on disk, with a state folder for each
// program that reads it.
type session struct {
	id, transcript, dir string
}

// makeSession writes a transcript of about size bytes: per response three rows
// of the assistant, as 2.1.332 writes them, and one row with the tool's result.
// The prices are such that no size reaches a cap.
func makeSession(dir, id string, size int64) (session, error) {
	s := session{id: id, dir: dir, transcript: filepath.Join(dir, id+".jsonl")}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return s, err
	}
	f, err := os.Create(s.transcript)
	if err != nil {
		return s, err
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, megabyte)
	for n, written := 0, int64(0); written < size; n++ {
		rows := responseRows(id, n)
		written += int64(len(rows))
		if _, err := w.WriteString(rows); err != nil {
			return s, err
		}
	}
	return s, w.Flush()
}

func responseRows(id string, n int) string {
	usage := `{"input_tokens":1,"cache_creation_input_tokens":0,"cache_read_input_tokens":1,"output_tokens":1,` +
		`"server_tool_use":{"web_search_requests":0},"service_tier":"standard","cache_creation":{"ephemeral_1h_input_tokens":0,` +
		`"ephemeral_5m_input_tokens":0},"iterations":[],"speed":"standard"}`
	tail := fmt.Sprintf(`"timestamp":"2026-11-%02dT%02d:%02d:%02d.000Z","userType":"external","entrypoint":"cli","cwd":"/home/dev/project",`+
		`"sessionId":%q,"version":"2.1.332","gitBranch":"main"}`, 1+n/86400%28, n/3600%24, n/60%60, n%60, id)
	var b strings.Builder
	for i, block := range [...]string{
		`{"type":"thinking","thinking":"` + text(n, 500) + `","signature":"c2lnbmF0dXJl"}`,
		`{"type":"text","text":"` + text(n+1, 200) + `"}`,
		fmt.Sprintf(`{"type":"tool_use","id":"toolu_%08d","name":"Bash","input":{"command":"go test ./pkg%d/...","description":"Test"}}`, n, n),
	} {
		fmt.Fprintf(&b, `{"parentUuid":"%08x-0000-4000-8000-%012x","isSidechain":false,"message":{"id":"msg_%08d","type":"message",`+
			`"role":"assistant","model":"claude-haiku-4-5","content":[%s],"stop_reason":"tool_use","stop_sequence":null,"usage":%s},`+
			`"requestId":"req_%08d","type":"assistant","uuid":"%08x-0000-4000-8000-%012x",%s`+"\n", n, i, n, block, usage, n, n, i+1, tail)
	}
	out := text(n+2, 300+n%7*700)
	fmt.Fprintf(&b, `{"parentUuid":"%08x-0000-4000-8000-%012x","isSidechain":false,"promptId":"p1","type":"user","message":{"role":"user",`+
		`"content":[{"tool_use_id":"toolu_%08d","type":"tool_result","content":"%s","is_error":false}]},"uuid":"%08x-0000-4000-8000-00000000000f",`+
		`"toolUseResult":{"stdout":"%s","stderr":"","interrupted":false,"isImage":false},%s`+"\n", n, 3, n, out, n, out, tail)
	return b.String()
}

// text is size characters of words that look like a program's output.
func text(n, size int) string {
	const words = "ok checkrein/internal/guard 0.012s --- PASS: the error of line 42: in func return value is not what it was before "
	at := n % len(words)
	return strings.Repeat(words, size/len(words)+2)[at : at+size]
}

// input is the hook call number n of the session. No two are the same call.
func (s session) input(n int) []byte {
	return fmt.Appendf(nil, `{"session_id":%q,"transcript_path":%q,"cwd":%q,"prompt_id":"p1","permission_mode":"acceptEdits",`+
		`"effort":{"level":"medium"},"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"echo %d",`+
		`"description":"Say it"},"tool_use_id":"toolu_call%08d"}`+"\n", s.id, s.transcript, s.dir, n, n)
}
