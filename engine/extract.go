package engine

import (
	"context"
	"slices"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/contextmgr"
	"github.com/strata-memory/strata/internal/extract/queue"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

var _ queue.Memory = (*Engine)(nil)

// openQueue starts the extraction of facts from turns, in the background for what is
// outstanding.
func (e *Engine) openQueue() {
	o := queue.Options{Store: e.store, Memory: e, Ledger: e.Ledger, Editor: e.Editor, Logger: e.opts.Logger}
	if !e.opts.ModelOnCall {
		o.Readings = e.readings
	}
	if e.opts.Model != nil {
		o.Model = contextmgr.ModelExtractor{Model: e.opts.Model, Window: e.opts.ModelWindow}
	}
	e.queue = queue.New(o)
	e.readings.Start()
	e.extractions.Start()
}

// quietCheck is how often an open engine looks for conversations, of any process, that
// have gone idle.
const quietCheck = time.Minute

// lookForQuiet wakes the extraction of turns that are due to be read.
func (e *Engine) lookForQuiet(ctx context.Context) {
	if due, err := e.queue.Due(ctx, store.ByRules); due || err != nil {
		e.extractions.Wake()
	}
	if due, err := e.queue.Due(ctx, store.ByModel); due || err != nil {
		e.wakeModel()
	}
}

// wakeModel makes the model continue reading in the background.
func (e *Engine) wakeModel() {
	if !e.opts.ModelOnCall {
		e.readings.Wake()
	}
}

// Extractor returns the queue of turns that wait to be read for facts.
func (e *Engine) Extractor() *ExtractionQueue { return e.queue }

// Extract is [ExtractionQueue.Extract].
func (e *Engine) Extract(ctx context.Context, scope strata.Scope, session string) ([]strata.Decision, error) {
	return e.queue.Extract(ctx, scope, session)
}

// ExtractNew is [ExtractionQueue.ExtractNew].
func (e *Engine) ExtractNew(ctx context.Context, scope strata.Scope, session string) ([]strata.Decision, error) {
	return e.queue.ExtractNew(ctx, scope, session)
}

// ExtractByModel calls [ExtractionQueue.ByModel] while the background reading pauses.
func (e *Engine) ExtractByModel(ctx context.Context, progress func(done, waiting int)) (all []strata.Decision, err error) {
	err = e.readings.DrainWith(ctx, func(ctx context.Context) error {
		all, err = e.queue.ByModel(ctx, progress)
		return err
	})
	return all, err
}

// Owner returns the scope that a candidate would be written to.
func (e *Engine) Owner(c strata.Candidate) (strata.Scope, error) {
	p, err := propose(c)
	return p.candidate.Scope, err
}

// meantPerTurn is how many facts are looked up for each turn.
const meantPerTurn = 6

// RelatedFacts returns at most limit current facts that turns may be about. For each turn
// of the user it takes what recall finds, with or without evidence, and puts the best hit
// of every turn first.
func (e *Engine) RelatedFacts(ctx context.Context, view strata.View, turns []strata.Turn, limit int) ([]strata.Fact, error) {
	var ranked [meantPerTurn][]string // by rank among the hits of a turn
	for _, t := range turns {
		if t.Role != strata.RoleUser {
			continue
		}
		said := text.Head(t.Text, contextmgr.MaxRecallQuery)
		if len(text.Terms(said)) == 0 {
			continue
		}
		res, err := e.Query(ctx, strata.Query{
			View: view, Text: said, Kinds: []strata.Kind{strata.KindFact}, Limit: meantPerTurn, All: true, Automatic: true, Quiet: true,
		})
		if err != nil {
			return nil, err
		}
		for i, h := range res.Hits[:min(len(res.Hits), meantPerTurn)] {
			ranked[i] = append(ranked[i], h.ID)
		}
	}
	return store.Read(ctx, e.store, func(r store.Reader) ([]strata.Fact, error) {
		var out []strata.Fact
		for _, id := range slices.Concat(ranked[:]...) {
			known := slices.ContainsFunc(out, func(f strata.Fact) bool { return f.ID == id })
			if known || len(out) == limit {
				continue
			}
			f, err := r.Fact(ctx, view.Scopes, id)
			if err != nil && strata.CodeOf(err) != strata.CodeNotFound {
				return nil, err
			}
			if err == nil && f.Current() {
				out = append(out, f)
			}
		}
		return out, nil
	})
}

// RelatedFacts returns at most limit current facts that turns may be about, the most
// likely first.
func (c *Conversation) RelatedFacts(ctx context.Context, turns []strata.Turn, limit int) ([]strata.Fact, error) {
	return c.engine.RelatedFacts(ctx, c.View(), turns, limit)
}
