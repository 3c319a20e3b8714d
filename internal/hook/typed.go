package hook

import (
	"strings"

	"checkrein/internal/guard"
	"checkrein/internal/harness"
)

// typed is what a prompt tells the guard: only one that is exactly such words,
// and not of an agent that another agent started, whose prompt no user typed.
func (c *check) typed() (guard.Word, bool) {
	if !c.s.Limits.On(guard.TypedWords) || c.call.Sub {
		return guard.Word{}, false
	}
	word, ok := guard.ParseWord(c.call.Typed)
	return word, ok && (c.env.Agents == nil || c.env.Agents() < 2)
}

// obey does what the user typed, once. The prompt is not sent: nobody but the
// guard was meant.
func (c *check) obey(w guard.Word) harness.Answer {
	prompt := c.call
	prompt.ToolUseID, prompt.Input = c.call.Prompt, []byte(c.call.Typed)
	return c.s.Once(prompt, c.now, func() harness.Answer {
		done := c.s.Obey(w, c.s.Limits, c.budget(), c.now)
		text := "checkrein: " + strings.Join(done, " ") + " Your words were for the guard and were not sent."
		return harness.Answer{Decision: harness.Deny, Reason: text, Message: text, EndTurn: true}
	})
}
