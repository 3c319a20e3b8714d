package codex

import (
	"strings"

	"checkrein/internal/transcript"

	"github.com/go-json-experiment/json/jsontext"
)

// hookName is a tool's name as hooks are told it (0.171.0): shells are Bash, an
// MCP tool has its server in front, and the agents' tools their namespace, with
// nothing between.
func hookName(namespace, name string) string {
	switch {
	case namespace == "" && isShell(name):
		return "Bash"
	case strings.HasPrefix(namespace, "mcp__"):
		return fullName(namespace, name)
	}
	return namespace + name
}

func isShell(name string) bool {
	switch name {
	case "exec_command", "shell", "shell_command", "container.exec", "local_shell", "local_shell_call":
		return true
	}
	return false
}

// hookInput is a call's input as hooks are told it; nil when it tells none.
func (p *payload) hookInput(name string) []byte {
	var r transcript.Record
	arguments := p.arguments
	if len(arguments) > 0 && arguments[0] == '"' {
		text, err := jsontext.AppendUnquote(nil, arguments)
		if err != nil && len(text) == 0 {
			return nil
		}
		arguments = text
	}
	switch {
	case p.kind == "custom_tool_call" && name == "apply_patch":
		return commandInput(string(arguments))
	case name == "apply_patch":
		return commandInput(member(&r, arguments, "input"))
	case p.namespace == "" && isShell(name):
		return commandInput(shellCommand(arguments))
	case p.arguments == nil || p.kind != "custom_tool_call" && jsontext.Value(arguments).IsValid():
		return arguments
	}
	return quote(string(arguments)) // malformed, or no JSON
}

// hookInput is an operation's input as hooks are told it. Of a patch that a
// script made, the log has the changes and not the patch; of an image, where it
// lies and not what the script said.
func (i *item) hookInput() []byte {
	switch i.kind {
	case "CommandExecution":
		return commandInput(lastWord(i.arguments))
	case "McpToolCall":
		return i.arguments
	}
	return nil
}

// shellCommand is the command in a shell call's arguments. Older tools give a
// list of words: the last one, where it is a shell's, else all of them.
func shellCommand(arguments []byte) string {
	var (
		r       transcript.Record
		command string
	)
	r.Read(arguments, func(name []byte) {
		if string(name) == "cmd" || string(name) == "command" {
			from := r.Offset()
			r.Skip()
			command = lastWord(r.Since(from))
		}
	})
	return command
}

// lastWord is a string, or of a list of them the script that a shell is given
// (bash -lc SCRIPT), else all words.
func lastWord(value []byte) string {
	var (
		r     transcript.Record
		words []string
	)
	r.Read(object("v", value), only("v", func() {
		if r.Kind() == '"' {
			text, _ := r.Text()
			words = []string{string(text)}
			return
		}
		r.Array(func() {
			text, _ := r.Text()
			words = append(words, string(text))
		})
	}))
	if n := len(words); n >= 3 && strings.HasPrefix(words[n-2], "-") {
		return words[n-1]
	}
	return strings.Join(words, " ")
}

func member(r *transcript.Record, object []byte, name string) (text string) {
	r.Read(object, only(name, func() {
		b, _ := r.Text()
		text = string(b)
	}))
	return text
}

// commandInput is the input of Bash and apply_patch.
func commandInput(command string) []byte { return object("command", quote(command)) }

// object is an object of one member, nil without a value.
func object(name string, value []byte) []byte {
	if len(value) == 0 {
		return nil
	}
	return append(append([]byte(`{"`+name+`":`), value...), '}')
}

// quote is text as JSON; what is no UTF-8 in it is mended.
func quote(text string) []byte {
	b, _ := jsontext.AppendQuote(nil, strings.ToValidUTF8(text, "\uFFFD"))
	return b
}
