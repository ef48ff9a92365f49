package engine

import (
	"context"
	"sync"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// racks are the categories of scopes as they are after a change of the store.
type racks struct {
	change int64
	of     map[strata.Scope]*rack
}

// rackStore keeps the categories that one write used for the next: to read
// those of 100,000 facts takes as long as to store a fact. They serve as long
// as nothing else changed.
type rackStore struct {
	mu   sync.Mutex
	last racks
}

// maxRacked bounds the categories that are kept: 12 MB with vectors of 384
// dimensions.
const maxRacked = 8192

// lend gives what is kept to the shelf of a transaction, if it is what the
// transaction sees.
func (k *rackStore) lend(ctx context.Context, w store.Writer, s *shelf) error {
	change, err := w.LastChange(ctx)
	if err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.last.of != nil && k.last.change == change {
		s.racks = k.last.of
	}
	k.last = racks{} // they change with the transaction, which may fail
	return nil
}

// keep takes the categories of a transaction that is committed.
func (k *rackStore) keep(r racks) {
	n := 0
	for _, rack := range r.of {
		n += len(rack.categories)
	}
	if n > maxRacked {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.last.of == nil || k.last.change < r.change {
		k.last = r
	}
}

// hand returns the categories of the shelf when all is written.
func (s *shelf) hand(ctx context.Context, w store.Writer) (racks, error) {
	change, err := w.LastChange(ctx)
	return racks{change: change, of: s.racks}, err
}
