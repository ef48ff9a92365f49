package small

import (
	"context"

	"github.com/strata-memory/strata/internal/index/passage"
)

// Source is what a search reads of a store, in one transaction. Scopes, models
// and passages are numbers. What a callback is given is valid until it returns,
// and an error of it ends the call and is returned.
type Source interface {
	// Scope returns what is counted of a scope.
	Scope(ctx context.Context, scope int64) (Scope, error)
	// Current calls fn with the current facts of a scope.
	Current(ctx context.Context, scope int64, fn func(Fact) error) error
	// Changed calls fn with the facts of a scope that changed after a change and
	// are still there, current or not.
	Changed(ctx context.Context, scope, after int64, fn func(Fact) error) error
	// Removed lists the passages of a scope that were removed after a change; 0
	// among them stands for all.
	Removed(ctx context.Context, scope, after int64) ([]int64, error)

	// Texts calls fn with the texts of some facts in the form in which substrings
	// are looked for.
	Texts(ctx context.Context, numbers []int64, fn func(number int64, normal []byte) error) error
}

// Scope is what a store counts of a scope.
type Scope struct {
	Facts    int64 // current ones
	Passages int64 // current ones of any kind
	Used     int64 // numbers that were ever given out in it
	Changed  int64 // the last change of a passage
	Removed  int64 // the last change that removed one
}

// Fact is a fact as the index holds it.
type Fact struct {
	passage.Row
	Terms string // in the order of the text, for [passage.Terms]
}
