package store

import (
	"context"
	"time"

	"github.com/strata-memory/strata"
)

// ModelUse counts the calls to models on one day for memory's own work.
type ModelUse struct {
	Calls   int64
	Tokens  int64 // of requests and answers
	Refused int64 // calls that were not made because of the limits
}

// ModelOutage says that a model does not respond.
type ModelOutage struct {
	Model string
	Since time.Time   // first failed call; zero: the model responds
	Last  time.Time   // last known failed call
	Code  strata.Code // error code of the last failed call
}

// ModelUseReader reads how much models were used and which do not respond.
type ModelUseReader interface {
	// ModelUse returns the use of models on a day in UTC, such as "2026-03-02".
	ModelUse(ctx context.Context, day string) (ModelUse, error)
	// ModelOutages lists the models that do not respond, sorted by name.
	ModelOutages(ctx context.Context) ([]ModelOutage, error)
}

// ModelUseWriter counts the use of models and records which do not respond.
type ModelUseWriter interface {
	// AddModelUse adds u to the counts of a day, which never fall below 0. The newest 400
	// days are kept.
	AddModelUse(ctx context.Context, day string, u ModelUse) error
	// SetModelOutage replaces what was recorded of the model before.
	SetModelOutage(ctx context.Context, o ModelOutage) error
}
