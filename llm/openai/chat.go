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

// chat is one model, without a guard.
type chat struct {
	client *Client
	model  string
	habits *atomic.Uint32 // a set of habit
}

var _ llm.Chat = (*chat)(nil)

// habit is a way in which a server differs from the others. It is learnt from
// a refusal and kept, so that each costs one refused request.
type habit uint32

const (
	// wantsCompletionTokens: the limit of tokens is max_completion_tokens. The
	// newer models of OpenAI refuse max_tokens; most other servers know only
	// that, and some ignore the other without a word.
	wantsCompletionTokens habit = 1 << iota
	// noStreamOptions: the server refuses to be asked for the usage.
	noStreamOptions
	// noTemperature: the model has one temperature and refuses requests that set it.
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

// send makes the request, and again without what the server refused to know.
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

// learn returns the habits that a refusal teaches, which are those it was
// given when it teaches none.
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

// explain names the fault of a request that was refused. A server that does
// not know JSON schemas says so in many ways, but names the field.
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
