package engine

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/worker"
	"github.com/strata-memory/strata/internal/recall/evidence"
	"github.com/strata-memory/strata/internal/secrets"
	"github.com/strata-memory/strata/store"
)

// recorderQueue bounds the results that wait to be recorded. When it is full
// the oldest is dropped: a lost signal is worth less than a slow read.
const recorderQueue = 256

// recordRest is how long the recorder waits between two transactions. Each makes all
// readers look anew for their pages: one for every recall took a fifth of the processor
// time of a server that 64 clients ask.
const recordRest = 100 * time.Millisecond

// shown is a result that was given to somebody.
type shown struct {
	query  strata.Query
	result *strata.Result
	change int64 // the store's last when it was found
	at     time.Time
	took   time.Duration
}

// recorder writes recall events, accesses and traces in the background, all
// that wait in one transaction.
type recorder struct {
	store store.Store
	keep  int // recall events of a scope
	work  *worker.Worker

	mu      sync.Mutex // guards what follows
	waiting []shown
	dropped int
	counts  map[strata.Scope]recallCount // that no event tells of yet
	counted time.Time                    // when one was appended last
	closing bool
}

// countEvery is how often recalls are counted in an event: one an answer would make the
// log of events a list of them.
const countEvery = 10 * time.Minute

// recallCount counts what was asked.
type recallCount struct{ recalls, searches, hits, empty int }

// add counts a result.
func (c *recallCount) add(s shown) {
	if s.query.Search {
		c.searches++
	} else if c.recalls++; len(s.result.Hits) == 0 {
		c.empty++
	}
	c.hits += len(s.result.Hits)
}

// events tell of what was counted in a scope.
func (c recallCount) events(scope strata.Scope) []strata.Event {
	out := []strata.Event{{Kind: strata.EventRecallExecuted, Scope: scope,
		Detail: fmt.Sprintf("recalls %d, searches %d, hits %d", c.recalls, c.searches, c.hits)}}
	if c.empty > 0 {
		out = append(out, strata.Event{Kind: strata.EventRecallSkipped, Scope: scope, Detail: fmt.Sprintf("recalls %d", c.empty)})
	}
	return out
}

func startRecorder(st store.Store, keep int, log *slog.Logger) *recorder {
	r := &recorder{store: st, keep: keep}
	r.work = worker.Resting(log, "record recalls", func(time.Duration) time.Duration { return recordRest }, r.writeWaiting).Start()
	return r
}

// record hands a result over. It never blocks.
func (r *recorder) record(s shown) {
	r.mu.Lock()
	r.waiting = append(r.waiting, s)
	r.trim()
	r.mu.Unlock()
	r.work.Wake()
}

// trim drops the oldest of what is too much for the queue. The lock is held.
func (r *recorder) trim() {
	if over := len(r.waiting) - recorderQueue; over > 0 {
		r.waiting = slices.Delete(r.waiting, 0, over)
		r.dropped += over
	}
}

// flush writes everything that waits.
func (r *recorder) flush(ctx context.Context) error { return r.work.Drain(ctx) }

// close stops the background and writes what still waits.
func (r *recorder) close() error {
	r.work.Close()
	r.mu.Lock()
	r.closing = true
	r.mu.Unlock()
	return r.flush(context.Background())
}

