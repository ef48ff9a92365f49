// Package embedding manages the embedding models of a home: it keeps track of the model
// whose vectors serve and of the one to follow, and calls their embedders.
//
// A write stores the vectors that [Models.ForWrite] makes of its texts. A read goes
// through [Models.View], so that vectors of two models are never compared. Passages
// without a vector wait in the store, in a queue for each model. Two background jobs make
// these vectors: [Models.FillQueues] for what writes could not wait for, and
// [Models.Backfill] for every passage when the model changes. For the reasons, see
// docs/decisions/0005-changing-the-embedding-model.md.
package embedding

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/strata-memory/strata/internal/base/worker"
	"github.com/strata-memory/strata/internal/models/outage"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/llm/builtin"
	"github.com/strata-memory/strata/store"
)

// Options configures [New]. Logger and Now must be set.
type Options struct {
	// Embedder is the wanted embedder; nil means none.
	Embedder llm.Embedder
	// KeepModel keeps the model of a home that has vectors, unless that is an earlier
	// version of the built-in one.
	KeepModel bool
	// Find returns the embedder of a model by its name, or nil. Find itself may be nil.
	Find func(model string) llm.Embedder
	// Words are the home's own words for the built-in embedder; nil means the words that
	// the program ships with.
	Words Words
	// CallTimeout bounds a call that a write or read waits for, and BatchTimeout one in
	// the background. They do not apply to an [llm.InProcess] embedder.
	CallTimeout, BatchTimeout time.Duration
	// Holder identifies this process to others that may make the same vectors.
	Holder string
	// Queues runs [Models.FillQueues] and Backfills runs [Models.Backfill] in the
	// background. If they are nil, nothing does.
	Queues, Backfills *worker.Worker
	// Outages learns the outcome of calls to embedders outside of this process, except
	// calls that the caller gave up. It may be nil.
	Outages *outage.Watch
	// Logger receives warnings and progress.
	Logger *slog.Logger
	// Now is the clock.
	Now func() time.Time
}

// Words provides the word vectors that a home has for the built-in embedder.
type Words interface {
	// Embedder returns the built-in embedder with the words in use, which other
	// processes may change. It does not block.
	Embedder() *builtin.Embedder
	// Keep removes the files that no model needs any more. models are the ones still in
	// use.
	Keep(models []string)
}

// Models manages the embedding models of a home. It is safe for concurrent use.
type Models struct {
	store  store.Store
	opts   Options
	atHand embedders
	// known holds the models that are wanted, as this process last read them.
	known atomic.Pointer[store.Embedding]
}

// New returns the models of a store. [Models.Start] must follow.
func New(st store.Store, o Options) *Models {
	return &Models{store: st, opts: o,
		atHand: embedders{find: o.Find, wanted: o.Embedder, counted: 1, failing: make(map[string]pause)}}
}

// Start reads which models are wanted, and records in the store that this process wants
// its embedder. It returns an error for an embedder that can never serve.
func (ms *Models) Start(ctx context.Context) error {
	st, err := ms.refreshNow(ctx)
	if err != nil {
		return fmt.Errorf("read embedding models: %w", err)
	}
	if emb := ms.atHand.current(); emb != nil {
		if err := ms.check(ctx, "open memory", emb, st); err != nil {
			return err
		}
	}
	if builtin.HasWords(st.Serving.Name) {
		ms.atHand.of(st.Serving) // logs a warning if its file is gone, before other vectors take over
	}
	if err := ms.announce(ctx, true); err != nil { // not fatal: the background tries again
		ms.opts.Logger.Warn("the embedding model is not wanted yet", "error", err)
	}
	return nil
}

// FillSoon wakes the background job that makes the vectors that writes could not wait
// for.
func (ms *Models) FillSoon() { ms.opts.Queues.Wake() }

// Wake wakes the background jobs that make all wanted vectors.
func (ms *Models) Wake() {
	ms.FillSoon()
	ms.opts.Backfills.Wake()
}

// Serving returns the model whose vectors serve, as this process last read it; zero if
// none does.
func (ms *Models) Serving() store.Model { return ms.known.Load().Serving }

// HasEmbedder reports whether this process wants an embedder.
func (ms *Models) HasEmbedder() bool { return ms.atHand.current() != nil }

// ServingReady reads which model serves now, and reports whether its embedder is
// available.
func (ms *Models) ServingReady(ctx context.Context) (bool, error) {
	st, err := ms.refreshNow(ctx)
	return ms.atHand.of(st.Serving) != nil, err
}

// Refresh reads which models are wanted and remembers them. If another process changed
// them, it wakes the background jobs.
func (ms *Models) Refresh(ctx context.Context, r store.Reader) (store.Embedding, error) {
	st, err := r.Embedding(ctx)
	if err != nil {
		return st, err
	}
	before := ms.known.Swap(&st)
	if before != nil && (before.Serving != st.Serving || before.Target != st.Target ||
		st.ServingWaits && !before.ServingWaits || st.TargetWaits && !before.TargetWaits || st.BaseWaits && !before.BaseWaits) {
		ms.Wake()
	}
	return st, nil
}

// refreshNow is Refresh in a transaction of its own.
func (ms *Models) refreshNow(ctx context.Context) (st store.Embedding, err error) {
	err = ms.store.View(ctx, func(r store.Reader) error {
		st, err = ms.Refresh(ctx, r)
		return err
	})
	return st, err
}

// Report describes the state of a home's vectors.
type Report struct {
	// Serving is the model whose vectors answer queries; empty if there are none.
	// ServingReady reports whether its embedder is available in this process.
	Serving      string `json:"serving"`
	ServingReady bool   `json:"serving_ready"`
	// Target is the model that is to follow; empty if there is none. Done of Total
	// passages have been processed for it.
	Target      string     `json:"target,omitempty"`
	TargetReady bool       `json:"target_ready,omitempty"`
	Done        int64      `json:"done,omitempty"`
	Total       int64      `json:"total,omitempty"`
	Since       *time.Time `json:"since,omitempty"`
	// Stale counts earlier models whose vectors are being removed.
	Stale int `json:"stale,omitempty"`
}

// Report returns which model's vectors serve, which model is to follow, and its progress.
func (ms *Models) Report(ctx context.Context) (Report, error) {
	st, err := ms.refreshNow(ctx)
	if err != nil {
		return Report{}, err
	}
	out := Report{
		Serving: st.Serving.Name, ServingReady: ms.atHand.of(st.Serving) != nil,
		Target: st.Target.Name, TargetReady: ms.atHand.of(st.Target) != nil,
		Done: min(st.Done, st.Total), Total: st.Total, Stale: st.Stale,
	}
	if !st.Target.IsZero() {
		out.Since = &st.Since
	}
	return out, nil
}
