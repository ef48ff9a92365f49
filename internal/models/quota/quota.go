// Package quota limits the daily use of models for a home's own work: reading
// conversations, consolidating, answering from memory. The store counts the use of all
// processes together. Each call is counted before it is made, so a process that is killed
// may have counted too much, but never too little.
package quota

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text/token"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/store"
)

// Limits are the most calls and tokens per day, which begins at midnight UTC. 0 means no
// limit.
type Limits struct {
	Calls  int64
	Tokens int64 // tokens of requests and answers together
}

// Use is the use of models on one day, with the limits.
type Use struct {
	store.ModelUse
	Limits Limits
}

// Meter counts calls of models. It is safe for concurrent use.
type Meter struct {
	store  store.Store
	limits Limits
	now    func() time.Time
}

// New returns a meter for the home behind st.
func New(st store.Store, limits Limits, now func() time.Time) *Meter {
	return &Meter{st, limits, now}
}

// Use returns today's use.
func (m *Meter) Use(ctx context.Context) (Use, error) {
	u, err := store.Read(ctx, m.store, func(r store.Reader) (store.ModelUse, error) { return r.ModelUse(ctx, m.today()) })
	return Use{u, m.limits}, err
}

func (m *Meter) today() string { return m.now().UTC().Format(time.DateOnly) }

// Chat returns c with its calls counted. A call beyond the limits is not made and fails
// with code unavailable, and the first such call of a day appends an event. Chat returns
// nil if c is nil.
func (m *Meter) Chat(c llm.Chat) llm.Chat {
	if c == nil {
		return nil
	}
	return &metered{c, m}
}

type metered struct {
	chat  llm.Chat
	meter *Meter
}

func (c *metered) Model() string { return c.chat.Model() }

func (c *metered) Chat(ctx context.Context, req llm.Request, onDelta func(llm.Delta) error) (llm.Reply, error) {
	day, counted := c.meter.today(), store.ModelUse{Calls: 1, Tokens: expected(req)}
	if err := c.meter.reserve(ctx, day, counted); err != nil {
		return llm.Reply{}, err
	}
	heard := false
	reply, err := c.chat.Chat(ctx, req, func(d llm.Delta) error {
		heard = heard || d != llm.Delta{}
		if onDelta == nil {
			return nil
		}
		return onDelta(d)
	})
	settled := counted
	switch used := int64(reply.Usage.Prompt) + int64(reply.Usage.Completion); {
	case used > 0:
		settled.Tokens = used
	case err == nil:
		settled.Tokens = requested(req) + int64(token.Count(reply.Message.Text))
	case !heard && strata.CodeOf(err) == strata.CodeUnavailable:
		settled = store.ModelUse{} // the server was not reached
	}
	// Count even if the caller gave up: the model was asked all the same.
	return reply, errors.Join(err, c.meter.add(context.WithoutCancel(ctx), day,
		store.ModelUse{Calls: settled.Calls - counted.Calls, Tokens: settled.Tokens - counted.Tokens}))
}

// reserve counts a call before it is made, or refuses it.
func (m *Meter) reserve(ctx context.Context, day string, u store.ModelUse) error {
	var refused error
	err := m.store.Update(ctx, func(w store.Writer) error {
		now, err := w.ModelUse(ctx, day)
		if err != nil {
			return err
		}
		if refused = m.limits.refuse(now, u); refused == nil {
			return w.AddModelUse(ctx, day, u)
		}
		if now.Refused == 0 {
			detail := fmt.Sprintf("%d calls, %d tokens", now.Calls, now.Tokens)
			if err := w.AppendEvent(ctx, strata.Event{Kind: strata.EventModelStopped, Scope: strata.Global(), Ref: day, Detail: detail, At: w.Now()}); err != nil {
				return err
			}
		}
		return w.AddModelUse(ctx, day, store.ModelUse{Refused: 1})
	})
	return errors.Join(refused, err)
}

// refuse returns an error if a call would exceed the limits, and nil if it may be made.
func (l Limits) refuse(now, more store.ModelUse) error {
	what := ""
	switch {
	case l.Calls > 0 && now.Calls+more.Calls > l.Calls:
		what = fmt.Sprintf("%d of %d calls", now.Calls, l.Calls)
	case l.Tokens > 0 && now.Tokens+more.Tokens > l.Tokens:
		what = fmt.Sprintf("%d of %d tokens", now.Tokens, l.Tokens)
	default:
		return nil
	}
	return &strata.Error{Code: strata.CodeUnavailable, Op: "ask model", Message: "the limit of a day for memory's own use of models is reached: " + what,
		Hint: "wait for the next day in UTC, or raise model_calls_per_day or model_tokens_per_day"}
}

// add adds u, which may be negative, to the use of a day.
func (m *Meter) add(ctx context.Context, day string, u store.ModelUse) error {
	if u == (store.ModelUse{}) {
		return nil
	}
	return m.store.Update(ctx, func(w store.Writer) error { return w.AddModelUse(ctx, day, u) })
}

// usualAnswer is the assumed length of an answer without a limit, in tokens.
const usualAnswer = 1024

// expected returns the expected cost of a call, in tokens.
func expected(req llm.Request) int64 {
	answer := int64(req.MaxTokens)
	if answer == 0 {
		answer = usualAnswer
	}
	return requested(req) + answer
}

// requested estimates the cost of a request, in tokens.
func requested(req llm.Request) int64 {
	n := 0
	for _, m := range req.Messages {
		n += token.Count(m.Text)
	}
	return int64(n + token.Count(string(req.Schema)))
}
