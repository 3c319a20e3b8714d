package guard

// agent is the loop wire's memory of one agent (the main one or a subagent), of
// its turn.
type agent struct {
	Prompt string // id of the user's prompt that all this belongs to
	Counts []count

	// Ours, for the rules that the Python guard lacks.
	Past    past
	Same    sameResults
	Calls   int    // calls in the turn
	Tripped int    // number of the call at which it last went into a loop; 0 when it did not
	Test    uint64 // output of the last tests that failed
}

// turn starts the memory over for a new prompt.
func (a *agent) turn(prompt string) { *a = agent{Prompt: prompt} }

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
