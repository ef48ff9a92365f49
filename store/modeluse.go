package store

import "context"

// ModelUse is what models were asked of on a day for memory's own work.
type ModelUse struct {
	Calls   int64
	Tokens  int64 // of requests and answers
	Refused int64 // calls that were not made, for the limits
}

// ModelUseReader reads what models were asked of.
type ModelUseReader interface {
	// ModelUse returns what models were asked of on a day in UTC, such as 2026-03-02.
	ModelUse(ctx context.Context, day string) (ModelUse, error)
}

// ModelUseWriter counts what models are asked of.
type ModelUseWriter interface {
	// AddModelUse adds to the counts of a day, which never fall below 0. The newest 400
	// days are kept.
	AddModelUse(ctx context.Context, day string, u ModelUse) error
}
