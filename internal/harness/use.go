package harness

// ToolUse is one use of a tool, as the output of a headless run tells it. It is
// untrusted.
type ToolUse struct {
	Tool    string
	Command string   // of a shell
	Paths   []string // that it reads or writes
	Web     bool     // it asks the web
	Asked   string   // the address or the words, with Web
}

// Used sorts the members of a tool's input, whose names differ little between
// harnesses.
func Used(tool string, web bool, input map[string]any) ToolUse {
	u := ToolUse{Tool: tool, Web: web}
	text := func(name string) string { s, _ := input[name].(string); return s }
	u.Command = text("command")
	for _, name := range []string{"file_path", "absolute_path", "notebook_path", "dir_path", "path", "pattern"} {
		if s := text(name); s != "" {
			u.Paths = append(u.Paths, s)
		}
	}
	for _, name := range []string{"url", "query", "prompt"} {
		if s := text(name); web && s != "" && u.Asked == "" {
			u.Asked = s
		}
	}
	return u
}
