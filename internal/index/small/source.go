package small

import (
	"context"

	"github.com/strata-memory/strata/internal/index/passage"
)

// Source is what a search reads from a store, in one transaction. Scopes and
// passages are numbers. The arguments of a callback are valid until it returns. An
// error from a callback ends the call, which returns it.
type Source interface {
	// Scope returns the store's counts of a scope.
	Scope(ctx context.Context, scope int64) (Scope, error)
	// Current calls fn with the current facts of a scope.
	Current(ctx context.Context, scope int64, fn func(Fact) error) error
	// Changed calls fn with the facts of a scope that changed after the change numbered
	// after and still exist, current or not.
	Changed(ctx context.Context, scope, after int64, fn func(Fact) error) error
	// Removed lists the passages of a scope that were removed after a change. A 0 in
	// the list stands for all passages.
	Removed(ctx context.Context, scope, after int64) ([]int64, error)

	// Texts calls fn with the texts of some facts, normalized for substring search.
	Texts(ctx context.Context, numbers []int64, fn func(number int64, normal []byte) error) error
}

// Scope holds the counts that a store keeps of a scope.
type Scope struct {
	Facts    int64 // current ones
	Passages int64 // current ones of any kind
	Used     int64 // numbers ever assigned in it
	Changed  int64 // the last change of a passage
	Removed  int64 // the last change that removed one
}

// Fact is a fact as the index holds it.
type Fact struct {
	passage.Row
	Terms string // in the order of the text, for [passage.Terms]
}
