package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// outstanding is the condition of index session_unexported.
const outstanding = `x.closed_at IS NOT NULL AND x.exported_at IS NULL AND x.export_aside = ''`

// transcriptSelect reads transcripts for scanTranscript. The caller appends how to
// search x.
const transcriptSelect = transcriptColumns + transcriptTables

const (
	transcriptColumns = `
	SELECT x.id, s.key, x.kind, x.parent, x.started_at, x.closed_at, x.turns, x.transcript, x.revision, x.exported_at, x.export_aside`
	transcriptTables = `
	FROM scope s
	CROSS JOIN session x`
)

func scanTranscript(scan scanner) (store.Transcript, error) {
	var u store.Transcript
	var err error
	var written sql.NullInt64
	u.Session, err = scanSession(func(dest ...any) error {
		return scan(append(dest, &u.Place, &u.Revision, &written, &u.SetAside)...)
	})
	u.WrittenAt = fromNullMicros(written)
	return u, err
}

// Transcript returns the transcript record of a session.
func (t *tx) Transcript(ctx context.Context, scope strata.Scope, session string) (store.Transcript, error) {
	return inScopes(ctx, t, []strata.Scope{scope}, "read transcript", "session", session, func(_ strata.Scope, no int64) (store.Transcript, error) {
		return scanTranscript(t.queryRow(ctx, transcriptSelect+` WHERE s.no = ?1 AND x.scope_no = ?1 AND x.id = ?2`, no, session).Scan)
	})
}

// Unexported lists the transcripts that are still to be written.
func (t *tx) Unexported(ctx context.Context, after strata.Session, limit int) ([]store.Transcript, error) {
	const op = "list outstanding transcripts"
	var no int64
	if after.ID != "" {
		var err error
		if no, _, err = t.scopeNo(ctx, after.Scope, false); err != nil {
			return nil, wrap(op, err)
		}
	}
	list, err := collect(ctx, t, transcriptColumns+`
		FROM session x INDEXED BY session_unexported
		CROSS JOIN scope s ON s.no = x.scope_no
		WHERE `+outstanding+` AND (x.scope_no, x.id) > (?, ?) ORDER BY x.scope_no, x.id LIMIT ?`, []any{no, after.ID, clampLimit(limit)}, scanTranscript)
	return list, wrap(op, err)
}

// TranscriptsAside lists the transcripts of a scope that were given up.
func (t *tx) TranscriptsAside(ctx context.Context, scope strata.Scope) ([]store.Transcript, error) {
	return inScope(ctx, t, scope, "list transcripts given up", func(no int64) ([]store.Transcript, error) {
		return collect(ctx, t, transcriptSelect+` WHERE s.no = ?1 AND x.scope_no = ?1 AND x.export_aside <> '' ORDER BY x.id LIMIT ?2`,
			[]any{no, maxLimit}, scanTranscript)
	})
}

// PlaceTranscript records where a transcript is written, unless that is recorded
// already, and returns the recorded place.
func (t *tx) PlaceTranscript(ctx context.Context, scope strata.Scope, session, place string) (string, error) {
	const op = "place transcript"
	no, err := t.sessionScope(ctx, op, scope, session)
	if err != nil {
		return "", err
	}
	var known string
	err = t.queryRow(ctx, `
		UPDATE session SET transcript = iif(transcript = '', ?, transcript) WHERE scope_no = ? AND id = ? RETURNING transcript`,
		place, no, session).Scan(&known)
	return known, wrap(op, err)
}

// StampTranscript records that a transcript was written or given up. It reports
// false if the session has changed since or is not closed.
func (t *tx) StampTranscript(ctx context.Context, scope strata.Scope, session string, revision int64, setAside string) (bool, error) {
	const op = "stamp transcript"
	no, err := t.sessionScope(ctx, op, scope, session)
	if err != nil {
		return false, err
	}
	var now any
	if setAside == "" {
		now = micros(t.now)
	}
	var stamped int
	err = t.queryRow(ctx, `
		UPDATE session AS x SET exported_at = ?, export_aside = ?
		WHERE x.scope_no = ? AND x.id = ? AND x.revision = ? AND x.closed_at IS NOT NULL
		RETURNING 1`, now, setAside, no, session, revision).Scan(&stamped)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, wrap(op, err)
}
