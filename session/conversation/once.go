package conversation

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/failpoint"
	"github.com/strata-memory/strata/store"
)

// AppendOnce adds those of the turns to a session that it does not have yet, by
// their ids, and returns these as they were kept. A session that is new is opened as
// s. In the same transaction the session is queued for the extraction of facts from
// them. A turn without an id is always new.
func (l *Ledger) AppendOnce(ctx context.Context, s strata.Session, turns []strata.Turn) ([]strata.Turn, error) {
	for {
		fresh, err := l.unknown(ctx, s, turns)
		if err != nil || len(fresh) == 0 {
			return nil, err
		}
		kept, err := l.appendTurns(ctx, s, fresh, func(ctx context.Context, w store.Writer) error {
			return w.QueueExtraction(ctx, s.Scope, s.ID)
		})
		if err == nil {
			failpoint.Hit(failpoint.TurnsTakenIn)
			return kept, nil
		}
		if strata.CodeOf(err) != strata.CodeConflict {
			return nil, err
		}
		// Another process may have added one of them meanwhile: then fewer are
		// unknown now.
		now, readErr := l.unknown(ctx, s, fresh)
		if readErr != nil || len(now) == len(fresh) {
			return nil, err
		}
	}
}

// unknown returns the turns that a session does not have yet.
func (l *Ledger) unknown(ctx context.Context, s strata.Session, turns []strata.Turn) ([]strata.Turn, error) {
	return store.Read(ctx, l.store, func(r store.Reader) ([]strata.Turn, error) {
		known, err := r.Session(ctx, s.Scope, s.ID)
		if strata.CodeOf(err) == strata.CodeNotFound || err == nil && known.Turns == 0 {
			return turns, nil
		}
		if err != nil {
			return nil, err
		}
		var fresh []strata.Turn
		for _, t := range turns {
			_, err := r.Turn(ctx, []strata.Scope{s.Scope}, t.ID)
			switch strata.CodeOf(err) {
			case "":
			case strata.CodeNotFound:
				fresh = append(fresh, t)
			default:
				return nil, err
			}
		}
		return fresh, nil
	})
}
