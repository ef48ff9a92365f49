package sqlite

import (
	"context"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/index/passage"
	"github.com/strata-memory/strata/store/sqlite/jsonlist"
)

// What a session was given or saved is made of the memory of every scope it
// sees. So snapshots and states are looked through in all scopes.

// snapshots blanks the lines of snapshots that hold the text or begin to.
func (f *forgetting) snapshots(ctx context.Context) error {
	rows, err := f.query(ctx, `SELECT rowid, text FROM snapshot WHERE `+maybe(`text`), f.subject.Shown.Pattern)
	if err != nil {
		return err
	}
	type snapshot struct {
		row  int64
		text string
	}
	list, err := collect(rows, func(scan scanner) (x snapshot, err error) { return x, scan(&x.row, &x.text) })
	if err != nil {
		return err
	}
	for _, x := range list {
		if !f.subject.Shown.In(x.text) {
			continue
		}
		if _, err := f.exec(ctx, `UPDATE snapshot SET text = ? WHERE rowid = ?`, f.subject.Shown.BlankLines(x.text), x.row); err != nil {
			return err
		}
		f.out.Snapshots++
	}
	return nil
}

// states removes the saved states, also those set aside, that hold the text or
// begin to, and those of the sessions whose turns were blanked: what they hold
// of those turns may be in other words. Such a session goes on from its turns.
func (f *forgetting) states(ctx context.Context) error {
	// Inside JSON any character may stand escaped, so that the pattern does not
	// see it.
	where := ` WHERE ` + maybe(`CAST(data AS TEXT)`) + ` OR instr(CAST(data AS TEXT), '\u') > 0
		OR scope_no = ?2 AND session IN (SELECT value FROM json_each(?3))`
	for _, c := range []struct{ list, remove string }{
		{`SELECT rowid, scope_no, session, data FROM session_state` + where, `DELETE FROM session_state WHERE rowid = ?`},
		{`SELECT number, scope_no, session, data FROM session_state_aside` + where, `DELETE FROM session_state_aside WHERE number = ?`},
	} {
		rows, err := f.query(ctx, c.list, f.subject.Shown.Pattern, f.scopeNo, jsonList(f.sessions))
		if err != nil {
			return err
		}
		list, err := collect(rows, func(scan scanner) (int64, error) {
			var row, scopeNo int64
			var session string
			var data []byte
			err := scan(&row, &scopeNo, &session, &data)
			if own := scopeNo == f.scopeNo && slices.Contains(f.sessions, session); own || f.subject.Shown.InState(data) {
				return row, err
			}
			return 0, err
		})
		if err != nil {
			return err
		}
		for _, row := range list {
			if row == 0 {
				continue
			}
			if _, err := f.exec(ctx, c.remove, row); err != nil {
				return err
			}
			f.out.States++
		}
	}
	return nil
}

// transcripts makes the transcripts of closed sessions outstanding of which a
// turn was blanked.
func (f *forgetting) transcripts(ctx context.Context) error {
	for _, session := range f.sessions {
		res, err := f.exec(ctx, `
			UPDATE session SET exported_at = NULL, export_aside = '', revision = revision + 1
			WHERE scope_no = ? AND id = ? AND closed_at IS NOT NULL`, f.scopeNo, session)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil {
			return err
		} else if n > 0 {
			f.out.Transcripts = append(f.out.Transcripts, session)
		}
	}
	return nil
}

// maybeCalls is maybe for tool calls. Their arguments are JSON in which any
// character may stand escaped, so that the pattern does not see it.
var maybeCalls = `(` + maybe(`calls`) + ` OR instr(calls, '\\u') > 0)`

// turns blanks the turns a fact came from and those that hold the text.
func (f *forgetting) turns(ctx context.Context) error {
	low, high := passage.Numbers(f.scopeNo)
	rows, err := f.query(ctx, `
		SELECT number, id, session, calls, text, 0 FROM turn
		WHERE number BETWEEN ?2 AND ?3 AND NOT forgotten AND (`+maybe(`text`)+` OR `+maybeCalls+`)
		UNION ALL
		SELECT number, id, session, calls, '', 1 FROM turn
		WHERE id IN (SELECT value FROM json_each(?4)) AND scope_no = ?5 AND NOT forgotten`,
		f.subject.Text.Pattern, low, high, jsonList(f.subject.Sources), f.scopeNo)
	if err != nil {
		return err
	}
	type turn struct {
		id, session string
		calls       []strata.ToolCall
	}
	blank := make(map[int64]turn)
	_, err = collect(rows, func(scan scanner) (struct{}, error) {
		var number int64
		var u turn
		var calls, s string
		var source bool
		if err := scan(&number, &u.id, &u.session, &calls, &s, &source); err != nil {
			return struct{}{}, err
		}
		var err error
		if u.calls, err = jsonlist.Decode[strata.ToolCall](calls); err != nil {
			return struct{}{}, err
		}
		if source || f.subject.Text.InTurn(s, u.calls) {
			blank[number] = u
		}
		return struct{}{}, nil
	})
	if err != nil {
		return err
	}
	for number, u := range blank {
		if err := f.blankTurn(ctx, number, u.calls); err != nil {
			return err
		}
		f.out.Turns = append(f.out.Turns, u.id)
		f.sessions = append(f.sessions, u.session)
	}
	slices.Sort(f.out.Turns)
	slices.Sort(f.sessions)
	f.sessions = slices.Compact(f.sessions)
	return nil
}

// blankTurn removes what a turn says.
func (f *forgetting) blankTurn(ctx context.Context, number int64, calls []strata.ToolCall) error {
	if err := f.removeTurnPassages(ctx, number); err != nil {
		return err
	}
	f.subject.Text.BlankCalls(calls)
	encoded, err := jsonlist.Encode(calls)
	if err != nil {
		return err
	}
	if _, err := f.exec(ctx, `DELETE FROM turn_image WHERE number = ?`, number); err != nil {
		return err
	}
	_, err = f.exec(ctx, `UPDATE turn SET text = ?, calls = ?, images = 0, forgotten = 1 WHERE number = ?`,
		strata.ForgottenText, encoded, number)
	return err
}
