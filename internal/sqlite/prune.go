package sqlite

import (
	"context"
	"database/sql"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/sqlite/check"
	"github.com/strata-memory/strata/store"
)

// sessionUseColumns selects, of session x, the size of its turns in bytes and
// whether an extractor has yet to read some of them. One that gave up will not.
const sessionUseColumns = `
	(SELECT coalesce(sum(octet_length(t.text) + octet_length(t.calls) +
			coalesce((SELECT sum(octet_length(i.data)) FROM turn_image i WHERE i.number = t.number), 0)), 0)
		FROM turn t WHERE t.scope_no = x.scope_no AND t.session = x.id AND NOT t.forgotten),
	EXISTS (SELECT 1 FROM extraction e WHERE e.scope_no = x.scope_no AND e.session = x.id AND e.dead_at IS NULL)`

// usedSessions selects the closed sessions of scope ?1 that have a turn with a text.
const usedSessions = `
	WHERE s.no = ?1 AND x.scope_no = ?1 AND x.closed_at IS NOT NULL
		AND EXISTS (SELECT 1 FROM turn t WHERE t.scope_no = ?1 AND t.session = x.id AND NOT t.forgotten)
	ORDER BY x.closed_at, x.id`

// SessionUses lists the closed sessions of a scope that hold something to prune.
func (t *tx) SessionUses(ctx context.Context, scope strata.Scope) ([]store.SessionUse, error) {
	return inScope(ctx, t, scope, "list what sessions take up", func(no int64) ([]store.SessionUse, error) {
		return collect(ctx, t, transcriptColumns+`,`+sessionUseColumns+transcriptTables+usedSessions, []any{no},
			func(scan scanner) (u store.SessionUse, err error) {
				u.Transcript, err = scanTranscript(func(dest ...any) error { return scan(append(dest, &u.Bytes, &u.Extraction)...) })
				return u, err
			})
	})
}

// SessionCounts lists the sessions of a scope that are open or whose turn count is
// wrong.
func (t *tx) SessionCounts(ctx context.Context, scope strata.Scope) ([]store.SessionCount, error) {
	return inScope(ctx, t, scope, "count turns", func(no int64) ([]store.SessionCount, error) {
		return collect(ctx, t, `
			SELECT x.id, x.kind, x.parent, x.started_at, x.closed_at, x.turns, u.counted, u.last_seq, u.last_at
			FROM session x JOIN (
				SELECT y.id, count(t.number) AS counted, coalesce(max(t.seq), 0) AS last_seq, coalesce(max(t.recorded_at), y.started_at) AS last_at
				FROM session y LEFT JOIN turn t ON t.scope_no = y.scope_no AND t.session = y.id WHERE y.scope_no = ?1 GROUP BY y.id) u ON u.id = x.id
			WHERE x.scope_no = ?1 AND (x.closed_at IS NULL OR x.turns <> u.counted) ORDER BY x.started_at, x.id`, []any{no},
			func(scan scanner) (store.SessionCount, error) {
				c := store.SessionCount{Session: strata.Session{Scope: scope}}
				var started, last int64
				var closed sql.NullInt64
				err := scan(&c.ID, &c.Kind, &c.Parent, &started, &closed, &c.Turns, &c.Counted, &c.LastSeq, &last)
				c.StartedAt, c.LastAt, c.ClosedAt = fromMicros(started), fromMicros(last), fromNullMicros(closed)
				return c, err
			})
	})
}

// Archives lists the files of the archived sessions of a scope, the oldest first.
func (t *tx) Archives(ctx context.Context, scope strata.Scope) ([]store.Archive, error) {
	return inScope(ctx, t, scope, "list archives", func(no int64) ([]store.Archive, error) {
		return collect(ctx, t, `SELECT session, place, state, turns, bytes, sum, at FROM session_archive WHERE scope_no = ?1 ORDER BY at, place`,
			[]any{no}, func(scan scanner) (store.Archive, error) {
				a := store.Archive{Scope: scope}
				var at int64
				err := scan(&a.Session, &a.Place, &a.State, &a.Turns, &a.Bytes, &a.Sum, &at)
				a.At = fromMicros(at)
				return a, err
			})
	})
}

// archiveKept is the condition that session ?2 of scope ?1 has a kept archive.
const archiveKept = `EXISTS (SELECT 1 FROM session_archive a WHERE a.scope_no = ?1 AND a.session = ?2 AND a.state = 'kept')`

// afterPruning are the statements that remove the snapshots and saved states of
// session ?2 of scope ?1 and the extractions that were given up, unless the turns can
// be restored and read after all, and have its transcript written again.
var afterPruning = []string{
	`DELETE FROM extraction WHERE scope_no = ?1 AND session = ?2 AND dead_at IS NOT NULL AND NOT ` + archiveKept,
	`DELETE FROM session_state WHERE scope_no = ?1 AND session = ?2`,
	`DELETE FROM session_state_aside WHERE scope_no = ?1 AND session = ?2`,
	`DELETE FROM snapshot WHERE scope_no = ?1 AND session = ?2`,
	rewriteTranscript,
}

