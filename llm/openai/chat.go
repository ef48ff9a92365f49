package openai

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/models/wire"
	"github.com/strata-memory/strata/llm"
)

// chat is an unguarded client of one model.
type chat struct {
	client *Client
	model  string
	habits *atomic.Uint32 // a set of habit
}

var _ llm.Chat = (*chat)(nil)

// habit is a way in which a server differs from others. It is learned from a refusal and
// remembered, so that each costs one refused request.
type habit uint32

const (
	// wantsCompletionTokens: the token limit is max_completion_tokens. Newer OpenAI
	// models reject max_tokens; most other servers know only that, and some silently
	// ignore the other.
	wantsCompletionTokens habit = 1 << iota
	// noStreamOptions: the server rejects a request for the usage.
	noStreamOptions
	// noTemperature: the model has a fixed temperature and rejects requests that set it.
	noTemperature
)

func (c *chat) Model() string { return c.model }

// Chat sends req to /chat/completions and reads the stream.
func (c *chat) Chat(ctx context.Context, req llm.Request, onDelta func(llm.Delta) error) (llm.Reply, error) {
	resp, err := c.send(ctx, req)
	if err != nil {
		return llm.Reply{}, c.explain(req, err)
	}
	return read(c.client.server, c.model, resp, req, onDelta)
}

// send makes the request, and repeats it without the fields that the server rejects.
func (c *chat) send(ctx context.Context, req llm.Request) (*http.Response, error) {
	for {
		habits := habit(c.habits.Load())
		resp, err := c.client.server.Post(ctx, "/chat/completions", request(c.model, req, habits))
		if err == nil {
			return resp, nil
		}
		learnt := learn(habits, req, err)
		if learnt == habits {
			return nil, err
		}
		c.habits.Or(uint32(learnt))
	}
}

// learn returns known plus the habit that a refusal reveals, if any.
func learn(known habit, req llm.Request, err error) habit {
	var status *wire.StatusError
	if !errors.As(err, &status) || status.Status != http.StatusBadRequest && status.Status != http.StatusUnprocessableEntity {
		return known
	}
	words := status.Param + " " + status.Message
	switch {
	case req.MaxTokens > 0 && known&wantsCompletionTokens == 0 && strings.Contains(words, "max_completion_tokens"):
		return known | wantsCompletionTokens
	case known&noStreamOptions == 0 && (strings.Contains(words, "stream_options") || strings.Contains(words, "include_usage")):
		return known | noStreamOptions
	case req.Temperature != nil && known&noTemperature == 0 && strings.Contains(words, "temperature"):
		return known | noTemperature
	}
	return known
}

// explain returns the error of a refused request. A server that does not support JSON
// schemas says so in its own words, but names the field.
func (c *chat) explain(req llm.Request, err error) error {
	explained := c.client.server.Explain("chat", c.model, err)
	var status *wire.StatusError
	if strata.CodeOf(explained) != strata.CodeInvalid || len(req.Schema) == 0 || !errors.As(err, &status) {
		return explained
	}
	words := status.Param + " " + status.Message
	if !strings.Contains(words, "response_format") {
		return explained
	}
	return &strata.Error{
		Code: strata.CodeUnsupported, Op: "chat",
		Message: "the model server at " + c.client.server.Host() + " does not accept this JSON schema for answers of " + c.model,
		Hint:    "ask for JSON in the prompt instead, or use another model",
		Err:     explained,
	}
}
