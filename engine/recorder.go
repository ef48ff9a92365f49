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

// recorderQueue bounds the number of results waiting to be recorded. When it is full the
// oldest is dropped: losing a signal is better than a slow read.
const recorderQueue = 256

// recordRest is the pause between two transactions of the recorder. Each transaction
// makes all readers reload pages: one for every recall took a fifth of the CPU time of a
// server with 64 clients.
const recordRest = 100 * time.Millisecond

// shown is a result that a query returned.
type shown struct {
	query  strata.Query
	result *strata.Result
	change int64 // the store's last change when the result was found
	at     time.Time
	took   time.Duration
}

// recorder writes recall events, accesses and traces in the background, all waiting ones
// in one transaction.
type recorder struct {
	store store.Store
	keep  int // number of recall events kept for each scope
	work  *worker.Worker

	mu      sync.Mutex // guards the fields below
	waiting []shown
	dropped int
	counts  map[strata.Scope]recallCount // not yet reported by an event
	counted time.Time                    // time of the last such event
	closing bool
}

// countEvery is the interval between events that count recalls. One event for each recall
// would flood the event log.
const countEvery = 10 * time.Minute

// recallCount counts queries and their hits.
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

// events returns the events that report the counts of a scope.
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

// record queues a result. It never blocks.
func (r *recorder) record(s shown) {
	r.mu.Lock()
	r.waiting = append(r.waiting, s)
	r.trim()
	r.mu.Unlock()
	r.work.Wake()
}

// trim drops the oldest results if the queue is too long. The caller holds the lock.
func (r *recorder) trim() {
	if over := len(r.waiting) - recorderQueue; over > 0 {
		r.waiting = slices.Delete(r.waiting, 0, over)
		r.dropped += over
	}
}

// flush writes all waiting results.
func (r *recorder) flush(ctx context.Context) error { return r.work.Drain(ctx) }

// close stops the background and writes the results still waiting.
func (r *recorder) close() error {
	r.work.Close()
	r.mu.Lock()
	r.closing = true
	r.mu.Unlock()
	return r.flush(context.Background())
}

// writeWaiting writes all waiting results. Those that cannot be written return to the
// queue, unless the store is read-only.
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
		if s.at.Sub(counted).Abs() >= countEvery { // the clock may have been set back
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

// appendCounts appends the count events, scope by scope.
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

// write records one result: the trace, an event for each hit with evidence, and an access
// for each such fact and document, unless the query was automatic or a search. Sections
// count once for their document, because their own numbers change with edits.
//
// If something was forgotten after the result was found, nothing is recorded, since
// question and hits may hold it. Secrets in the question are redacted.
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
			continue // shown only because the query asked for all
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
