package main

import (
	"fmt"
	"path/filepath"
	"time"
)

// claude writes a session of Claude Code, and for every fourth one subagents in
// files of their own.
func (m *maker) claude(at time.Time, size int64, left int) error {
	project := fmt.Sprintf("project-%d", m.random.IntN(12))
	session := m.uuid()
	dir := filepath.Join(m.home, ".claude", "projects", "-home-dev-"+project)
	agents := 0
	if m.random.IntN(4) == 0 && left > 3 {
		agents = 2
	}
	part := size / int64(1+agents)
	for n := range 1 + agents {
		path, agent := filepath.Join(dir, session+".jsonl"), ""
		if n > 0 {
			agent = fmt.Sprintf("a%016x", m.random.Uint64())
			path = filepath.Join(dir, session, "subagents", "agent-"+agent+".jsonl")
			agent = `"agentId":"` + agent + `",`
		}
		if err := m.claudeFile(path, session, agent, "/home/dev/"+project, at, part); err != nil {
			return err
		}
	}
	return nil
}

func (m *maker) claudeFile(path, session, agent, cwd string, at time.Time, size int64) error {
	f, err := m.create(path)
	if err != nil {
		return err
	}
	side := agent != ""
	model := [...]string{"claude-opus-4-8", "claude-sonnet-4-6", "claude-haiku-4-5"}[m.random.IntN(3)]
	tail := func() string {
		return fmt.Sprintf(`"uuid":"%s","timestamp":"%s"`, m.uuid(), stamp(at))
	}
	rest := fmt.Sprintf(`"userType":"external","entrypoint":"cli","cwd":"%s","sessionId":"%s","version":"2.1.332","gitBranch":"main"`, cwd, session)
	f.line(`{"parentUuid":null,"isSidechain":%t,%s"type":"user","message":{"role":"user","content":"Do the next thing"},%s,%s}`, side, agent, tail(), rest)
	read := 9000
	for f.size < size {
		at = at.Add(time.Duration(2+m.random.IntN(40)) * time.Second)
		id, request, tool := "msg_"+m.uuid(), "req_"+m.uuid(), "toolu_"+m.uuid()
		write := 200 + m.random.IntN(3000)
		usage := fmt.Sprintf(`{"input_tokens":%d,"cache_creation_input_tokens":%d,"cache_read_input_tokens":%d,"output_tokens":%d,`+
			`"server_tool_use":{"web_search_requests":0},"service_tier":"standard","cache_creation":{"ephemeral_1h_input_tokens":0,`+
			`"ephemeral_5m_input_tokens":%d},"inference_geo":"","iterations":[],"speed":"standard"}`, 3+m.random.IntN(20), write, read, 50+m.random.IntN(900), write)
		if read += write; read > 180_000 {
			read = 9000
		}
		m.made.responses++
		for _, block := range []string{
			`{"type":"text","text":"` + m.output(120) + `"}`,
			`{"type":"tool_use","id":"` + tool + `","name":"Bash","input":{"command":"` + m.output(60) + `"},"caller":{"type":"direct"}}`,
		} {
			f.line(`{"parentUuid":"%s","isSidechain":%t,%s"message":{"id":"%s","type":"message","role":"assistant","model":"%s",`+
				`"content":[%s],"stop_reason":"tool_use","stop_sequence":null,"usage":%s},"requestId":"%s","type":"assistant",%s,%s}`,
				m.uuid(), side, agent, id, model, block, usage, request, tail(), rest)
		}
		text := m.output(m.length())
		f.line(`{"parentUuid":"%s","isSidechain":%t,%s"type":"user","message":{"role":"user","content":[{"tool_use_id":"%s","type":"tool_result",`+
			`"content":"%s","is_error":false}]},%s,"toolUseResult":{"stdout":"%s","stderr":"","interrupted":false,"isImage":false},%s}`,
			m.uuid(), side, agent, tool, text, tail(), text, rest)
	}
	return m.close(f)
}

