package task

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Rewrite puts what people made of tasks into the text of a tasks file. Every
// other member stays, also those of a newer program.
func Rewrite(text []byte, changed []Task) ([]byte, error) {
	doc, err := membersOf(text)
	if err != nil {
		return nil, err
	}
	for i := range doc {
		if doc[i].name == "tasks" {
			if doc[i].value, err = rewriteTasks(doc[i].value, changed); err != nil {
				return nil, err
			}
		}
	}
	out := object(doc)
	if err := out.Format(append(lenient(), jsontext.WithIndent("  "), jsontext.PreserveRawStrings(true))...); err != nil {
		return nil, err
	}
	return append(out, '\n'), nil
}

func lenient() []json.Options {
	return []json.Options{jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)}
}

func rewriteTasks(list jsontext.Value, changed []Task) (jsontext.Value, error) {
	in := jsontext.NewDecoder(bytes.NewReader(list), lenient()...)
	if start, err := in.ReadToken(); err != nil || start.Kind() != '[' {
		return nil, errors.Join(err, errors.New("the tasks are no list"))
	}
	var values [][]byte
	for in.PeekKind() != ']' {
		value, err := in.ReadValue()
		if err != nil {
			return nil, err
		}
		one, err := rewriteTask(value.Clone(), changed)
		if err != nil {
			return nil, err
		}
		values = append(values, one)
	}
	return slices.Concat([]byte("["), bytes.Join(values, []byte(",")), []byte("]")), nil
}

// rewriteTask replaces the members of one task that a review can change.
func rewriteTask(value jsontext.Value, changed []Task) (jsontext.Value, error) {
	var id struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal(value, &id, lenient()...); err != nil {
		return nil, err
	}
	at := slices.IndexFunc(changed, func(t Task) bool { return t.ID == id.ID })
	if at < 0 {
		return value, nil
	}
	old, err := membersOf(value)
	if err != nil {
		return nil, err
	}
	t := changed[at]
	reviewed := Task{Review: t.Review, Fair: t.Fair}
	fresh, err := reviewed.members()
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"prompt", "choice", "choice_reason", "fair"} {
		old = replaceMember(old, fresh, name)
	}
	return object(old), nil
}

// members are a task's as a tasks file has them.
func (t Task) members() ([]member, error) {
	text, err := json.Marshal(t, append(lenient(), json.WithMarshalers(json.MarshalToFunc(writeBytes)))...)
	if err != nil {
		return nil, err
	}
	return membersOf(text)
}

// member is one of an object, as its text has it.
type member struct {
	name  string
	value jsontext.Value
}

func membersOf(text []byte) (out []member, err error) {
	in := jsontext.NewDecoder(bytes.NewReader(text), lenient()...)
	if start, err := in.ReadToken(); err != nil || start.Kind() != '{' {
		return nil, errors.Join(err, errors.New("it is no JSON object"))
	}
	for in.PeekKind() != '}' {
		name, err := in.ReadToken()
		if err != nil {
			return nil, err
		}
		one := member{name: name.String()}
		value, err := in.ReadValue()
		if err != nil {
			return nil, fmt.Errorf("member %q: %w", one.name, err)
		}
		one.value = value.Clone()
		out = append(out, one)
	}
	return out, nil
}

// replaceMember gives a member the value that it has in from, or takes it out.
func replaceMember(list, from []member, name string) []member {
	is := func(m member) bool { return m.name == name }
	at := slices.IndexFunc(from, is)
	if at < 0 {
		return slices.DeleteFunc(list, is)
	}
	if old := slices.IndexFunc(list, is); old >= 0 {
		list[old] = from[at]
		return list
	}
	return append(list, from[at])
}

func object(list []member) jsontext.Value {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, m := range list {
		if i > 0 {
			out.WriteByte(',')
		}
		name, _ := jsontext.AppendQuote(nil, m.name) // its error is bytes that are no UTF-8
		out.Write(name)
		out.WriteByte(':')
		out.Write(m.value)
	}
	out.WriteByte('}')
	return out.Bytes()
}
