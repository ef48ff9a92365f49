package sqlite

import (
	"context"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/forget"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/internal/sqlite/check"
	"github.com/strata-memory/strata/internal/sqlite/packed"
	"github.com/strata-memory/strata/store"
)

// transcripts marks the transcripts of closed sessions with blanked turns as
// outstanding, so that they are written again.
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

// maybeCalls is [mayHold] for tool calls. Their arguments are JSON, in which any
// character may be escaped and so hidden from the pattern.
var maybeCalls = `(` + mayHold(`calls`) + ` OR instr(calls, '\\u') > 0)`

// turns removes what tells the subject from the turns of the scope: from those it
// came from and from those that repeat it. A turn that also says something else
// keeps the rest, which is to be indexed anew.
func (f *forgetting) turns(ctx context.Context) error {
	if err := f.findHome(ctx); err != nil {
		return err
	}
	var changed []store.Source
	err := f.eachTurn(ctx, func(number int64, u strata.Turn) error {
		if f.subject.BlankTurn(&u, f.subject.Where(u.Scope, u.Session, u.ID)) {
			changed = append(changed, store.Source{Number: number, Turn: &u})
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, c := range changed {
		if err := f.putBlanked(ctx, c); err != nil {
			return err
		}
		u := c.Turn
		if !u.Forgotten {
			f.out.Shortened = append(f.out.Shortened, c)
		}
		f.turnsGone = append(f.turnsGone, erasedTurn{ID: u.ID, Session: u.Session, Seq: u.Seq})
		f.out.Turns = append(f.out.Turns, u.ID)
		f.sessions = append(f.sessions, u.Session)
	}
	slices.Sort(f.out.Turns)
	slices.Sort(f.sessions)
	f.sessions = slices.Compact(f.sessions)
	return nil
}

// findHome finds the conversations of the scope in which the subject was told. It
// also drops the values that occur in so many turns that they identify nothing.
func (f *forgetting) findHome(ctx context.Context) error {
	if f.subject.Values.None() {
		return nil
	}
	seen, found := f.subject.Values.Counter(), make(map[string]bool)
	err := f.eachTurn(ctx, func(_ int64, u strata.Turn) error {
		seen.Add(u.Text)
		if where := f.subject.Where(u.Scope, u.Session, u.ID); f.subject.InTurn(u, where) == forget.Tells {
			found[forget.Session(u.Scope, u.Session)] = true
		}
		return nil
	})
	if err != nil {
		return err
	}
	f.subject.Values = seen.Rare()
	for session := range f.subject.Home {
		found[session] = true
	}
	f.subject.Home = found
	return nil
}

// eachTurn calls do with every turn of the scope that may hold the text or is a
// source, without its images, and with its number.
func (f *forgetting) eachTurn(ctx context.Context, do func(number int64, u strata.Turn) error) error {
	low, high := passage.Numbers(f.scopeNo)
	return f.eachRow(ctx, `
		SELECT number, id, session, seq, role, speaker, said_at, recorded_at, calls, text FROM turn
		WHERE number BETWEEN ?2 AND ?3 AND NOT forgotten AND (`+mayHold(`text`)+` OR `+maybeCalls+` OR id IN (SELECT c0 FROM unpack(?4)))`,
		[]any{f.subject.Patterns(), low, high, packed.Texts(f.subject.Sources)}, func(scan scanner) error {
			var number, saidAt, recordedAt int64
			u := strata.Turn{Scope: f.scope}
			var calls string
			err := scan(&number, &u.ID, &u.Session, &u.Seq, &u.Role, &u.Speaker, &saidAt, &recordedAt, &calls, &u.Text)
			if err != nil {
				return err
			}
			u.At, u.RecordedAt = fromMicros(saidAt), fromMicros(recordedAt)
			if u.Calls, err = decodeList[strata.ToolCall](calls); err != nil {
				return err
			}
			return do(number, u)
		})
}

// putBlanked stores what is left of a turn and removes it from the index.
func (f *forgetting) putBlanked(ctx context.Context, c store.Source) error {
	if err := f.removeTurnPassages(ctx, c.Number); err != nil {
		return err
	}
	encoded, err := encodeList(c.Turn.Calls)
	if err != nil {
		return err
	}
	if c.Turn.Forgotten {
		if _, err := f.exec(ctx, `DELETE FROM turn_image WHERE number = ?`, c.Number); err != nil {
			return err
		}
	}
	_, err = f.exec(ctx, `UPDATE turn SET text = ?1, calls = ?2, images = iif(?3, 0, images), forgotten = ?3 WHERE number = ?4`,
		c.Turn.Text, encoded, c.Turn.Forgotten, c.Number)
	if err != nil {
		return err
	}
	return f.sum(ctx, check.Turn, c.Number)
}
