package nearest

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/passage"
)

// Source is what a search reads from a store, in one transaction. Scopes, models and
// passages are numbers. The arguments of a callback are valid until it returns. An
// error from a callback ends the call, which returns it.
type Source interface {
	// Heads returns the heads of a scope and a model whose kinds are in a mask of
	// [passage.KindMask].
	Heads(ctx context.Context, scope, model, kinds int64) ([]Head, error)
	// Center returns the center that the codes of a head are relative to, encoded by
	// [vector.Encode].
	Center(ctx context.Context, head int64) ([]byte, error)
	// Blocks calls fn with the blocks of a head that changed after the change numbered
	// after, in the order of their changes.
	Blocks(ctx context.Context, head, after int64, fn func(Block) error) error
	// Pending lists the passages of a head that are in no block yet.
	Pending(ctx context.Context, head int64) ([]int64, error)

	// Closest measures some passages by the vectors of a model. It calls fn with the
	// passages closest to a vector, up to most, and their cosines, closest first; ties
	// are ordered by number. It leaves out vectors without a direction.
	Closest(ctx context.Context, model int64, to []float32, of Passages, most int, fn func(r *passage.Row, cosine float32) error) error
	// Vectors calls fn with the vectors of some passages by a model, encoded by
	// [vector.Encode], except those without a direction.
	Vectors(ctx context.Context, model int64, of Passages, fn func(number int64, v []byte) error) error
	// Rows calls fn with the rows of some passages.
	Rows(ctx context.Context, of Passages, fn func(*passage.Row) error) error

	// ParentSums calls fn with the sums of the vectors of the parents of a scope.
	ParentSums(ctx context.Context, scope, model int64, kind strata.Kind, fn func(ParentSum) error) error
	// CountMembers counts the current passages of some parents.
	CountMembers(ctx context.Context, parents []int64) (int64, error)
	// SessionNumbers lists the numbers of the sessions of a kind, ascending.
	SessionNumbers(ctx context.Context, scope int64, kind strata.SessionKind) ([]int64, error)
}

// Passages selects passages.
type Passages struct {
	Scope   int64
	Parents []int64 // only those of these parents; nil: of the whole scope
	Numbers []int64 // only these, ascending; nil: all of the above
	Pending []int64 // for Closest, besides Numbers: the pending passages of these heads
}

// Head is what a store records about the codes of one scope, model and kind.
type Head struct {
	ID      int64
	Kind    strata.Kind
	Coded   int64 // vectors in blocks
	Pending int64 // vectors in no block
	Change  int64 // the last change of its blocks
	Removed int64 // the last change that removed a block
}

// ParentSum is the sum of the vectors of a parent's current passages.
type ParentSum struct {
	Number int64
	Count  int64  // how many vectors
	Sum    []byte // encoded by [vector.Encode]
}
