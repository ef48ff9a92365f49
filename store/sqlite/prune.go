package sqlite

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/store/sqlite/check"
	"github.com/strata-memory/strata/store/sqlite/retention"
)

// retention is what is taken from the sessions of a scope.
func (t *tx) retention(scope strata.Scope, no int64) retention.Scope {
	sum := func(ctx context.Context, turn int64) error { return t.sum(ctx, check.Turn, turn) }
	return retention.Scope{Query: t.query, Exec: t.exec, Unindex: t.removeTurnPassages, Sum: sum, Of: scope, No: no, Now: t.now}
}

// SessionUses lists the closed sessions of a scope that hold what can be pruned.
func (t *tx) SessionUses(ctx context.Context, scope strata.Scope) ([]store.SessionUse, error) {
	return inScope(ctx, t, scope, "list what sessions take up", func(no int64) ([]store.SessionUse, error) {
		return collect(ctx, t, transcriptColumns+`,`+retention.UseColumns+transcriptTables+retention.Used, []any{no},
			func(scan scanner) (u store.SessionUse, err error) {
				u.Transcript, err = scanTranscript(func(dest ...any) error { return scan(append(dest, &u.Bytes, &u.Extraction)...) })
				return u, err
			})
	})
}

// SessionCounts lists the sessions of a scope that are open or count their turns wrongly.
func (t *tx) SessionCounts(ctx context.Context, scope strata.Scope) ([]store.SessionCount, error) {
	return inScope(ctx, t, scope, "count turns", func(no int64) ([]store.SessionCount, error) { return t.retention(scope, no).Counts(ctx) })
}

// Archives lists the files of the archived sessions of a scope.
func (t *tx) Archives(ctx context.Context, scope strata.Scope) ([]store.Archive, error) {
	return inScope(ctx, t, scope, "list archives", func(no int64) ([]store.Archive, error) { return t.retention(scope, no).Archives(ctx) })
}

// PruneSession blanks the turns of a closed session.
func (t *tx) PruneSession(ctx context.Context, scope strata.Scope, session string) (n int, err error) {
	err = t.retain(ctx, "prune session", scope, session, func(s retention.Scope) error { n, err = s.Prune(ctx, session); return err })
	return n, err
}

// RestoreTurn gives an archived turn back what it said.
func (t *tx) RestoreTurn(ctx context.Context, u strata.Turn) (n int64, err error) {
	calls, err := encodeList(u.Calls)
	if err != nil {
		return 0, err
	}
	err = t.retain(ctx, "restore turn", u.Scope, u.Session, func(s retention.Scope) error {
		if n, err = s.Restore(ctx, u, calls); err != nil || n == 0 {
			return err
		}
		return t.putImages(ctx, n, u.Images)
	})
	return n, err
}

// CountTurns has a session count its turns anew.
func (t *tx) CountTurns(ctx context.Context, scope strata.Scope, session string) error {
	return t.retain(ctx, "count turns", scope, session, func(s retention.Scope) error { return s.Count(ctx, session) })
}

// PutArchive records the state of an archive.
func (t *tx) PutArchive(ctx context.Context, a store.Archive) error {
	return t.retain(ctx, "put archive", a.Scope, a.Session, func(s retention.Scope) error { return s.PutArchive(ctx, a) })
}

// retain changes what is kept of a session; not_found if there is none.
func (t *tx) retain(ctx context.Context, op string, scope strata.Scope, session string, change func(retention.Scope) error) error {
	no, err := t.sessionScope(ctx, op, scope, session)
	if err != nil {
		return err
	}
	return wrap(op, change(t.retention(scope, no)))
}