// writeWaiting writes everything that waits. What cannot be written goes back to
// the queue, save in a store that nobody can write.
func (r *recorder) writeWaiting(ctx context.Context) error {
	r.mu.Lock()
	batch, dropped := r.waiting, r.dropped
	r.waiting, r.dropped = nil, 0
	counts := maps.Clone(r.counts)
	counted, due := r.counted, r.closing
	r.mu.Unlock()
	if len(batch) == 0 && (len(counts) == 0 || !due) {
		return nil
	}
	if counts == nil {
		counts = make(map[strata.Scope]recallCount)
	}
	for _, s := range batch {
		scope := s.query.View.Scopes[0]
		c := counts[scope]
		c.add(s)
		counts[scope] = c
		if s.at.Sub(counted).Abs() >= countEvery { // the clock may have been put back
			counted, due = s.at, true
		}
	}
	err := r.store.Update(ctx, func(w store.Writer) error {
		for _, s := range batch {
			if err := r.write(ctx, w, s); err != nil {
				return err
			}
		}
		if due {
			if err := appendCounts(ctx, w, counts); err != nil {
				return err
			}
		}
		if dropped == 0 {
			return nil
		}
		return w.AppendEvent(ctx, strata.Event{
			Kind: strata.EventRecallDropped, Scope: batch[0].query.View.Scopes[0], At: w.Now(),
			Detail: "results dropped from a full queue",
		})
	})
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case err == nil && due:
		r.counts, r.counted = nil, counted
	case err == nil:
		r.counts = counts
	case strata.CodeOf(err) != strata.CodeReadOnly:
		r.waiting = append(batch, r.waiting...)
		r.dropped += dropped
		r.trim()
	}
	return err
}

// appendCounts appends the events of what was counted, scope by scope.
func appendCounts(ctx context.Context, w store.Writer, counts map[strata.Scope]recallCount) error {
	scopes := slices.SortedFunc(maps.Keys(counts), func(a, b strata.Scope) int { return strings.Compare(a.Key(), b.Key()) })
	for _, s := range scopes {
		for _, e := range counts[s].events(s) {
			if err := w.AppendEvent(ctx, e); err != nil {
				return err
			}
		}
	}
	return nil
}

// write records one result: the trace, an event for each hit that has evidence,
// and an access for each fact and document unless nobody asked for it or somebody
// looked around. A section counts for its document, once: its own number changes with an
// edit.
//
// Of a result from before something was forgotten nothing is kept: question and hits may
// hold it. A question is kept as a turn is: without its secrets.
func (r *recorder) write(ctx context.Context, w store.Writer, s shown) error {
	for _, scope := range s.query.View.Scopes {
		if _, forgot, err := store.ForgottenSince(ctx, w, scope, s.change); err != nil || forgot {
			return err
		}
	}
	question, _ := secrets.Redact(s.query.Text)
	trace := store.Trace{
		ID: s.result.Trace, Scope: s.query.View.Scopes[0], Session: s.query.Session, Turn: s.query.Turn,
		At: s.at, Query: question, Took: s.took, Hits: []store.TraceHit{},
	}
	var events []store.RecallEvent
	accessed := make(map[strata.Scope][]string)
	for _, h := range s.result.Hits {
		trace.Hits = append(trace.Hits, store.TraceHit{ID: h.ID, Score: h.Score, Tier: h.Tier, Why: h.Why})
		if h.Evidence < evidence.Floor(s.query) {
			continue // shown because all was asked for
		}
		memory, isNew := h.ID, true
		if h.Kind == strata.KindSection {
			memory, _, _ = strings.Cut(h.ID, "/")
			isNew = !slices.ContainsFunc(events, func(e store.RecallEvent) bool { return e.Memory == memory && e.Scope == h.Scope })
		}
		if !isNew {
			continue
		}
		events = append(events, store.RecallEvent{
			Scope: h.Scope, Memory: memory, Query: question, Score: h.Score,
			Session: s.query.Session, Automatic: s.query.Automatic, At: s.at,
		})
		if h.Kind != strata.KindTurn && !s.query.Automatic && !s.query.Search {
			accessed[h.Scope] = append(accessed[h.Scope], memory)
		}
	}
	if err := w.PutTrace(ctx, trace); err != nil {
		return err
	}
	if err := w.RecordRecall(ctx, events, r.keep); err != nil {
		return err
	}
	for _, scope := range s.query.View.Scopes {
		if ids := accessed[scope]; len(ids) > 0 {
			if err := w.RecordAccess(ctx, scope, ids); err != nil {
				return err
			}
		}
	}
	return nil
}
