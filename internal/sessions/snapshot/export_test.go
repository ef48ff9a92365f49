package snapshot

import (
	"io"

	"github.com/strata-memory/strata"
)

// DefaultLimits are the limits that the zero Limits means.
func DefaultLimits() Limits { return Limits{}.withDefaults() }

// IndexOfFacts is the index that is made of facts, of which none is shown yet.
func IndexOfFacts(facts []strata.Fact, categories []strata.Category) string {
	return digest(facts, categories, nil)
}

// WriteLedger writes all turns of a session. s.Turns must be their number; 0 means
// it is.
func WriteLedger(w io.Writer, s strata.Session, turns []strata.Turn) error {
	if s.Turns == 0 {
		s.Turns = int64(len(turns))
	}
	lw, err := NewLedgerWriter(w, s)
	if err != nil {
		return err
	}
	for _, t := range turns {
		if err := lw.Append(t); err != nil {
			return err
		}
	}
	return lw.Close()
}
