// Package embedding keeps the vectors of a home: which model's vectors serve,
// which model is to follow it, and the calls to their embedders.
//
// A write takes what [Models.ForWrite] made of its texts; a read goes through
// [Models.View], so that vectors of two models never meet. What has no vector
// yet waits in the store, in a queue for each model. [Models.FillQueues] and
// [Models.Backfill] make those vectors in the background: the first for what
// writes could not wait for, the second for every passage when the model
// changes. Why it is so: docs/decisions/0005-changing-the-embedding-model.md.
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

// Options configure [New]. Logger and Now must be set.
type Options struct {
	// Embedder is the wanted embedder; nil means none.
	Embedder llm.Embedder
	// KeepModel leaves a home that has vectors with the model it has, unless that is
	// an earlier version of the built-in one.
	KeepModel bool
	// Find returns the embedder of a model by its name, or nil. It may be nil
	// itself.
	Find func(model string) llm.Embedder
	// Words are those that the home has for the built-in embedder; nil: it has those of
	// the program.
	Words Words
	// CallTimeout bounds a call that a write or read waits for, BatchTimeout one
	// in the background, unless the embedder is an [llm.InProcess].
	CallTimeout, BatchTimeout time.Duration
	// Holder names this process to others that would make the same vectors.
	Holder string
	// Queues calls [Models.FillQueues] and Backfills [Models.Backfill] in the background;
	// nil: nothing does.
	Queues, Backfills *worker.Worker
	// Outages are told how calls of embedders outside of this process went, of which no
	// caller had given up; nil: nobody is.
	Outages *outage.Watch
	// Logger receives what goes wrong.
	Logger *slog.Logger
	// Now is the clock.
	Now func() time.Time
}

// Words are the vectors of words that a home has for the built-in embedder.
type Words interface {
	// Embedder returns the built-in embedder with the words in use, which other
	// processes may change. It does not block.
	Embedder() *builtin.Embedder
	// Keep removes what no model needs, when the vectors of others are gone.
	Keep(models []string)
}

// Models are the embedding models of a home. They are safe for concurrent use.
type Models struct {
	store  store.Store
	opts   Options
	atHand embedders
	// known is which models are wanted as this process saw it last.
	known atomic.Pointer[store.Embedding]
}

// New returns the models of a store. [Models.Start] must follow.
func New(st store.Store, o Options) *Models {
	return &Models{store: st, opts: o,
		atHand: embedders{find: o.Find, wanted: o.Embedder, counted: 1, failing: make(map[string]pause)}}
}

// Start reads which models are wanted, and says in the store that this process
// wants its embedder. It refuses one that can never serve.
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
		ms.atHand.of(st.Serving) // who looks for it says if its file is gone, before other vectors take over
	}
	if err := ms.announce(ctx, true); err != nil { // no reason to refuse: the background tries again
		ms.opts.Logger.Warn("the embedding model is not wanted yet", "error", err)
	}
	return nil
}

// FillSoon has the background make the vectors that writes could not wait for.
func (ms *Models) FillSoon() { ms.opts.Queues.Wake() }

// Wake has the background make all vectors that are wanted.
func (ms *Models) Wake() {
	ms.FillSoon()
	ms.opts.Backfills.Wake()
}

// Serving is the model whose vectors serve, as this process saw it last; zero
// while none does.
func (ms *Models) Serving() store.Model { return ms.known.Load().Serving }

// HasEmbedder reports whether this process wants a model.
func (ms *Models) HasEmbedder() bool { return ms.atHand.current() != nil }

// ServingReady looks which model serves now, and reports whether its embedder is
// available.
func (ms *Models) ServingReady(ctx context.Context) (bool, error) {
	st, err := ms.refreshNow(ctx)
	return ms.atHand.of(st.Serving) != nil, err
}

// Refresh reads which models are wanted and remembers it. What another process
// changed is new work for this one.
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

// refreshNow is Look in a transaction of its own.
func (ms *Models) refreshNow(ctx context.Context) (st store.Embedding, err error) {
	err = ms.store.View(ctx, func(r store.Reader) error {
		st, err = ms.Refresh(ctx, r)
		return err
	})
	return st, err
}

// Report says how far the vectors of a home are.
type Report struct {
	// Serving is the model whose vectors answer queries; empty while there are
	// none. ServingReady reports that its embedder is available in this process.
	Serving      string `json:"serving"`
	ServingReady bool   `json:"serving_ready"`
	// Target is the model that is to follow; empty if none is. Done of Total
	// passages were looked through for it.
	Target      string     `json:"target,omitempty"`
	TargetReady bool       `json:"target_ready,omitempty"`
	Done        int64      `json:"done,omitempty"`
	Total       int64      `json:"total,omitempty"`
	Since       *time.Time `json:"since,omitempty"`
	// Stale counts earlier models whose vectors are being removed.
	Stale int `json:"stale,omitempty"`
}

// Report says which model's vectors serve, which is to follow, and how far that
// is.
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