// rewriteTranscript marks the transcript of session ?2 of scope ?1 to be written
// again.
const rewriteTranscript = `UPDATE session SET exported_at = NULL, export_aside = '', revision = revision + 1 WHERE scope_no = ?1 AND id = ?2`

// PruneSession blanks the turns of a closed session and returns how many it blanked.
func (t *tx) PruneSession(ctx context.Context, scope strata.Scope, session string) (n int, err error) {
	err = t.retain(ctx, "prune session", scope, session, func(no int64) error {
		turns, err := t.queryIntegers(ctx, 1, `
			SELECT t.number FROM turn t JOIN session x ON x.scope_no = t.scope_no AND x.id = t.session
			WHERE t.scope_no = ?1 AND t.session = ?2 AND x.closed_at IS NOT NULL
				AND (NOT t.forgotten OR t.text = ?3 AND NOT `+archiveKept+`)`, no, session, strata.ArchivedText)
		if err != nil || len(turns) == 0 {
			return err
		}
		for _, number := range turns {
			if err := t.blankTurn(ctx, no, number, session); err != nil {
				return err
			}
		}
		for _, statement := range afterPruning {
			if _, err := t.exec(ctx, statement, no, session); err != nil {
				return err
			}
		}
		n = len(turns)
		return nil
	})
	return n, err
}

// blankTurn removes a turn from the index and blanks its text.
func (t *tx) blankTurn(ctx context.Context, scopeNo, number int64, session string) error {
	if err := t.removeTurnPassages(ctx, number); err != nil {
		return err
	}
	if _, err := t.exec(ctx, `DELETE FROM turn_image WHERE number = ?1`, number); err != nil {
		return err
	}
	if _, err := t.exec(ctx, `UPDATE turn SET text = iif(`+archiveKept+`, ?4, ?5), calls = '', images = 0, forgotten = 1 WHERE number = ?3`,
		scopeNo, session, number, strata.ArchivedText, strata.PrunedText); err != nil {
		return err
	}
	return t.sum(ctx, check.Turn, number)
}

// RestoreTurn restores the content of an archived turn and returns the turn's
// number, or 0 if the turn is not archived.
func (t *tx) RestoreTurn(ctx context.Context, u strata.Turn) (n int64, err error) {
	calls, err := encodeList(u.Calls)
	if err != nil {
		return 0, err
	}
	err = t.retain(ctx, "restore turn", u.Scope, u.Session, func(no int64) error {
		found, err := t.queryIntegers(ctx, 1, `SELECT number FROM turn WHERE scope_no = ? AND id = ? AND session = ? AND forgotten AND text = ?`,
			no, u.ID, u.Session, strata.ArchivedText)
		if err != nil || len(found) == 0 {
			return err
		}
		if _, err := t.exec(ctx, `UPDATE turn SET text = ?, calls = ?, images = ?, forgotten = ? WHERE number = ?`,
			u.Text, calls, len(u.Images), u.Forgotten, found[0]); err != nil {
			return err
		}
		if _, err := t.exec(ctx, rewriteTranscript, no, u.Session); err != nil {
			return err
		}
		n = found[0]
		if err := t.sum(ctx, check.Turn, n); err != nil {
			return err
		}
		return t.putImages(ctx, n, u.Images)
	})
	return n, err
}

// CountTurns corrects the turn count of a session.
func (t *tx) CountTurns(ctx context.Context, scope strata.Scope, session string) error {
	return t.retain(ctx, "count turns", scope, session, func(no int64) error {
		_, err := t.exec(ctx, `UPDATE session AS x SET turns = (SELECT count(*) FROM turn t WHERE t.scope_no = x.scope_no AND t.session = x.id)
			WHERE x.scope_no = ? AND x.id = ?`, no, session)
		return err
	})
}

// PutArchive records the state of an archive.
func (t *tx) PutArchive(ctx context.Context, a store.Archive) error {
	return t.retain(ctx, "put archive", a.Scope, a.Session, func(no int64) error {
		if a.State == store.ArchiveGone {
			_, err := t.exec(ctx, `DELETE FROM session_archive WHERE scope_no = ? AND place = ?`, no, a.Place)
			return err
		}
		_, err := t.exec(ctx, `
			INSERT INTO session_archive (scope_no, session, place, state, turns, bytes, sum, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT DO UPDATE SET state = excluded.state, turns = excluded.turns, bytes = excluded.bytes, sum = excluded.sum, at = excluded.at`,
			no, a.Session, a.Place, a.State, a.Turns, a.Bytes, a.Sum, micros(t.now))
		return err
	})
}

// retain calls change with the number of the scope that owns a session. It fails
// with not_found if there is no such session.
func (t *tx) retain(ctx context.Context, op string, scope strata.Scope, session string, change func(scopeNo int64) error) error {
	no, err := t.sessionScope(ctx, op, scope, session)
	if err != nil {
		return err
	}
	return wrap(op, change(no))
}
