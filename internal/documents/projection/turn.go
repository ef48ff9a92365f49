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

// Limits of turns, in decisions rendered and in scopes whose files are read. A scope
// costs about as much as 100 decisions, since several of its files are written and
// synced.
const (
	// Opening renders what a killed process left in its last moments. More than that
	// would keep the caller waiting.
	openDecisions = 256
	openScopes    = 8
	// Closing finishes what this engine saved in a stream of writes, during which files
	// are updated in a small share of the time.
	closeDecisions = 8 << 10
	closeScopes    = 64
	// The background pauses between turns. Callers that need files wait for the current
	// turn to end.
	turnDecisions = 2 * renderDecisions
	turnScopes    = 32
)

// Shares of the time that the background spends on updating files. A stream of writes is
// slowed down by at most busyShare. When nothing is decided, outstanding files catch up.
const (
	busyShare    = 0.05
	catchUpShare = 0.5
)

// lockForReads is how long opening and closing a memory that is only read wait for other
// processes that render files. The background does the rest.
const lockForReads = 200 * time.Millisecond

// turn limits rendering by the amount of work, so that a turn takes about the same time
// however much is outstanding.
type turn struct {
	decisions, scopes int  // that may still be rendered and read
	all               bool // no limits
	own               bool // only scopes in which this engine decided something
	more              bool // something may be left for another turn
}

func unbounded() *turn { return &turn{decisions: math.MaxInt, scopes: math.MaxInt, all: true} }

func (t *turn) spent() bool { return t.decisions <= 0 || t.scopes <= 0 }

// stops reports whether to stop with a scope after a batch. If something in it has to
// wait, its later decisions are still tried, since what waits does not block them.
func (t *turn) stops(waits bool) bool {
	if t.all || waits && t.decisions > 0 {
		return false
	}
	t.more = t.more || !waits // more may have come in the meantime
	return true
}

// Replay updates files after the decisions that an earlier process left, within the
// limits for opening. What cannot be written now is left for a later try, and the error
// says why.
func (p *Projector) Replay(ctx context.Context) error {
	return p.alone(ctx, func(ctx context.Context) error {
		return p.soon(ctx, &turn{decisions: openDecisions, scopes: openScopes})
	})
}

// soon is like run, but does not wait long for other processes.
func (p *Projector) soon(ctx context.Context, t *turn) error {
	bounded, cancel := context.WithTimeout(ctx, lockForReads)
	defer cancel()
	err := p.run(ctx, bounded, t)
	if bounded.Err() != nil && ctx.Err() == nil && err != nil && p.o.Tell != nil {
		p.o.Tell("files may be older than memory: another process writes them")
	}
	return err
}

// Turn runs one turn of the background, and requests another if something may be left.
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

// Finish updates files after the decisions of this engine, within the limits for closing.
// If these were only about hand edits, it does not wait long for other processes.
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

// Rest returns how long the background pauses after a turn of the given duration, so that
// files take only a share of the time.
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

// order returns the order in which scopes are rendered: first those requested, since
// somebody may look for the file of what they just saved, and then those left by others,
// starting after the last one reached.
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
	for _, s := range pending { // sorted by key
		if _, ok := asked[s]; !ok {
			rest = append(rest, s)
		}
	}
	next := slices.IndexFunc(rest, func(s strata.Scope) bool { return s.Key() > p.last })
	next = max(0, next) // wrap around after the last
	return slices.Concat(first, rest[next:], rest[:next])
}
