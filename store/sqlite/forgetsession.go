package sqlite

import (
	"context"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/index/passage"
	"github.com/strata-memory/strata/store/sqlite/check"
	"github.com/strata-memory/strata/store/sqlite/erase"
	"github.com/strata-memory/strata/store/sqlite/jsonlist"
	"github.com/strata-memory/strata/store/sqlite/packed"
)

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

// maybeCalls is [erase.Maybe] for tool calls. Their arguments are JSON in which any
// character may stand escaped, so that the pattern does not see it.
var maybeCalls = `(` + erase.Maybe(`calls`) + ` OR instr(calls, '\\u') > 0)`

// turns blanks the turns a fact came from and those that hold the text.
func (f *forgetting) turns(ctx context.Context) error {
	found, err := f.turnsSaying(ctx)
	if err != nil {
		return err
	}
	for number, u := range found {
		if err := f.blankTurn(ctx, number, u.calls); err != nil {
			return err
		}
		f.turnsGone = append(f.turnsGone, u.Turn)
		f.out.Turns = append(f.out.Turns, u.ID)
		f.sessions = append(f.sessions, u.Session)
	}
	slices.Sort(f.out.Turns)
	slices.Sort(f.sessions)
	f.sessions = slices.Compact(f.sessions)
	return nil
}

// sayingTurn is a turn to blank, with the calls that it holds.
type sayingTurn struct {
	erase.Turn
	calls []strata.ToolCall
}

// turnsSaying returns, by number, the turns a fact came from and those that hold the
// text.
func (f *forgetting) turnsSaying(ctx context.Context) (map[int64]sayingTurn, error) {
	low, high := passage.Numbers(f.scopeNo)
	found := make(map[int64]sayingTurn)
	err := f.eachRow(ctx, `
		SELECT number, id, session, seq, calls, text, 0 FROM turn
		WHERE number BETWEEN ?2 AND ?3 AND NOT forgotten AND (`+erase.Maybe(`text`)+` OR `+maybeCalls+`)
		UNION ALL
		SELECT number, id, session, seq, calls, '', 1 FROM turn
		WHERE id IN (SELECT c0 FROM unpack(?4)) AND scope_no = ?5 AND NOT forgotten`,
		[]any{f.subject.Said.Pattern, low, high, packed.Texts(f.subject.Sources), f.scopeNo}, func(scan scanner) error {
			var number int64
			var u sayingTurn
			var calls, s string
			var source bool
			err := scan(&number, &u.ID, &u.Session, &u.Seq, &calls, &s, &source)
			if err != nil {
				return err
			}
			if u.calls, err = jsonlist.Decode[strata.ToolCall](calls); err != nil {
				return err
			}
			if source || f.subject.Said.InTurn(s, u.calls) {
				found[number] = u
			}
			return nil
		})
	return found, err
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
	if err != nil {
		return err
	}
	return f.sum(ctx, check.Turn, number)
}
