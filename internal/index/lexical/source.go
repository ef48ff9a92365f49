package lexical

import (
	"context"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/passage"
)

// Source is what a search reads of a store, in one transaction. Scopes and
// passages are numbers, and terms are those that [passage.IsTerm] accepts, in the
// form that [Fold] makes. What a callback is given is valid until it returns, and
// an error of it ends the call and is returned.
type Source interface {
	// Scope returns what is counted of a scope.
	Scope(ctx context.Context, scope int64) (Scope, error)
	// Sessions lists the numbers of the sessions of a kind, rising.
	Sessions(ctx context.Context, scope int64, kind strata.SessionKind) ([]int64, error)

	// Entries calls fn once with the entries of a term in a scope, by number,
	// save those that are pending. fn may change the list.
	Entries(ctx context.Context, scope int64, term string, fn func([]Entry) error) error
	// Pending calls fn with the passages of a scope whose entries are pending, by
	// number, and their terms for [passage.Terms].
	Pending(ctx context.Context, scope int64, fn func(number int64, terms string) error) error

	// Rows calls fn with those of some passages that are there, by number.
	Rows(ctx context.Context, numbers []int64, fn func(*passage.Row) error) error
	// RowsBetween calls fn with the passages from number low to high, rising.
	RowsBetween(ctx context.Context, low, high int64, fn func(*passage.Row) error) error
	// Changed calls fn with up to limit passages of a scope that changed after a
	// change and are there, in the order in which they did, and their terms if
	// these are wanted.
	Changed(ctx context.Context, scope, after, limit int64, terms bool, fn func(r *passage.Row, terms string) error) error
	// Removed lists up to limit passages of a scope that were removed after a
	// change; 0 among them stands for all.
	Removed(ctx context.Context, scope, after, limit int64) ([]int64, error)
	// Sample calls fn with the terms of up to n passages that lie all over a
	// scope.
	Sample(ctx context.Context, scope int64, n int, fn func(terms string) error) error

	// Blocks lists the blocks of a scope by rising number.
	Blocks(ctx context.Context, scope int64) ([]Block, error)
	// BlockPassages returns the passages of the block that begins at a number.
	BlockPassages(ctx context.Context, low int64) ([]byte, error)
}

// Host is what an [Index] needs of a store to work in the background.
type Host interface {
	// Go runs fn in the background, until it returns or the store is closed. It
	// reports whether it does.
	Go(fn func(context.Context)) bool
	// View runs fn in a read transaction of its own.
	View(ctx context.Context, fn func(Source) error) error
	// GiveWay waits for a while if others use the store.
	GiveWay(ctx context.Context, d time.Duration) error
	// Pack stores blocks of a scope as p says, see [NextBlock].
	Pack(ctx context.Context, scope int64, p Packing) error
}

// Scope is what a store counts of a scope.
type Scope struct {
	// Change is the number of the last change of its passages: one that grows with
	// every passage that is added, changed or removed.
	Change  int64
	Totals  Totals // of the current passages
	Pending bool   // whether entries of any are pending
}

// Total counts passages and their terms that are not stop words.
type Total struct{ Passages, Words int64 }

// Totals are those of each kind, by its code: see [passage.KindCode].
type Totals [kindMask + 1]Total

// Of sums up the kinds of a mask of [passage.KindMask].
func (t *Totals) Of(mask int64) (sum Total) {
	for kind, n := range t {
		if mask>>kind&1 != 0 {
			sum.Passages += n.Passages
			sum.Words += n.Words
		}
	}
	return sum
}
