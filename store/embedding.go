package store

import (
	"context"
	"time"
)

// Model names an embedding model. Vectors compare only within one model: with
// the same name and the same length. The zero value is no model.
type Model struct {
	Name string `json:"name"` // as the embedder says, "builtin/words-384@3"
	Dim  int    `json:"dim"`  // length of its vectors
}

// IsZero reports whether m is no model.
func (m Model) IsZero() bool { return m == Model{} }

// Vectors are the vectors of one text, at most one for each model.
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

// Embedding says which model's vectors answer queries, which is to follow it,
// and which is the base. Vectors of other models are not stored.
type Embedding struct {
	// Serving is the model whose vectors answer queries; zero as long as there
	// are none.
	Serving Model
	// Target is the model that is to serve once every passage has a vector of
	// it; zero if nothing is under way. It is never the serving model.
	Target Model
	// Base is the model whose vectors are stored whichever model serves; zero if
	// there is none. It may be the serving model or the target.
	Base Model
	// Done counts the passages that were looked through for the target, and
	// Total those that there were when it was named.
	Done, Total int64
	// ServingWaits, TargetWaits and BaseWaits say that passages wait in the queue
	// for a vector of that model.
	ServingWaits, TargetWaits, BaseWaits bool
	// Since is when the target was named.
	Since time.Time
	// Holder names who makes the target's vectors, and LeaseUntil says until
	// when nobody else should. A lease that ran out binds nobody.
	Holder     string
	LeaseUntil time.Time
	// Stale counts models whose vectors [EmbeddingWriter.DropStale] is to remove.
	Stale int
	// Earlier says that vectors lie in the form of an earlier version, from which
	// DropStale is to bring them over. Searches find the same meanwhile.
	Earlier bool
}

// Wants reports whether vectors of a model are stored.
func (e Embedding) Wants(m Model) bool {
	return !m.IsZero() && (m == e.Serving || m == e.Target || m == e.Base)
}

// BackfillBatch is a part of the backfill: all passages there were when a model
// became the target are gone through for those without a vector of it.
type BackfillBatch struct {
	// Missing are the passages of the batch without a vector of the target.
	Missing []Unembedded
	// Through is the number of its last passage, for AdvanceBackfill; 0 when
	// nothing is left.
	Through int64
	// Seen counts its passages.
	Seen int64
}

// EmbeddingReader reads how far the vectors are.
type EmbeddingReader interface {
	// Embedding returns which models are wanted.
	Embedding(ctx context.Context) (Embedding, error)
	// Unembedded returns up to limit passages of any scope that wait in the
	// queue for a vector of the model, those with the fewest attempts first. As
	// long as no model serves they wait for the zero model. None wait for a
	// model that is not wanted.
	Unembedded(ctx context.Context, m Model, limit int) ([]Unembedded, error)
	// NextBackfill returns the batch that follows in the backfill of the target,
	// with up to limit passages without a vector of it. Its cost does not follow
	// the batches before.
	NextBackfill(ctx context.Context, target Model, limit int) (BackfillBatch, error)
}

// EmbeddingWriter changes which models are wanted.
type EmbeddingWriter interface {
	// SetTargetModel makes m the model that is to serve, at once if none does. What
	// was under way for another model is given up; the vectors of a model that
	// is wanted no more are stale. To want the serving model ends a
	// re-embedding. To want what is wanted changes nothing.
	SetTargetModel(ctx context.Context, m Model) error
	// KeepModel makes m the base, whose vectors stay when another model comes to
	// serve. Where it is not wanted yet, every passage waits for its vector from
	// then on. As long as no model serves it changes nothing.
	KeepModel(ctx context.Context, m Model) error
	// LeaseBackfill gives the backfill to a holder until the given time and
	// reports whether it was free: held by nobody, by the holder itself or
	// longer than it was leased for. A time that has passed gives it back.
	LeaseBackfill(ctx context.Context, holder string, until time.Time) (bool, error)
	// AdvanceBackfill notes that a batch is done. Passages of it that still have
	// no vector must have been delayed before, so that they wait in the queue.
	AdvanceBackfill(ctx context.Context, target Model, b BackfillBatch) error
	// SwitchModel makes the target the serving model if it is m and complete:
	// every passage has a vector of it. It reports whether it did. The vectors
	// of the model that served are stale then.
	SwitchModel(ctx context.Context, m Model) (bool, error)
	// DropStale removes up to limit stale vectors, and as much of what was
	// derived from them, and reports whether more are left. Vectors in the form of
	// an earlier version it brings over first, as many at a time.
	DropStale(ctx context.Context, limit int) (bool, error)
	// DelayEmbedding counts a failed attempt to embed passages with a model.
	// Those without a vector of it wait in the queue from then on.
	DelayEmbedding(ctx context.Context, m Model, numbers []int64) error
}
