package contextmgr

import (
	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/llm"
)

// Bridges make a conversation valid that does not begin with the user or whose last
// message is the assistant's.
const (
	bridgeStart = "(The conversation begins with the assistant.)"
	bridgeEnd   = "Continue."
)

// render returns the messages of the items, valid for the protocols of OpenAI and Ollama:
// the user begins; no two messages of the same role follow each other, except tool
// results; every result follows its call and every call has its result; the last message
// expects an answer.
func render(items []*item) []llm.Message {
	out := make([]llm.Message, 0, len(items)+2)
	var caller *item // whose group is being rendered
	settle := func() {
		if caller != nil {
			out = append(out, caller.missing()...)
			caller = nil
		}
	}
	for _, it := range items {
		if it.callID == "" {
			settle()
		}
		if it.open != nil {
			caller = it
		}
		out = join(out, it.message())
	}
	settle()
	if n := len(out); n > 0 && out[n-1].Role == strata.RoleAssistant {
		out = append(out, llm.Message{Role: strata.RoleUser, Text: bridgeEnd})
	}
	return out
}

// join appends a message, or merges it into the previous one if both have the same role
// and the protocol requires it.
func join(out []llm.Message, msg llm.Message) []llm.Message {
	if len(out) == 0 {
		if msg.Role != strata.RoleUser {
			out = append(out, llm.Message{Role: strata.RoleUser, Text: bridgeStart})
		}
		return append(out, msg)
	}
	before := &out[len(out)-1]
	if before.Role != msg.Role || msg.Role == strata.RoleTool || len(before.Calls) > 0 {
		return append(out, msg)
	}
	before.Text = joinTexts(before.Text, msg.Text)
	before.Images = append(before.Images[:len(before.Images):len(before.Images)], msg.Images...)
	before.Calls = msg.Calls
	return out
}

// joinTexts joins two texts with a blank line between them.
func joinTexts(a, b string) string {
	switch {
	case a == "":
		return b
	case b == "":
		return a
	}
	return a + "\n\n" + b
}

// bridgeCost is the maximum cost of the bridges, before calibration.
func bridgeCost(m meter) int {
	return m.message(llm.Message{Text: bridgeStart}) + m.message(llm.Message{Text: bridgeEnd})
}
