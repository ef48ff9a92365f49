package ollama

import (
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/models/wire"
	"github.com/strata-memory/strata/llm"
)

// chunk is a line of the answer. It is more lenient than api.ChatResponse where servers
// differ: the arguments of a call may be a string, an error an object.
type chunk struct {
	Message struct {
		Content   string `json:"content"`
		Thinking  string `json:"thinking"`
		ToolCalls []struct {
			ID       string `json:"id"`
			Function struct {
				Name      string          `json:"name"`
				Arguments json.RawMessage `json:"arguments"`
			} `json:"function"`
		} `json:"tool_calls"`
	} `json:"message"`
	Done            bool            `json:"done"`
	DoneReason      string          `json:"done_reason"`
	PromptEvalCount int             `json:"prompt_eval_count"`
	EvalCount       int             `json:"eval_count"`
	Error           json.RawMessage `json:"error"`
}

// stream collects an answer: one JSON object per line, the last with "done".
type stream struct {
	server  *wire.Server
	model   string
	onDelta func(llm.Delta) error

	text  strings.Builder
	calls []strata.ToolCall
}

// read reads the answer to req to its end. After an error the reply holds what has
// arrived.
func (s *stream) read(body io.ReadCloser, req llm.Request) (llm.Reply, error) {
	lines := wire.NewLines(body, wire.MaxLine)
	for {
		line, whole, err := lines.Next()
		if err != nil {
			return s.reply(chunk{}), s.ended(err)
		}
		if len(line) == 0 {
			continue
		}
		var c chunk
		if err := json.Unmarshal(line, &c); err != nil {
			if !whole {
				return s.reply(chunk{}), s.server.BrokeOff("chat")
			}
			return s.reply(chunk{}), s.server.Corrupt("chat", "a line that is no JSON object", err)
		}
		if e := wire.ParseStreamError(c.Error); e != nil {
			return s.reply(chunk{}), s.server.Explain("chat", s.model, e)
		}
		if err := s.take(c); err != nil {
			return s.reply(chunk{}), err
		}
		if c.Done {
			if err := wire.AssignIDs(req, s.calls); err != nil {
				return s.reply(chunk{}), s.server.Corrupt("chat", "a tool call", err)
			}
			wire.Drain(body)
			return s.reply(c), nil
		}
	}
}

// ended returns the error of an answer without an end.
func (s *stream) ended(err error) error {
	switch {
	case errors.Is(err, io.EOF):
		return s.server.BrokeOff("chat")
	case errors.Is(err, wire.ErrLineTooLong):
		return s.server.Corrupt("chat", "a line without end", err)
	}
	return s.server.Explain("chat", s.model, err)
}

// take adds a part and passes it on.
func (s *stream) take(c chunk) error {
	s.text.WriteString(c.Message.Content)
	for _, call := range c.Message.ToolCalls {
		s.calls = append(s.calls, strata.ToolCall{
			ID: call.ID, Name: call.Function.Name, Arguments: wire.ArgumentsText(call.Function.Arguments),
		})
	}
	if s.onDelta == nil {
		return nil
	}
	return s.onDelta(llm.Delta{Text: c.Message.Content, Reasoning: c.Message.Thinking})
}

// reply returns what has arrived; last has the token counts.
func (s *stream) reply(last chunk) llm.Reply {
	r := llm.Reply{
		Message: llm.Message{Role: strata.RoleAssistant, Text: s.text.String(), Calls: s.calls},
		Usage:   llm.Usage{Prompt: max(0, last.PromptEvalCount), Completion: max(0, last.EvalCount)},
		Stop:    llm.StopEnd,
	}
	switch {
	case last.DoneReason == "length":
		r.Stop = llm.StopLength
	case len(s.calls) > 0:
		r.Stop = llm.StopTools
	}
	return r
}
