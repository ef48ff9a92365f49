package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/internal/sqlite/check"
	"github.com/strata-memory/strata/internal/sqlite/database"
	"github.com/strata-memory/strata/store"
)

// turnSelect reads turns for scanTurnRow. The caller appends a condition on t.
const turnSelect = `SELECT t.number, ` + turnColumns + ` FROM turn t ` + turnJoins

// turnColumns are the columns that scanTurn reads. turnJoins joins the tables they
// need besides turn t.
const turnColumns = `t.id, s.key, t.session, t.seq, t.role, t.speaker, t.said_at, t.recorded_at, t.redacted, t.forgotten,
		t.images, t.failed, t.call_id, t.tool, t.calls, t.text`

const turnJoins = `
	JOIN scope s ON s.no = t.scope_no
	`

// turnRow is a turn as its row holds it, with the number of its images in place of
// the images.
type turnRow struct {
	strata.Turn
	number int64
	images int
}

// scanTurnRow reads a row of turnSelect.
func scanTurnRow(scan scanner) (turnRow, error) {
	var number int64
	u, err := scanTurnColumns(func(dest ...any) error { return scan(append([]any{&number}, dest...)...) })
	u.number = number
	return u, err
}

// scanTurn reads turnColumns into a turn without images.
func scanTurn(scan scanner) (strata.Turn, error) {
	u, err := scanTurnColumns(scan)
	return u.Turn, err
}

func scanTurnColumns(scan scanner) (turnRow, error) {
	var u turnRow
	var key, calls string
	var said, recorded int64
	err := scan(&u.ID, &key, &u.Session, &u.Seq, &u.Role, &u.Speaker, &said, &recorded, &u.Redacted, &u.Forgotten,
		&u.images, &u.Failed, &u.CallID, &u.Tool, &calls, &u.Text)
	if err != nil {
		return u, err
	}
	u.At, u.RecordedAt = fromMicros(said), fromMicros(recorded)
	if u.Calls, err = decodeList[strata.ToolCall](calls); err != nil {
		return u, err
	}
	u.Scope, err = strata.ParseScope(key)
	return u, err
}

// Turn returns a turn that one of the scopes owns, with its images.
func (t *tx) Turn(ctx context.Context, scopes []strata.Scope, id string) (strata.Turn, error) {
	return inScopes(ctx, t, scopes, "read turn", "turn", id, func(_ strata.Scope, no int64) (strata.Turn, error) {
		u, err := scanTurnRow(t.queryRow(ctx, turnSelect+`WHERE t.id = ? AND t.scope_no = ?`, id, no).Scan)
		if err == nil && u.images > 0 {
			err = t.readImages(ctx, &u, true)
		}
		return u.Turn, err
	})
}

// Turns returns turns of a session, in order.
func (t *tx) Turns(ctx context.Context, scope strata.Scope, session string, f store.TurnFilter) ([]strata.Turn, error) {
	return inScope(ctx, t, scope, "list turns", func(no int64) ([]strata.Turn, error) {
		condition, args := `WHERE t.scope_no = ? AND t.session = ? AND t.seq > ?`, []any{no, session, f.After}
		if f.Until > 0 {
			condition += ` AND t.seq <= ?`
			args = append(args, f.Until)
		}
		limit := f.Limit
		if limit <= 0 {
			limit = -1 // no limit
		}
		list, err := collect(ctx, t, turnSelect+condition+` ORDER BY t.seq LIMIT ?`, append(args, limit), scanTurnRow)
		if err != nil || len(list) == 0 {
			return nil, err
		}
		out := make([]strata.Turn, len(list))
		for i := range list {
			if list[i].images > 0 {
				if err := t.readImages(ctx, &list[i], !f.NoImages); err != nil {
					return nil, err
				}
			}
			out[i] = list[i].Turn
		}
		return out, nil
	})
}

// AppendTurn inserts a turn into a session and returns it with its sequence number
// and times set, and its passage number. It sets At and RecordedAt to the time of
// the transaction if they are zero.
func (t *tx) AppendTurn(ctx context.Context, u strata.Turn) (strata.Turn, int64, error) {
	const op = "append turn"
	number, err := t.appendTurn(ctx, &u)
	if err != nil {
		return strata.Turn{}, 0, wrap(op, err)
	}
	return u, number, nil
}

