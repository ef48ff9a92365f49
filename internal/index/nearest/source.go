package nearest

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/passage"
)

// Source is what a search reads of a store, in one transaction. Scopes, models
// and passages are numbers. What a callback is given is valid until it returns,
// and an error of it ends the call and is returned.
type Source interface {
	// Heads returns the heads of a scope and a model whose kinds are in a mask of
	// [passage.KindMask].
	Heads(ctx context.Context, scope, model, kinds int64) ([]Head, error)
	// Center returns what the codes of a head are relative to, as
	// [vector.Encode] made it.
	Center(ctx context.Context, head int64) ([]byte, error)
	// Blocks calls fn with the blocks of a head that changed after a change, in
	// the order in which they did.
	Blocks(ctx context.Context, head, after int64, fn func(Block) error) error
	// Pending lists the passages of a head that are in no block yet.
	Pending(ctx context.Context, head int64) ([]int64, error)

	// Closest measures some passages by the vectors of a model, and calls fn with the
	// most that are closest to a vector and their cosines, closest first and equals by
	// number. Those without a direction are left out.
	Closest(ctx context.Context, model int64, to []float32, of Passages, most int, fn func(r *passage.Row, cosine float32) error) error
	// Vectors calls fn with the vectors of some passages by a model, as
	// [vector.Encode] makes them, save those without a direction.
	Vectors(ctx context.Context, model int64, of Passages, fn func(number int64, v []byte) error) error
	// Rows calls fn with the rows of some passages.
	Rows(ctx context.Context, of Passages, fn func(*passage.Row) error) error

	// ParentSums calls fn with the sums of the vectors of the parents of a scope.
	ParentSums(ctx context.Context, scope, model int64, kind strata.Kind, fn func(ParentSum) error) error
	// CountMembers counts the current passages of some parents.
	CountMembers(ctx context.Context, parents []int64) (int64, error)
	// Sessions lists the numbers of the sessions of a kind, rising.
	Sessions(ctx context.Context, scope int64, kind strata.SessionKind) ([]int64, error)
}

// Passages says which passages are meant.
type Passages struct {
	Scope   int64
	Parents []int64 // those of these parents; nil: of the whole scope
	Numbers []int64 // these, rising; nil: all of the above
	Pending []int64 // for Closest, besides Numbers: what is pending of these heads
}

// Head is what a store knows of the codes of one scope, model and kind.
type Head struct {
	ID      int64
	Kind    strata.Kind
	Coded   int64 // vectors in blocks
	Pending int64 // vectors in no block
	Change  int64 // of its blocks, the last one
	Removed int64 // the last change that removed a block
}

// ParentSum is the sum of the vectors of a parent's current passages.
type ParentSum struct {
	Number int64
	Count  int64  // of the vectors
	Sum    []byte // as [vector.Encode] made it
}
