package guard

import (
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// agent is the loop wire's memory of one agent (the main one or a subagent).
type agent struct {
	Prompt string  `json:"prompt,omitzero"` // id of the user's prompt the counts belong to
	Counts []count `json:"counts,omitzero"`
}

// count is how often one fingerprint came, as the pair [fingerprint, times].
type count struct {
	fingerprint string
	times       int
}

// MarshalJSONTo writes the pair.
func (c count) MarshalJSONTo(e *jsontext.Encoder) error {
	return json.MarshalEncode(e, []any{c.fingerprint, c.times})
}

// UnmarshalJSONFrom reads the pair.
func (c *count) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	var pair [2]jsontext.Value
	if err := json.UnmarshalDecode(d, &pair); err != nil {
		return err
	}
	if err := json.Unmarshal(pair[0], &c.fingerprint); err != nil {
		return err
	}
	return json.Unmarshal(pair[1], &c.times)
}

// agents keeps its entries in the order they were last used, oldest first, and
// is a JSON object in that order: when it is full the oldest goes.
type agents []namedAgent

type namedAgent struct {
	key string
	agent
}

// use returns the agent of a key, made when it is new, as the most recent one.
// The pointer holds until the next use.
func (a *agents) use(key string) *agent {
	entry := namedAgent{key: key}
	for i := range *a {
		if (*a)[i].key == key {
			entry = (*a)[i]
			*a = append((*a)[:i], (*a)[i+1:]...)
			break
		}
	}
	*a = last(append(*a, entry), maxAgents)
	return &(*a)[len(*a)-1].agent
}

func (a agents) find(key string) *agent {
	for i := range a {
		if a[i].key == key {
			return &a[i].agent
		}
	}
	return nil
}

// MarshalJSONTo writes the agents as an object.
func (a agents) MarshalJSONTo(e *jsontext.Encoder) error {
	if err := e.WriteToken(jsontext.BeginObject); err != nil {
		return err
	}
	for i := range a {
		if err := e.WriteToken(jsontext.String(a[i].key)); err != nil {
			return err
		}
		if err := json.MarshalEncode(e, &a[i].agent); err != nil {
			return err
		}
	}
	return e.WriteToken(jsontext.EndObject)
}

// UnmarshalJSONFrom reads the object in its order.
func (a *agents) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if kind := d.PeekKind(); kind != '{' {
		return fmt.Errorf("agents: %v is not an object", kind)
	}
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	*a = nil
	for d.PeekKind() != '}' {
		name, err := d.ReadToken()
		if err != nil {
			return err
		}
		entry := namedAgent{key: name.String()}
		if err := json.UnmarshalDecode(d, &entry.agent); err != nil {
			return err
		}
		*a = append(*a, entry)
	}
	_, err := d.ReadToken()
	return err
}
