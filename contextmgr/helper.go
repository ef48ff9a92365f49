package contextmgr

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/llm"
)

// errNoModel says that only rules are available: there is no model, or it must not be
// asked.
var errNoModel = errors.New("no model")

// maxAnswer bounds an answer in bytes, at far more than a model is asked for.
const maxAnswer = 1 << 20

// helper asks the small model during one flush or summary. It stops after the server
// fails, so that a hanging server costs one timeout, and after calls answers, so that a
// huge backlog takes bounded time.
type helper struct {
	model llm.Chat
	opt   Options
	count func(string) int // tokens of a text, as the model counts them
	calls int              // left
	down  error
	asked bool     // since the last call of judge
	rest  *breaker // nil: no breaker
}

func (m *Manager) helper() *helper {
	h := m.rules()
	if !m.breaker.open() {
		h.model = m.opt.Small
	}
	return h
}

// rules returns a helper that asks no model.
func (m *Manager) rules() *helper {
	return &helper{opt: m.opt, count: m.meter.text, calls: m.opt.MaxCalls, rest: &m.breaker}
}

// ready returns why the model cannot be asked, or nil.
func (h *helper) ready() error {
	switch {
	case h.model == nil:
		return errNoModel
	case h.down != nil:
		return h.down
	case h.rest != nil && h.rest.open():
		return errors.New("the model gave too many useless answers")
	case h.calls <= 0:
		return errors.New("the limit of model calls is reached")
	}
	return nil
}

// ask returns the model's answer to a request. An error of the server makes the helper
// unready; that of the caller's context does not.
func (h *helper) ask(ctx context.Context, req llm.Request) (string, error) {
	if err := h.ready(); err != nil {
		return "", err
	}
	h.calls--
	h.asked = true
	bounded, cancel := context.WithTimeout(ctx, h.opt.ModelTimeout)
	defer cancel()
	var zero float64
	req.Temperature = &zero
	req.Window = h.opt.SmallWindow
	reply, err := h.model.Chat(bounded, req, nil)
	if err != nil {
		if strata.CodeOf(err) != strata.CodeTooLarge && ctx.Err() == nil {
			h.down = err
		}
		return "", err
	}
	if n := len(reply.Message.Text); n > maxAnswer {
		return "", fmt.Errorf("the model answered %d MB, at most 1 MB is read", n>>20)
	}
	answer := strings.TrimSpace(reply.Message.Text)
	if answer == "" {
		return "", errors.New("the model answered nothing")
	}
	return answer, nil
}

// judge tells the breaker how the model did on a passage, unless it was not asked, the
// caller gave up or the passage was too long for it.
func (h *helper) judge(ctx context.Context, err error) {
	if h.rest != nil && h.asked && ctx.Err() == nil && strata.CodeOf(err) != strata.CodeTooLarge {
		h.rest.record(err)
	}
	h.asked = false
}

// instruct returns messages that keep the instructions apart from the material.
func instruct(instructions, material string) []llm.Message {
	return []llm.Message{
		{Role: strata.RoleSystem, Text: instructions},
		{Role: strata.RoleUser, Text: material},
	}
}
