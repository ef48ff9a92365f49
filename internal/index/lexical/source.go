package lexical

import (
	"context"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/passage"
)

// Source is what a search reads from a store, in one transaction. Scopes and
// passages are numbers. Terms are those that [passage.IsTerm] accepts, in the form
// that [Fold] returns. The arguments of a callback are valid until it returns. An
// error from a callback ends the call, which returns it.
type Source interface {
	// Scope returns the store's counts of a scope.
	Scope(ctx context.Context, scope int64) (Scope, error)
	// SessionNumbers lists the numbers of the sessions of a kind, ascending.
	SessionNumbers(ctx context.Context, scope int64, kind strata.SessionKind) ([]int64, error)

	// Entries calls fn once with the entries of a term in a scope, by number, except
	// pending ones. fn may modify the list.
	Entries(ctx context.Context, scope int64, term string, fn func([]Entry) error) error
	// Pending calls fn with the passages of a scope whose entries are pending, by
	// number, and their terms in the form that [passage.Terms] reads.
	Pending(ctx context.Context, scope int64, fn func(number int64, terms string) error) error

	// RowsAt calls fn with those of the given passages that exist, by number.
	RowsAt(ctx context.Context, numbers []int64, fn func(*passage.Row) error) error
	// RowsBetween calls fn with the passages numbered low to high, ascending.
	RowsBetween(ctx context.Context, low, high int64, fn func(*passage.Row) error) error
	// Changed calls fn with up to limit passages of a scope that changed after the
	// change numbered after and still exist, in the order of their changes, and with
	// their terms if terms is set.
	Changed(ctx context.Context, scope, after, limit int64, terms bool, fn func(r *passage.Row, terms string) error) error
	// Removed lists up to limit passages of a scope that were removed after a change. A
	// 0 in the list stands for all passages.
	Removed(ctx context.Context, scope, after, limit int64) ([]int64, error)
	// Sample calls fn with the terms of up to n passages from all over a scope.
	Sample(ctx context.Context, scope int64, n int, fn func(terms string) error) error

	// Blocks lists the blocks of a scope, by number.
	Blocks(ctx context.Context, scope int64) ([]Block, error)
	// BlockPassages returns the packed passages of the block that begins at a number.
	BlockPassages(ctx context.Context, low int64) ([]byte, error)
}

// Host is what an [Index] needs from a store to work in the background.
type Host interface {
	// Go runs fn in the background until it returns or the store is closed. It reports
	// whether it started fn.
	Go(fn func(context.Context)) bool
	// View runs fn in a read transaction of its own.
	View(ctx context.Context, fn func(Source) error) error
	// GiveWay waits for up to d if others use the store.
	GiveWay(ctx context.Context, d time.Duration) error
	// Pack writes blocks of a scope as p says; see [NextBlock].
	Pack(ctx context.Context, scope int64, p Packing) error
}

// Scope holds the counts that a store keeps of a scope.
type Scope struct {
	// Change is the number of the last change of its passages. It grows with every
	// passage that is added, changed or removed.
	Change  int64
	Totals  Totals // of the current passages
	Pending bool   // whether any entries are pending
}

// Total is a number of passages and of the words in them that are not stop words.
type Total struct{ Passages, Words int64 }

// Totals holds the [Total] of each kind, indexed by [passage.KindCode].
type Totals [kindMask + 1]Total

// Of returns the sum over the kinds in a mask of [passage.KindMask].
func (t *Totals) Of(mask int64) (sum Total) {
	for kind, n := range t {
		if mask>>kind&1 != 0 {
			sum.Passages += n.Passages
			sum.Words += n.Words
		}
	}
	return sum
}
