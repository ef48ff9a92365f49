package contextmgr

import (
	"context"
	"errors"
	"sync"
	"time"
)

const (
	// breakAfter is how many useless answers in a row open the breaker.
	breakAfter = 3
	// firstRest is how long the breaker then stays open. The time doubles with each
	// further useless answer, up to longestRest.
	firstRest   = time.Minute
	longestRest = time.Hour
)

// breaker stops a conversation from asking a small model that keeps answering junk or
// times out. The breaker of package llm is for servers that fail; this one is for useless
// answers.
type breaker struct {
	now func() time.Time

	mu    sync.Mutex // guards the fields below, which background jobs use too
	bad   int        // useless answers in a row
	why   string     // why the last one was useless
	until time.Time  // the model must not be asked before this time
	wait  time.Duration
}

// open reports whether the model must not be asked now.
func (b *breaker) open() bool {
	until, _ := b.resting()
	return !until.IsZero()
}

// resting returns until when the model must not be asked, and why; zero if it may be
// asked.
func (b *breaker) resting() (until time.Time, why string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.bad < breakAfter || !b.now().Before(b.until) {
		return time.Time{}, ""
	}
	return b.until, b.why
}

// record notes whether an answer was useful: a non-nil err says why not.
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

// reportRest emits an event when the small model starts to rest, and when it answers
// usefully again.
func (m *Manager) reportRest() {
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

// well reports whether the last answer was useful.
func (b *breaker) well() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.bad == 0
}
