package llm

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/strata-memory/strata"
)

// outcome is what a call says about the health of its server.
type outcome int

const (
	answered outcome = iota // the server works, even if it said no
	failed                  // the server does not work
	unknown                 // the caller gave up before there was a result
)

// breaker spares callers the wait for a server that does not work. It is closed until a
// number of calls in a row fail. Then it rejects all calls until a cool-down has passed,
// and lets one call through, whose outcome closes it or starts the next cool-down.
type breaker struct {
	limit    int           // failures in a row that open it
	cooldown time.Duration // how long it stays open
	now      func() time.Time

	mu       sync.Mutex // guards the fields below
	failures int        // in a row
	last     error      // the text of the latest failure, without its chain
	until    time.Time  // no call before this time, once open
	probing  bool       // the one call of a half-open breaker is in progress
}

// enter asks for permission to make a call. probe says that this call tests whether the
// server is back; the caller passes it to leave.
func (b *breaker) enter(op, model string) (probe bool, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.failures < b.limit {
		return false, nil
	}
	now := b.now()
	if now.Before(b.until) {
		return false, b.refuse(op, model, now)
	}
	if b.probing {
		return false, &strata.Error{
			Code: strata.CodeUnavailable, Op: op,
			Message: fmt.Sprintf("model %s failed %d times in a row and is being tried again right now", model, b.failures),
			Hint:    "try again in a moment", Err: b.last,
		}
	}
	b.probing = true
	return true, nil
}

// refuse returns the error of an open breaker.
func (b *breaker) refuse(op, model string, now time.Time) error {
	wait := b.until.Sub(now).Round(time.Second)
	return &strata.Error{
		Code: strata.CodeUnavailable, Op: op,
		Message: fmt.Sprintf("model %s failed %d times in a row; it is tried again at %s, in %s",
			model, b.failures, b.until.Format("15:04:05 MST"), max(wait, time.Second)),
		Hint:    "check that its server runs; nothing needs to be restarted here",
		Details: map[string]string{"retry_at": b.until.UTC().Format(time.RFC3339)},
		Err:     b.last,
	}
}

// leave reports the outcome of a call that entered.
func (b *breaker) leave(probe bool, o outcome, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if probe {
		b.probing = false
	}
	switch o {
	case answered:
		b.failures, b.last = 0, nil
	case failed:
		b.failures++
		b.last = errors.New(err.Error())
		if b.failures >= b.limit {
			b.until = b.now().Add(b.cooldown)
		}
	}
}
