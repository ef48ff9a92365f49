package contextmgr

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/llm"
)

// Send appends what the user says and returns the model's answer, which becomes part of
// the conversation. If the model fails, the user's turn stays, and [Manager.Continue]
// asks again. Errors are those of [Manager.Append], those of the model, and unavailable
// if there is no model.
func (m *Manager) Send(ctx context.Context, text string, images ...strata.Image) (llm.Reply, error) {
	m.lock()
	defer m.unlock()
	if err := m.append(ctx, strata.Turn{Role: strata.RoleUser, Text: text, Images: images}); err != nil {
		return llm.Reply{}, err
	}
	defer m.warmRules(text)()
	return m.ask(ctx)
}

// Continue asks the model again, after tool results were appended or after it failed. A
// call without a result is shown with a note that says so, because protocols reject it
// otherwise.
func (m *Manager) Continue(ctx context.Context) (llm.Reply, error) {
	m.lock()
	defer m.unlock()
	return m.ask(ctx)
}

// Prompt returns the request that would be sent now, for callers with their own client.
// They append the answer with [Manager.Append] and report its usage with
// [Manager.Observe].
func (m *Manager) Prompt(ctx context.Context) (llm.Request, error) {
	m.lock()
	defer m.unlock()
	defer m.saveIfChanged(ctx)
	defer m.start(ctx, true)
	return m.prepare(ctx, false)
}

// Refused records that the model refused the last request from [Manager.Prompt] as too
// large, and returns a smaller one. [Manager.Send] and [Manager.Continue] do this
// themselves, once.
func (m *Manager) Refused(ctx context.Context) (llm.Request, error) {
	m.lock()
	defer m.unlock()
	defer m.saveIfChanged(ctx)
	return m.shrinkRefused(ctx, errRefused)
}

var errRefused = errors.New("the model refused the request as too large")

// prepare brings the window below its thresholds, recalls, and assembles the request.
func (m *Manager) prepare(ctx context.Context, force bool) (llm.Request, error) {
	if len(m.win.items) == 0 {
		return llm.Request{}, strata.Invalid("assemble request", "the conversation is empty", "append a user's turn first")
	}
	if err := m.forget(ctx); err != nil {
		return llm.Request{}, err
	}
	m.adopt(ctx)
	m.refresh(ctx)
	if err := m.maintain(ctx, force); err != nil {
		return llm.Request{}, err
	}
	m.prepared = m.win.last()
	m.recall(ctx) // may find turns that have just left the window
	if err := m.maintain(ctx, false); err != nil {
		return llm.Request{}, err
	}
	var messages []llm.Message
	if m.system != "" {
		messages = append(messages, llm.Message{Role: strata.RoleSystem, Text: m.system})
	}
	messages = append(messages, render(m.win.items)...)
	m.asked = m.fixed + m.win.cost + m.warn(messages)
	m.publish()
	return llm.Request{
		Messages: messages, Tools: m.opt.Tools,
		MaxTokens: m.opt.Reserve, Window: m.opt.Window, Temperature: m.opt.Temperature,
	}, nil
}

// warn adds a note to the very end of the request that its context is nearly full, and
// returns the cost of the note.
func (m *Manager) warn(messages []llm.Message) int {
	level := m.level()
	if level < m.opt.Thresholds.Warn {
		m.warned = false
		return 0
	}
	if !m.warned {
		m.warned = true
		m.emit(Warned{Level: level})
	}
	block := fenced(tagNote, "", fmt.Sprintf("%d %% of the context is in use.\n%s", int(level*100), promptWarning))
	cost := m.meter.text(block) + 2
	if m.calibration.Scale(m.fixed+m.win.cost+cost) > m.budget() {
		return 0
	}
	last := &messages[len(messages)-1]
	last.Text = joinTexts(last.Text, block)
	return cost
}

// ask sends the conversation and appends the answer.
func (m *Manager) ask(ctx context.Context) (llm.Reply, error) {
	if m.opt.Model == nil {
		return llm.Reply{}, &strata.Error{Code: strata.CodeUnavailable, Op: "ask the model", Message: "no model is configured",
			Hint: "set Options.Model, or use Prompt with a client of your own"}
	}
	defer m.saveIfChanged(ctx) // in case there is no answer
	defer m.start(ctx, true)   // after the answer: the two may share a server
	req, err := m.prepare(ctx, false)
	if err != nil {
		return llm.Reply{}, err
	}
	reply, err := m.opt.Model.Chat(ctx, req, m.opt.OnDelta)
	if strata.CodeOf(err) == strata.CodeTooLarge {
		if req, err = m.shrinkRefused(ctx, err); err != nil {
			return llm.Reply{}, err
		}
		reply, err = m.opt.Model.Chat(ctx, req, m.opt.OnDelta)
	}
	if err != nil {
		return reply, fmt.Errorf("ask %s: %w", m.opt.Model.Model(), err)
	}
	return reply, m.take(ctx, reply)
}

// shrinkRefused corrects the count after the model refused the request as too
// large, and returns a smaller one.
func (m *Manager) shrinkRefused(ctx context.Context, refusal error) (llm.Request, error) {
	m.countExactly()
	m.calibration.Refused(m.asked, m.opt.Window)
	m.bound()
	m.assemblePrefix()
	m.emit(Retried{Why: refusal.Error()})
	_ = m.save(ctx) // an event reports a failure; it is learned again
	return m.prepare(ctx, true)
}

// take makes the answer part of the conversation and learns from its usage.
func (m *Manager) take(ctx context.Context, reply llm.Reply) error {
	if m.observe(reply.Usage) {
		m.unsaved = true // saved with the answer, together with what was recalled
	}
	if strings.TrimSpace(reply.Message.Text) == "" && len(reply.Message.Calls) == 0 {
		return &strata.Error{Code: strata.CodeCorrupt, Op: "ask " + m.opt.Model.Model(), Message: "the model answered nothing",
			Hint: "ask again; if it persists, the model does not suit the task"}
	}
	return m.append(ctx, strata.Turn{
		Role: strata.RoleAssistant, Text: reply.Message.Text, Calls: reply.Message.Calls, Images: reply.Message.Images,
	})
}
