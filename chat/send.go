package chat

import (
	"context"
	"fmt"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text/token"
	"github.com/strata-memory/strata/llm"
)

// Answer is the result of a message.
type Answer struct {
	// Text is everything the assistant said, including between tool calls.
	Text string
	// Calls counts the tool calls made for it.
	Calls int
	// Usage is the sum over all requests, as the server counted.
	Usage llm.Usage
	// Stop says why the last answer ended.
	Stop llm.Stop
}

func (a *Answer) add(r llm.Reply) {
	if text := strings.TrimSpace(r.Message.Text); text != "" {
		if a.Text != "" {
			a.Text += "\n\n"
		}
		a.Text += text
	}
	a.Usage.Prompt += r.Usage.Prompt
	a.Usage.Completion += r.Usage.Completion
	a.Stop = r.Stop
}

// Send passes a user message to the agent and returns the answer, after the tools that
// the model calls have run. On an error the answer holds the part received; that part and
// the user's message are in the conversation.
func (a *Agent) Send(ctx context.Context, text string, images ...strata.Image) (Answer, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	c := a.now.Load()
	a.learnFrom(ctx, c, text)
	reply, err := c.mgr.Send(ctx, text, images...)
	return a.loop(ctx, c, text, reply, err)
}

// loop runs the calls of a reply and asks again until there are none.
func (a *Agent) loop(ctx context.Context, c *current, text string, reply llm.Reply, err error) (Answer, error) {
	var answer Answer
	held := make(map[string]bool) // calls of this message that were held back
	for round := 1; ; round++ {
		answer.add(reply)
		if said := strings.TrimSpace(reply.Message.Text); said != "" {
			a.said = said
		}
		if err != nil {
			a.appendPartial(ctx, c, reply)
			return answer, err
		}
		calls := reply.Message.Calls
		if len(calls) == 0 {
			return answer, nil
		}
		answer.Calls += len(calls)
		results := make([]strata.Turn, len(calls))
		for i, call := range calls {
			if round > a.opt.Rounds {
				results[i] = failed(call, fmt.Sprintf("not run: tools were called %d times in a row. Answer now with what you have.", a.opt.Rounds))
				continue
			}
			results[i] = a.run(ctx, c, call, text, held)
		}
		// The model would repeat a call without a result, so append the results even if
		// the caller has given up.
		if err := c.mgr.Append(context.WithoutCancel(ctx), results...); err != nil {
			return answer, err
		}
		if ctx.Err() != nil {
			return answer, fmt.Errorf("run tools: %w", ctx.Err())
		}
		if round > a.opt.Rounds+1 {
			return answer, &strata.Error{Code: strata.CodeTooLarge, Op: "chat",
				Message: fmt.Sprintf("the model called tools %d times in a row without an answer", round),
				Hint:    "ask in another way, allow more rounds, or use a model that handles tools better"}
		}
		reply, err = c.mgr.Continue(ctx)
	}
}

// appendPartial appends the received part of an interrupted answer, because the user has
// seen it and may refer to it.
func (a *Agent) appendPartial(ctx context.Context, c *current, reply llm.Reply) {
	text := strings.TrimSpace(reply.Message.Text)
	if text == "" {
		return
	}
	err := c.mgr.Append(context.WithoutCancel(ctx), strata.Turn{Role: strata.RoleAssistant, Text: text + "\n[the answer broke off here]"})
	if err != nil {
		a.opt.OnEvent(Missed{What: "keeping the answer that broke off", Err: err})
	}
}

// learnFrom stores a learning if the message corrects the assistant.
func (a *Agent) learnFrom(ctx context.Context, c *current, text string) {
	if a.said == "" || strings.TrimSpace(text) == "" {
		return
	}
	corrected, err := c.talk.LearnCorrection(ctx, a.said, text)
	switch {
	case err != nil:
		a.opt.OnEvent(Missed{What: "keeping the correction", Err: err})
	case corrected:
		a.opt.OnEvent(Corrected{})
	}
}

// DefaultWindow is the assumed window of an unknown model, in tokens.
const DefaultWindow = 8192

// Window returns the context size of a model in tokens: what ask says, else what is known
// for the name, else [DefaultWindow]. ask may be nil. Window returns an error of ask only
// if it means that the model will not answer either: unavailable, not_found, denied,
// canceled.
func Window(ctx context.Context, model string, ask func(context.Context, string) (int, error)) (int, error) {
	if ask != nil {
		n, err := ask(ctx, model)
		switch strata.CodeOf(err) {
		case strata.CodeUnavailable, strata.CodeNotFound, strata.CodeDenied, strata.CodeCanceled:
			return 0, err
		}
		if err == nil && n > 0 {
			return n, nil
		}
	}
	if n, ok := token.Window(model); ok {
		return n, nil
	}
	return DefaultWindow, nil
}