// codex writes a rollout.
func (m *maker) codex(at time.Time, size int64) error {
	id, cwd := m.uuid(), fmt.Sprintf("/home/dev/project-%d", m.random.IntN(12))
	name := "rollout-" + at.Format("2006-01-02T15-04-05") + "-" + id + ".jsonl"
	f, err := m.create(filepath.Join(m.home, ".codex", "sessions", at.Format("2006/01/02"), name))
	if err != nil {
		return err
	}
	line := func(kind, payload string) {
		f.line(`{"timestamp":"%s","type":"%s","payload":%s}`, stamp(at), kind, payload)
	}
	line("session_meta", fmt.Sprintf(`{"session_id":"%s","id":"%s","timestamp":"%s","cwd":"%s","originator":"codex_cli","cli_version":"0.171.0","source":"cli"}`, id, id, stamp(at), cwd))
	line("turn_context", fmt.Sprintf(`{"turn_id":"%s","cwd":"%s","approval_policy":"never","model":"gpt-5.5","effort":"medium"}`, m.uuid(), cwd))
	line("response_item", `{"type":"message","role":"user","content":[{"type":"input_text","text":"Do the next thing"}]}`)
	var sum [4]int
	for f.size < size {
		at = at.Add(time.Duration(2+m.random.IntN(40)) * time.Second)
		call := "call_" + m.uuid()
		line("response_item", fmt.Sprintf(`{"type":"reasoning","id":"rs_%s","summary":[{"type":"summary_text","text":"%s"}],"encrypted_content":"%x"}`, m.uuid(), m.output(80), m.output(400)))
		line("response_item", fmt.Sprintf(`{"type":"function_call","id":"fc_%s","name":"exec_command","arguments":"{\"cmd\": \"make\"}","call_id":"%s"}`, m.uuid(), call))
		text := m.output(m.length())
		line("event_msg", fmt.Sprintf(`{"type":"item_completed","thread_id":"%s","item":{"type":"CommandExecution","id":"%s","command":["/bin/bash","-lc","make"],"status":"completed","aggregated_output":"%s","exit_code":0}}`, id, call, text))
		line("response_item", fmt.Sprintf(`{"type":"function_call_output","call_id":"%s","output":"Process exited with code 0\nOutput:\n%s"}`, call, text))
		one := [4]int{2000 + m.random.IntN(20_000), m.random.IntN(2000), 50 + m.random.IntN(900), 10 + m.random.IntN(40)}
		for i := range sum {
			sum[i] += one[i]
		}
		line("token_usage_record", fmt.Sprintf(`{"thread_id":"%s","response_id":"resp_%s","usage":%s,"thread_token_usage":%s}`, id, m.uuid(), codexUsage(one), codexUsage(sum)))
		line("event_msg", fmt.Sprintf(`{"type":"token_count","info":{"total_token_usage":%s,"last_token_usage":%s,"model_context_window":258400},"rate_limits":{"limit_id":"codex","primary":null}}`, codexUsage(sum), codexUsage(one)))
		m.made.responses++
	}
	return m.close(f)
}

func codexUsage(n [4]int) string {
	return fmt.Sprintf(`{"input_tokens":%d,"cached_input_tokens":%d,"output_tokens":%d,"reasoning_output_tokens":%d,"total_tokens":%d}`,
		n[0], n[1], n[2], n[3], n[0]+n[2])
}

// gemini writes a chat, in which a message comes twice: before its tool ran and
// after.
func (m *maker) gemini(at time.Time, size int64) error {
	id := m.uuid()
	f, err := m.create(filepath.Join(m.home, ".gemini", "tmp", fmt.Sprintf("project-%d", m.random.IntN(12)), "chats",
		"session-"+at.Format("2006-01-02T15-04")+"-"+id[:8]+".jsonl"))
	if err != nil {
		return err
	}
	f.line(`{"sessionId":"%s","projectHash":"78b446d1","startTime":"%s","lastUpdated":"%s","kind":"main"}`, id, stamp(at), stamp(at))
	for f.size < size {
		at = at.Add(time.Duration(2+m.random.IntN(40)) * time.Second)
		input, cached, output := 5000+m.random.IntN(20_000), m.random.IntN(5000), 50+m.random.IntN(900)
		head := fmt.Sprintf(`"id":"%s","timestamp":"%s","type":"gemini","content":"%s","thoughts":[],"tokens":{"input":%d,"output":%d,`+
			`"cached":%d,"thoughts":10,"tool":0,"total":%d},"model":"gemini-3.1-pro-preview"`, m.uuid(), stamp(at), m.output(80), input, output, cached, input+output+10)
		f.line(`{%s}`, head)
		text := m.output(m.length())
		f.line(`{%s,"toolCalls":[{"id":"shell_%d","name":"run_shell_command","args":{"command":"make"},"result":[{"functionResponse":`+
			`{"name":"run_shell_command","response":{"output":"%s"}}}],"status":"success","resultDisplay":"%s"}]}`, head, m.id, text, text)
		f.line(`{"$set":{"lastUpdated":"%s"}}`, stamp(at))
		m.made.responses++
	}
	return m.close(f)
}