func (t *tx) appendTurn(ctx context.Context, u *strata.Turn) (int64, error) {
	const op = "append turn"
	if err := u.Validate(); err != nil {
		return 0, err
	}
	if err := strata.ValidateName("turn id", u.ID); err != nil {
		return 0, err
	}
	calls, err := encodeList(u.Calls)
	if err != nil {
		return 0, err
	}
	no, ok, err := t.scopeNo(ctx, u.Scope, false)
	if err != nil {
		return 0, err
	}
	if !ok {
		return 0, strata.NotFound(op, "session", u.Session)
	}
	if u.At.IsZero() {
		u.At = t.now
	}
	if u.RecordedAt.IsZero() {
		u.RecordedAt = t.now
	}
	// The caller gets the times with the precision in which they are stored.
	u.At, u.RecordedAt = fromMicros(micros(u.At)), fromMicros(micros(u.RecordedAt))
	res, err := t.exec(ctx, `UPDATE session SET turns = turns + 1 WHERE scope_no = ? AND id = ?`, no, u.Session)
	if err != nil {
		return 0, err
	}
	if n, err := res.RowsAffected(); err != nil {
		return 0, err
	} else if n == 0 {
		return 0, strata.NotFound(op, "session", u.Session)
	}
	number, err := t.nextNumber(ctx, no)
	if err != nil {
		return 0, err
	}
	// RETURNING would save a statement but cost more: SQLite builds a temporary table
	// for it.
	if u.Seq == 0 {
		err := t.queryRow(ctx, `SELECT coalesce(max(seq), 0) + 1 FROM turn WHERE scope_no = ? AND session = ?`,
			no, u.Session).Scan(&u.Seq)
		if err != nil {
			return 0, err
		}
	}
	_, err = t.exec(ctx, insertTurn,
		number, no, u.ID, u.Session, u.Seq, u.Role, u.Speaker, micros(u.At), micros(u.RecordedAt), u.Redacted, u.Forgotten,
		len(u.Images), u.Failed, u.CallID, u.Tool, calls, u.Text)
	if database.IsConstraint(err) {
		return 0, conflict(op, "the session has a turn with this number or id already")
	}
	if err != nil {
		return 0, err
	}
	return number, t.putImages(ctx, number, u.Images)
}

var insertTurn = check.Turn.Insert(`number, scope_no, id, session, seq, role, speaker, said_at, recorded_at, redacted, forgotten, images, failed,
	call_id, tool, calls, text`)

// readImages fills in the images of a turn. If data is false, it fills in only their
// media types and does not read the pages of the data.
func (t *tx) readImages(ctx context.Context, u *turnRow, data bool) (err error) {
	query := `SELECT media_type, NULL FROM turn_image WHERE number = ? ORDER BY place`
	if data {
		query = `SELECT media_type, data FROM turn_image WHERE number = ? ORDER BY place`
	}
	u.Images, err = collect(ctx, t, query, []any{u.number}, func(scan scanner) (img strata.Image, err error) {
		return img, scan(&img.MediaType, &img.Data)
	})
	if err == nil && len(u.Images) != u.images {
		return database.Corrupt("read turn", "images of turn "+u.ID+" are missing")
	}
	return err
}

// putImages stores the images of a turn.
func (t *tx) putImages(ctx context.Context, number int64, images []strata.Image) error {
	for i, img := range images {
		_, err := t.exec(ctx, `INSERT INTO turn_image (number, place, media_type, data) VALUES (?, ?, ?, ?)`,
			number, i, img.MediaType, img.Data)
		if err != nil {
			return err
		}
	}
	return nil
}

// speechCode returns the type code of a turn's passage, which says who speaks. It is
// derived from the turn, so that no caller can forget it.
func (t *tx) speechCode(ctx context.Context, p store.Passage) (int64, error) {
	var role, speaker string
	err := t.queryPackedRow(ctx, `
		SELECT pack_rows(role, speaker) FROM turn WHERE number = coalesce((SELECT turn FROM turn_passage WHERE number = ?1), ?1)`, []any{p.Number}, &role, &speaker)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return 0, nil
	case err != nil:
		return 0, err
	}
	return passage.SpeechType(store.SpeechOf(strata.Turn{Role: strata.Role(role), Speaker: speaker})), nil
}
