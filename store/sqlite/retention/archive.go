package retention

import (
	"context"
	"time"

	"github.com/strata-memory/strata/store"
)

// Archives lists the files of archived sessions, the oldest first.
func (s Scope) Archives(ctx context.Context) ([]store.Archive, error) {
	return collect(ctx, s, `SELECT session, place, state, turns, bytes, sum, at FROM session_archive WHERE scope_no = ?1 ORDER BY at, place`,
		[]any{s.No}, func(scan scanner) (store.Archive, error) {
			a := store.Archive{Scope: s.Of}
			var at int64
			err := scan(&a.Session, &a.Place, &a.State, &a.Turns, &a.Bytes, &a.Sum, &at)
			a.At = time.UnixMicro(at).UTC()
			return a, err
		})
}

// PutArchive records the state of an archive.
func (s Scope) PutArchive(ctx context.Context, a store.Archive) error {
	if a.State == store.ArchiveGone {
		_, err := s.Exec(ctx, `DELETE FROM session_archive WHERE scope_no = ? AND place = ?`, s.No, a.Place)
		return err
	}
	_, err := s.Exec(ctx, `
		INSERT INTO session_archive (scope_no, session, place, state, turns, bytes, sum, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET state = excluded.state, turns = excluded.turns, bytes = excluded.bytes, sum = excluded.sum, at = excluded.at`,
		s.No, a.Session, a.Place, a.State, a.Turns, a.Bytes, a.Sum, s.Now.UnixMicro())
	return err
}
