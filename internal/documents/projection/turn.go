package projection

import (
	"context"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/internal/documents/markdown"
)

// Bounds of turns, in decisions rendered and in scopes whose files are looked
// at. A scope costs about as much as 100 decisions: several files of it are
// written and made durable.
const (
	// What opening does first is what a killed process leaves of its last
	// moments. More than that would keep the caller waiting.
	openDecisions = 256
	openScopes    = 8
	// Closing finishes what this engine saved in a stream of writes, in which
	// files follow for a small share of the time.
	closeDecisions = 8 << 10
	closeScopes    = 64
	// The background rests between turns, and whoever wants files now waits for
	// the turn to end.
	turnDecisions = 2 * renderDecisions
	turnScopes    = 32
)

// Shares of the time that files follow in, in the background: a stream of
// writes is slowed by no more than the first, and where nothing is decided,
// files that are outstanding catch up.
const (
	busyShare    = 0.05
	catchUpShare = 0.5
)

// lockForReads is how long whoever only reads waits, when memory is opened and closed,
// for other processes that render files. What is left then, the background does.
const lockForReads = 200 * time.Millisecond

// turn bounds what is rendered in one go by the work that it is: however much
// is outstanding, a turn takes about as long.
type turn struct {
	decisions, scopes int  // that it may still render and look at
	all               bool // without bounds
	own               bool // only of scopes that this engine decided in
	more              bool // something may be left for another turn
}

func unbounded() *turn { return &turn{decisions: math.MaxInt, scopes: math.MaxInt, all: true} }

func (t *turn) spent() bool { return t.decisions <= 0 || t.scopes <= 0 }

// stops reports whether a scope has had its batch. One of which something
// waits is looked through further: what waits blocks nothing behind it.
func (t *turn) stops(waits bool) bool {
	if t.all || waits && t.decisions > 0 {
		return false
	}
	t.more = t.more || !waits // or came meanwhile: the next turn looks
	return true
}

// Replay lets files follow what an earlier process left, as far as opening
// waits for it. What cannot be written now waits for a later try: the error says
// why.
func (p *Projector) Replay(ctx context.Context) error {
	return p.alone(ctx, func(ctx context.Context) error {
		return p.soon(ctx, &turn{decisions: openDecisions, scopes: openScopes})
	})
}

// soon is run for whoever does not wait for other processes.
func (p *Projector) soon(ctx context.Context, t *turn) error {
	bounded, cancel := context.WithTimeout(ctx, lockForReads)
	defer cancel()
	err := p.run(ctx, bounded, t)
	if bounded.Err() != nil && ctx.Err() == nil && err != nil && p.o.Tell != nil {
		p.o.Tell("files may be older than memory: another process writes them")
	}
	return err
}

// Turn is a turn of the background. Where something may be left for another it asks for
// that.
func (p *Projector) Turn(ctx context.Context) error {
	if p.o.Tree == nil {
		return nil
	}
	t := &turn{decisions: turnDecisions, scopes: turnScopes}
	err := p.run(ctx, ctx, t)
	if t.more {
		p.o.Work.Wake()
	}
	return err
}

// Finish lets files follow what this engine decided, as far as closing waits for
// it: not for other processes where nothing but hand edits was decided.
func (p *Projector) Finish(ctx context.Context) error {
	t := &turn{decisions: closeDecisions, scopes: closeScopes, own: true}
	p.mu.Lock()
	asked := p.asked
	p.mu.Unlock()
	return p.alone(ctx, func(ctx context.Context) error {
		if !asked {
			return p.soon(ctx, t)
		}
		return p.run(ctx, ctx, t)
	})
}

// Rest is how long the background rests after a turn that took so long: files follow in a
// share of the time.
func (p *Projector) Rest(turn time.Duration) time.Duration {
	p.mu.Lock()
	busy := p.busy
	p.busy = false
	p.mu.Unlock()
	share := catchUpShare
	if busy {
		share = busyShare
	}
	return time.Duration(float64(turn) * (1/share - 1))
}

// order is in which order scopes have their turns: those that were asked for
// first, as somebody may look for the file of what they just saved; then those
// that others left, from where the last turn ended.
func (p *Projector) order(asked map[strata.Scope]markdown.Parts, pending []strata.Scope, own bool) []strata.Scope {
	p.mu.Lock()
	defer p.mu.Unlock()
	waits := make(map[strata.Scope]bool, len(pending))
	for _, s := range pending {
		waits[s] = true
	}
	var first, rest []strata.Scope
	for _, s := range documents.ByKey(maps.Keys(asked)) {
		if waits[s] || asked[s] != 0 {
			first = append(first, s)
		}
	}
	if own {
		return first
	}
	for _, s := range pending { // in the order of their keys
		if _, ok := asked[s]; !ok {
			rest = append(rest, s)
		}
	}
	next := slices.IndexFunc(rest, func(s strata.Scope) bool { return s.Key() > p.last })
	next = max(0, next) // behind the last is the first again
	return slices.Concat(first, rest[next:], rest[:next])
}
