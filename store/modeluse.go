package store

import (
	"context"
	"time"

	"github.com/strata-memory/strata"
)

// ModelUse is what models were asked of on a day for memory's own work.
type ModelUse struct {
	Calls   int64
	Tokens  int64 // of requests and answers
	Refused int64 // calls that were not made, for the limits
}

// ModelOutage says that a model does not answer.
type ModelOutage struct {
	Model string
	Since time.Time   // the first call that failed; zero: it answers
	Last  time.Time   // the last one that is known of
	Code  strata.Code // of its error
}

// ModelUseReader reads what models were asked of, and which do not answer.
type ModelUseReader interface {
	// ModelUse returns what models were asked of on a day in UTC, such as 2026-03-02.
	ModelUse(ctx context.Context, day string) (ModelUse, error)
	// ModelOutages lists the models that do not answer, by name.
	ModelOutages(ctx context.Context) ([]ModelOutage, error)
}

// ModelUseWriter counts what models are asked of, and notes which do not answer.
type ModelUseWriter interface {
	// AddModelUse adds to the counts of a day, which never fall below 0. The newest 400
	// days are kept.
	AddModelUse(ctx context.Context, day string, u ModelUse) error
	// SetModelOutage takes the place of what was noted of a model before.
	SetModelOutage(ctx context.Context, o ModelOutage) error
}
