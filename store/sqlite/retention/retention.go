// Package retention has the statements for what sessions take up and for what is taken
// from those that are pruned or archived. The store removes the passages of their turns.
package retention

import (
	"context"
	"database/sql"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// UseColumns are, of session x, the bytes that its turns hold and whether an extractor
// has yet to read some of them.
const UseColumns = `
	(SELECT coalesce(sum(octet_length(t.text) + octet_length(t.calls) +
			coalesce((SELECT sum(octet_length(i.data)) FROM turn_image i WHERE i.number = t.number), 0)), 0)
		FROM turn t WHERE t.scope_no = x.scope_no AND t.session = x.id AND NOT t.forgotten),
	EXISTS (SELECT 1 FROM extraction e WHERE e.scope_no = x.scope_no AND e.session = x.id)`

// Used selects the sessions of scope ?1 that are closed and have a turn with a text.
const Used = `
	WHERE s.no = ?1 AND x.scope_no = ?1 AND x.closed_at IS NOT NULL
		AND EXISTS (SELECT 1 FROM turn t WHERE t.scope_no = ?1 AND t.session = x.id AND NOT t.forgotten)
	ORDER BY x.closed_at, x.id`

// Scope is a scope in one transaction.
type Scope struct {
	Query func(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	Exec  func(ctx context.Context, query string, args ...any) (sql.Result, error)
	// Unindex takes the passages of a turn out of the index, and Sum writes the checksum
	// of its row.
	Unindex, Sum func(ctx context.Context, turn int64) error
	Of           strata.Scope
	No           int64 // its number
	Now          time.Time
}

// kept is the condition that an archive of session ?2 of scope ?1 is kept.
const kept = `EXISTS (SELECT 1 FROM session_archive a WHERE a.scope_no = ?1 AND a.session = ?2 AND a.state = 'kept')`

// after are the statements that remove what session ?2 of scope ?1 was given and saved,
// and have its transcript written anew.
var after = []string{
	`DELETE FROM session_state WHERE scope_no = ?1 AND session = ?2`,
	`DELETE FROM session_state_aside WHERE scope_no = ?1 AND session = ?2`,
	`DELETE FROM snapshot WHERE scope_no = ?1 AND session = ?2`,
	rewrite,
}

// rewrite has the transcript of session ?2 of scope ?1 written anew.
const rewrite = `UPDATE session SET exported_at = NULL, export_aside = '', revision = revision + 1 WHERE scope_no = ?1 AND id = ?2`

// Prune blanks the turns of a closed session, and returns how many.
func (s Scope) Prune(ctx context.Context, session string) (int, error) {
	turns, err := s.turns(ctx, `
		SELECT t.number FROM turn t JOIN session x ON x.scope_no = t.scope_no AND x.id = t.session
		WHERE t.scope_no = ?1 AND t.session = ?2 AND x.closed_at IS NOT NULL
			AND (NOT t.forgotten OR t.text = ?3 AND NOT `+kept+`)`, s.No, session, strata.ArchivedText)
	if err != nil || len(turns) == 0 {
		return 0, err
	}
	for _, number := range turns {
		if err := s.blank(ctx, number, session); err != nil {
			return 0, err
		}
	}
	for _, statement := range after {
		if _, err := s.Exec(ctx, statement, s.No, session); err != nil {
			return 0, err
		}
	}
	return len(turns), nil
}

// blank takes a turn out of the index and its text away.
func (s Scope) blank(ctx context.Context, number int64, session string) error {
	if err := s.Unindex(ctx, number); err != nil {
		return err
	}
	if _, err := s.Exec(ctx, `DELETE FROM turn_image WHERE number = ?1`, number); err != nil {
		return err
	}
	if _, err := s.Exec(ctx, `UPDATE turn SET text = iif(`+kept+`, ?4, ?5), calls = '', images = 0, forgotten = 1 WHERE number = ?3`,
		s.No, session, number, strata.ArchivedText, strata.PrunedText); err != nil {
		return err
	}
	return s.Sum(ctx, number)
}

// Restore gives an archived turn its text and calls back, and returns its number; 0 where
// the turn is not archived.
func (s Scope) Restore(ctx context.Context, t strata.Turn, calls string) (int64, error) {
	found, err := s.turns(ctx, `SELECT number FROM turn WHERE scope_no = ? AND id = ? AND session = ? AND forgotten AND text = ?`,
		s.No, t.ID, t.Session, strata.ArchivedText)
	if err != nil || len(found) == 0 {
		return 0, err
	}
	if _, err := s.Exec(ctx, `UPDATE turn SET text = ?, calls = ?, images = ?, forgotten = ? WHERE number = ?`,
		t.Text, calls, len(t.Images), t.Forgotten, found[0]); err != nil {
		return 0, err
	}
	if _, err := s.Exec(ctx, rewrite, s.No, t.Session); err != nil {
		return 0, err
	}
	return found[0], s.Sum(ctx, found[0])
}

// turns reads numbers of turns.
func (s Scope) turns(ctx context.Context, query string, args ...any) ([]int64, error) {
	return collect(ctx, s, query, args, func(scan scanner) (n int64, err error) { return n, scan(&n) })
}

// Counts lists the sessions that are open or count their turns wrongly.
func (s Scope) Counts(ctx context.Context) ([]store.SessionCount, error) {
	return collect(ctx, s, `
		SELECT x.id, x.kind, x.parent, x.started_at, x.closed_at, x.turns, u.counted, u.last_seq, u.last_at
		FROM session x JOIN (
			SELECT y.id, count(t.number) AS counted, coalesce(max(t.seq), 0) AS last_seq, coalesce(max(t.recorded_at), y.started_at) AS last_at
			FROM session y LEFT JOIN turn t ON t.scope_no = y.scope_no AND t.session = y.id WHERE y.scope_no = ?1 GROUP BY y.id) u ON u.id = x.id
		WHERE x.scope_no = ?1 AND (x.closed_at IS NULL OR x.turns <> u.counted) ORDER BY x.started_at, x.id`, []any{s.No},
		func(scan scanner) (store.SessionCount, error) {
			c := store.SessionCount{Session: strata.Session{Scope: s.Of}}
			var started, last int64
			var closed sql.NullInt64
			err := scan(&c.ID, &c.Kind, &c.Parent, &started, &closed, &c.Turns, &c.Counted, &c.LastSeq, &last)
			c.StartedAt, c.LastAt = time.UnixMicro(started).UTC(), time.UnixMicro(last).UTC()
			if closed.Valid {
				at := time.UnixMicro(closed.Int64).UTC()
				c.ClosedAt = &at
			}
			return c, err
		})
}

// Count has a session count its turns anew.
func (s Scope) Count(ctx context.Context, session string) error {
	_, err := s.Exec(ctx, `UPDATE session AS x SET turns = (SELECT count(*) FROM turn t WHERE t.scope_no = x.scope_no AND t.session = x.id)
		WHERE x.scope_no = ? AND x.id = ?`, s.No, session)
	return err
}

// scanner reads the columns of a row.
type scanner func(dest ...any) error

// collect reads all rows of a query.
func collect[T any](ctx context.Context, s Scope, query string, args []any, read func(scan scanner) (T, error)) (out []T, err error) {
	rows, err := s.Query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		v, err := read(rows.Scan)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, rows.Err()
}
