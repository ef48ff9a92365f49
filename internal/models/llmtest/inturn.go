package llmtest

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/llm"
)

// InTurn is a model without a server that gives one answer after the other, in parts, and
// the last one again and again.
type InTurn struct {
	Answers []string
	Err     error         // instead of answers; nil: none
	Asked   []llm.Request // so far
}

// Model is "in turn".
func (*InTurn) Model() string { return "in turn" }

// Chat gives the next answer.
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
