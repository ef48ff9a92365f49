package llmtest

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/llm"
)

// InTurn is a model without a server. It gives its answers one after another, in parts,
// and repeats the last one.
type InTurn struct {
	Answers []string
	Err     error         // returned instead of an answer if not nil
	Asked   []llm.Request // requests received so far
}

// Model returns "in turn".
func (*InTurn) Model() string { return "in turn" }

// Chat returns the next answer.
func (m *InTurn) Chat(_ context.Context, req llm.Request, onDelta func(llm.Delta) error) (llm.Reply, error) {
	const part = 1 << 10 // bytes
	m.Asked = append(m.Asked, req)
	if m.Err != nil {
		return llm.Reply{}, m.Err
	}
	answer := m.Answers[0]
	m.Answers = m.Answers[min(1, len(m.Answers)-1):]
	for at := 0; at < len(answer); at += part {
		if err := onDelta(llm.Delta{Text: answer[at:min(at+part, len(answer))]}); err != nil {
			return llm.Reply{}, err
		}
	}
	return llm.Reply{Message: llm.Message{Role: strata.RoleAssistant, Text: answer}}, nil
}
