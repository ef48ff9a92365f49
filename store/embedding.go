package store

import (
	"context"
	"time"
)

// Model names an embedding model. Vectors can be compared only if their models have the
// same name and the same dimension. The zero value means no model.
type Model struct {
	Name string `json:"name"` // as the embedder reports it: "builtin/words-384@3"
	Dim  int    `json:"dim"`  // length of the model's vectors
}

// IsZero reports whether m is no model.
func (m Model) IsZero() bool { return m == Model{} }

// Vectors are the vectors of one text, at most one per model.
type Vectors []ModelVector

// ModelVector is a vector of a model.
type ModelVector struct {
	Model  Model
	Vector []float32
}

// Of returns the vector of a model, or nil.
func (x Vectors) Of(m Model) []float32 {
	for _, mv := range x {
		if mv.Model == m {
			return mv.Vector
		}
	}
	return nil
}

// Embedding says which model serves (its vectors answer queries), which is the target (it
// serves next) and which is the base. Vectors of other models are not stored.
type Embedding struct {
	// Serving is the model whose vectors answer queries; zero while there are no vectors.
	Serving Model
	// Target is the model that will serve once every passage has a vector of it; zero if
	// no change is under way. It is never the serving model.
	Target Model
	// Base is the model whose vectors are always stored, whichever model serves; zero if
	// there is none. It may be the serving model or the target.
	Base Model
	// Done counts the passages that were checked for the target, and Total the passages
	// that existed when it became the target.
	Done, Total int64
	// ServingWaits, TargetWaits and BaseWaits report whether passages are queued for a
	// vector of that model.
	ServingWaits, TargetWaits, BaseWaits bool
	// Since is when the target was set.
	Since time.Time
	// Holder names who makes the target's vectors. Nobody else should make them before
	// LeaseUntil; an expired lease has no effect.
	Holder     string
	LeaseUntil time.Time
	// Stale counts the models whose vectors [EmbeddingWriter.DropStale] will remove.
	Stale int
	// Earlier reports whether some vectors are still stored in the format of an earlier
	// version. DropStale converts them; until then searches find the same.
	Earlier bool
}

// Wants reports whether vectors of a model are stored.
func (e Embedding) Wants(m Model) bool {
	return !m.IsZero() && (m == e.Serving || m == e.Target || m == e.Base)
}

// BackfillBatch is a part of the backfill, which goes through all passages that existed
// when a model became the target and finds those without a vector of it.
type BackfillBatch struct {
	// Missing are the passages of the batch that have no vector of the target.
	Missing []Unembedded
	// Through is the number of the batch's last passage, for AdvanceBackfill; 0 when the
	// backfill is complete.
	Through int64
	// Seen counts the passages of the batch.
	Seen int64
}

// EmbeddingReader reads which models are wanted and which passages lack vectors.
type EmbeddingReader interface {
	// Embedding returns which models are wanted.
	Embedding(ctx context.Context) (Embedding, error)
	// Unembedded returns up to limit passages of any scope that are queued for a vector
	// of m, fewest attempts first. While no model serves, they are queued for the zero
	// model. No passages are queued for a model that is not wanted.
	Unembedded(ctx context.Context, m Model, limit int) ([]Unembedded, error)
	// NextBackfill returns the next batch of the target's backfill, with up to limit
	// passages that have no vector of it. Its cost does not depend on the batches before.
	NextBackfill(ctx context.Context, target Model, limit int) (BackfillBatch, error)
}

// EmbeddingWriter changes which models are wanted.
type EmbeddingWriter interface {
	// SetTargetModel makes m the target, or the serving model at once if none serves. It
	// abandons a change to another model; vectors of a model that is no longer wanted
	// become stale. If m is the serving model, it only ends a change under way. If m is
	// the target already, it changes nothing.
	SetTargetModel(ctx context.Context, m Model) error
	// KeepModel makes m the base, whose vectors stay when another model comes to serve.
	// If m was not wanted before, every passage is queued for a vector of it. While no
	// model serves, KeepModel changes nothing.
	KeepModel(ctx context.Context, m Model) error
	// LeaseBackfill gives the backfill to a holder until the given time. It reports
	// whether the backfill was free: not leased, leased by the same holder, or the lease
	// had expired. A time that has passed gives the holder's lease back.
	LeaseBackfill(ctx context.Context, holder string, until time.Time) (bool, error)
	// AdvanceBackfill records that a batch is done. The caller must first have passed
	// those of its passages that still have no vector to DelayEmbedding, so that they are
	// queued.
	AdvanceBackfill(ctx context.Context, target Model, b BackfillBatch) error
	// SwitchModel makes m the serving model if m is the target and every passage has a
	// vector of it, and reports whether it did. The vectors of the former serving model
	// become stale.
	SwitchModel(ctx context.Context, m Model) (bool, error)
	// DropStale removes up to limit stale vectors, with a similar amount of data derived
	// from them, and reports whether more are left. It first converts vectors in the
	// format of an earlier version, up to limit at a time.
	DropStale(ctx context.Context, limit int) (bool, error)
	// DelayEmbedding counts a failed attempt to embed passages with a model and queues
	// those that have no vector of it.
	DelayEmbedding(ctx context.Context, m Model, numbers []int64) error
}
