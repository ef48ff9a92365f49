package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/models/wire"
	"github.com/strata-memory/strata/llm"
)

// chunk is an event of the answer, or all of it if the server does not stream. It is
// lenient, because servers differ.
type chunk struct {
	Choices []struct {
		Index        int    `json:"index"`
		Delta        part   `json:"delta"`
		Message      part   `json:"message"`
		FinishReason string `json:"finish_reason"`
	} `json:"choices"`
	Usage *struct {
		Prompt     int `json:"prompt_tokens"`
		Completion int `json:"completion_tokens"`
	} `json:"usage"`
	Error  json.RawMessage `json:"error"`
	Object string          `json:"object"`
}

// part is what one event adds to the message.
type part struct {
	Content          content         `json:"content"`
	Refusal          string          `json:"refusal"`
	ReasoningContent string          `json:"reasoning_content"`
	Reasoning        content         `json:"reasoning"`
	ToolCalls        []fragment      `json:"tool_calls"`
	FunctionCall     *calledFunction `json:"function_call"` // the form before tools
}

// content is a string, or a list of parts whose texts are joined.
type content string

func (c *content) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil {
		*c = content(text)
		return nil
	}
	var parts []struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(data, &parts) == nil {
		var b strings.Builder
		for _, p := range parts {
			b.WriteString(p.Text)
		}
		*c = content(b.String())
	}
	return nil // other forms contain nothing of use here
}

// maxBody bounds an answer that is not streamed, in bytes.
const maxBody = 64 << 20

// read reads the answer of model on server to req to its end, and closes the body. After
// an error the reply holds what has arrived.
func read(server *wire.Server, model string, resp *http.Response, req llm.Request, onDelta func(llm.Delta) error) (llm.Reply, error) {
	defer resp.Body.Close()
	s := stream{server: server, model: model, onDelta: onDelta}
	return s.read(resp, req)
}

// stream collects an answer.
type stream struct {
	server  *wire.Server
	model   string
	onDelta func(llm.Delta) error

	text    strings.Builder
	calls   callList
	usage   llm.Usage
	finish  string
	refused bool
}

func (s *stream) read(resp *http.Response, req llm.Request) (llm.Reply, error) {
	// With an unreadable header, assume the usual form.
	media, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if media == "text/html" {
		return llm.Reply{}, s.server.Corrupt("chat", "a web page", nil)
	}
	err := s.collect(resp.Body, media == "application/json")
	reply := s.reply()
	if err != nil {
		return reply, err
	}
	if err := wire.AssignIDs(req, reply.Message.Calls); err != nil {
		return reply, s.server.Corrupt("chat", "a tool call", err)
	}
	return reply, nil
}

func (s *stream) collect(body io.ReadCloser, inOnePiece bool) error {
	if inOnePiece {
		data, err := io.ReadAll(io.LimitReader(body, maxBody))
		if err != nil {
			return s.server.Explain("chat", s.model, err)
		}
		if err := s.event(data); err != nil {
			return err
		}
		if s.finish == "" && s.nothing() {
			return s.server.Corrupt("chat", "an object without choices", nil)
		}
		return nil
	}
	events := newEvents(body)
	for {
		data, whole, err := events.next()
		switch {
		case err != nil && s.finish != "":
			// The message is complete; only the usage or the end marker is missing.
			return nil
		case errors.Is(err, io.EOF):
			return s.server.BrokeOff("chat")
		case errors.Is(err, wire.ErrLineTooLong):
			return s.server.Corrupt("chat", "a line without end", err)
		case err != nil:
			return s.server.Explain("chat", s.model, err)
		case isDone(data):
			wire.Drain(body)
			return nil
		case !whole:
			return s.server.BrokeOff("chat")
		}
		if err := s.event(data); err != nil {
			return err
		}
	}
}

// event reads one event and passes its part to onDelta.
func (s *stream) event(data []byte) error {
	var c chunk
	if err := json.Unmarshal(data, &c); err != nil {
		return s.server.Corrupt("chat", "an event that is no JSON object", err)
	}
	problem := c.Error
	if c.Object == "error" && len(problem) == 0 {
		problem = bytes.Clone(data) // vLLM: the object itself is the error
	}
	if e := wire.ParseStreamError(problem); e != nil {
		return s.server.Explain("chat", s.model, e)
	}
	if c.Usage != nil {
		s.usage = llm.Usage{Prompt: max(0, c.Usage.Prompt), Completion: max(0, c.Usage.Completion)}
	}
	var d llm.Delta
	for _, choice := range c.Choices {
		if choice.Index != 0 {
			continue // only one answer was asked for
		}
		for _, p := range []part{choice.Delta, choice.Message} {
			d.Text += string(p.Content) + p.Refusal
			if p.ReasoningContent != "" {
				d.Reasoning += p.ReasoningContent
			} else {
				d.Reasoning += string(p.Reasoning)
			}
			s.refused = s.refused || p.Refusal != ""
			s.calls.add(p)
		}
		if choice.FinishReason != "" {
			s.finish = choice.FinishReason
		}
	}
	s.text.WriteString(d.Text)
	if s.onDelta == nil {
		return nil
	}
	return s.onDelta(d)
}

func (s *stream) nothing() bool { return s.text.Len() == 0 && len(s.calls.list) == 0 }

// reply returns what has arrived.
func (s *stream) reply() llm.Reply {
	r := llm.Reply{
		Message: llm.Message{Role: strata.RoleAssistant, Text: s.text.String(), Calls: s.calls.finished()},
		Usage:   s.usage,
		Stop:    llm.StopEnd,
	}
	switch {
	case s.finish == "length":
		r.Stop = llm.StopLength
	case s.finish == "content_filter", s.refused:
		r.Stop = llm.StopFilter
	case len(r.Message.Calls) > 0:
		r.Stop = llm.StopTools
	}
	return r
}
