package sqlite

import (
	"context"
	"slices"
)

// What a session was given or has saved draws on every scope it sees. So snapshots
// and states are searched in all scopes, or in all that the forgetting is limited
// to.

// eraseSnapshots blanks the lines of snapshots that hold the text or its beginning,
// and returns how many snapshots changed.
func (f *forgetting) eraseSnapshots(ctx context.Context) (int, error) {
	found := make(map[int64]string)
	err := f.eachRow(ctx, `SELECT rowid, text FROM snapshot WHERE `+f.inScopes()+` AND `+mayHold(`text`), []any{f.subject.Patterns()}, func(scan scanner) error {
		var row int64
		var text string
		err := scan(&row, &text)
		if left := f.subject.BlankLines(text); left != text {
			found[row] = left
		}
		return err
	})
	for row, text := range found {
		err = f.changeRows(ctx, err, []int64{row}, `UPDATE snapshot SET text = ?2 WHERE rowid = ?1`, text)
	}
	return len(found), err
}

// eraseStates removes saved states, including those set aside, that hold the text or
// its beginning. It also removes the states of the given sessions of the scope,
// which had turns blanked: a state may hold those turns in other words. Such a
// session continues from its turns. It returns how many states it removed.
func (f *forgetting) eraseStates(ctx context.Context, sessions []string) (n int, err error) {
	// In JSON any character may be escaped and so hidden from the pattern.
	where := ` WHERE ` + f.inScopes() + ` AND (` + mayHold(`CAST(data AS TEXT)`) + ` OR instr(CAST(data AS TEXT), '\u') > 0
		OR scope_no = ?2 AND session IN (SELECT value FROM json_each(?3)))`
	for _, c := range []struct{ list, remove string }{
		{`SELECT rowid, scope_no, session, data FROM session_state` + where, `DELETE FROM session_state WHERE rowid = ?1`},
		{`SELECT number, scope_no, session, data FROM session_state_aside` + where, `DELETE FROM session_state_aside WHERE number = ?1`},
	} {
		var found []int64
		err := f.eachRow(ctx, c.list, []any{f.subject.Patterns(), f.scopeNo, jsonList(sessions)}, func(scan scanner) error {
			var row, scopeNo int64
			var session string
			var data []byte
			err := scan(&row, &scopeNo, &session, &data)
			if own := scopeNo == f.scopeNo && slices.Contains(sessions, session); own || f.subject.InState(data) {
				found = append(found, row)
			}
			return err
		})
		if err := f.changeRows(ctx, err, found, c.remove); err != nil {
			return n, err
		}
		n += len(found)
	}
	return n, nil
}
