package contextmgr

import (
	"context"
	"errors"
	"sync"
	"time"
)

const (
	// breakAfter is how many useless answers in a row end the asking.
	breakAfter = 3
	// firstRest is how long the model is not asked then. It doubles with each useless
	// answer after it, up to longestRest.
	firstRest   = time.Minute
	longestRest = time.Hour
)

// breaker keeps a conversation from asking a small model again and again that answers
// junk, or nothing in time. The breaker of package llm knows of servers that fail; this
// one, of answers that cannot be used.
type breaker struct {
	now func() time.Time

	mu    sync.Mutex // guards the fields below: the background asks, too
	bad   int        // useless answers in a row
	why   string     // the last of them
	until time.Time  // no question before
	wait  time.Duration
}

// open reports whether the model is not to be asked now.
func (b *breaker) open() bool {
	until, _ := b.resting()
	return !until.IsZero()
}

// resting is until when the model is not asked, and why; zero if it is.
func (b *breaker) resting() (until time.Time, why string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.bad < breakAfter || !b.now().Before(b.until) {
		return time.Time{}, ""
	}
	return b.until, b.why
}

// record notes whether an answer was of use: err says why not.
func (b *breaker) record(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err == nil {
		b.bad, b.wait = 0, 0
		return
	}
	b.bad++
	if b.why = err.Error(); errors.Is(err, context.DeadlineExceeded) {
		b.why = "it did not answer in time"
	}
	if b.bad >= breakAfter {
		b.wait = min(max(2*b.wait, firstRest), longestRest)
		b.until = b.now().Add(b.wait)
	}
}

// tellHelper says once that the small model rests, and once that it is of use again.
func (m *Manager) tellHelper() {
	until, why := m.breaker.resting()
	switch {
	case !until.IsZero() && !m.resting:
		m.resting = true
		m.emit(Rests{Model: m.opt.Small.Model(), Why: why, Until: until})
	case m.resting && m.breaker.well():
		m.resting = false
		m.emit(Resumed{Model: m.opt.Small.Model()})
	}
}

// well reports whether the last answer was of use.
func (b *breaker) well() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.bad == 0
}
