package guard

// agent is the loop wire's memory of one agent (the main one or a subagent).
type agent struct {
	Prompt string // id of the user's prompt the counts belong to
	Counts []count
}

// count is how often one fingerprint came.
type count struct {
	fingerprint string
	times       int
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
