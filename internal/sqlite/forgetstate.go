package sqlite

import (
	"context"
	"slices"
)

// What a session was given or saved is made of the memory of every scope it
// sees. So snapshots and states are looked through in all scopes, or all of the scopes that are looked through.

// eraseSnapshots blanks the lines of snapshots that hold the text or begin to, and
// returns how many snapshots did.
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

// eraseStates removes the saved states, also those set aside, that hold the text or
// begin to, and those of some sessions of the scope, of which turns were blanked:
// what they hold of those turns may be in other words. Such a session goes on from
// its turns. It returns how many there were.
func (f *forgetting) eraseStates(ctx context.Context, sessions []string) (n int, err error) {
	// Inside JSON any character may stand escaped, so that the pattern does not
	// see it.
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
