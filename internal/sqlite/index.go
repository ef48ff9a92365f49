package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/store"
)

// PutPassage indexes a passage: its words, substrings, vector and parent. It
// replaces what was indexed of the passage before.
func (t *tx) PutPassage(ctx context.Context, p store.Passage) error {
	err := t.putPassage(ctx, p)
	if err != nil {
		return fmt.Errorf("index passage %d: %w", p.Number, err)
	}
	return nil
}

func (t *tx) putPassage(ctx context.Context, p store.Passage) error {
	no, brings, err := t.checkPassage(ctx, p)
	if err != nil {
		return err
	}
	code, err := t.typeCode(ctx, p)
	if err != nil {
		return err
	}
	a := p.Analyzed()
	row := passageRow{
		number: p.Number, kind: passage.KindCode(p.Kind), seq: p.Seq, words: a.Words,
		retired: sql.NullInt64{Valid: p.RetiredAt != nil},
	}
	if p.RetiredAt != nil {
		row.retired.Int64 = micros(*p.RetiredAt)
	}
	if row.parent, err = t.openParent(ctx, no, row.kind, p.Parent); err != nil {
		return err
	}
	if err := t.insertPassage(ctx, row, code, micros(p.RecordedAt)); err != nil {
		return err
	}
	if err := t.addPending(ctx, p.Number, a.Terms, a.Normal); err != nil {
		return err
	}
	if !row.retired.Valid {
		if err := t.countPassage(ctx, row, 1); err != nil {
			return err
		}
		if p.Kind == strata.KindFact {
			if err := t.putSketch(ctx, p.Number, a.Sketch); err != nil {
				return err
			}
		}
	}
	return t.embedPassage(ctx, row, p, brings)
}

// typeCode returns the code that the index stores as the type of a passage.
func (t *tx) typeCode(ctx context.Context, p store.Passage) (int64, error) {
	switch p.Kind {
	case strata.KindTurn:
		return t.speechCode(ctx, p)
	case strata.KindSection:
		return t.sectionCode(ctx, p)
	}
	return passage.TypeCode(p.Type), nil
}

// insertPassage writes the row of a passage, replacing the passage if it exists.
func (t *tx) insertPassage(ctx context.Context, row passageRow, code, recordedAt int64) error {
	change, err := t.nextChange(ctx)
	if err != nil {
		return err
	}
	insert := func() (int64, error) {
		res, err := t.exec(ctx, `
			INSERT INTO passage (number, kind, parent, seq, type, words, recorded_at, retired_at, change)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
			row.number, row.kind, row.parent, row.seq, code, row.words, recordedAt, row.retired, change)
		if err != nil {
			return 0, err
		}
		return res.RowsAffected()
	}
	if n, err := insert(); err != nil {
		return err
	} else if n == 0 {
		if err := t.dropOld(ctx, row); err != nil {
			return err
		}
		_, err = insert()
		return err
	}
	return nil
}

// dropOld removes a passage from the index before it is indexed anew as row.
func (t *tx) dropOld(ctx context.Context, row passageRow) error {
	old, err := t.passage(ctx, row.number)
	if err != nil {
		return err
	}
	if err := t.dropPassage(ctx, old); err != nil {
		return err
	}
	if old.parent == row.parent {
		return nil
	}
	return t.closeParent(ctx, old.parent)
}

// checkPassage returns an error if a passage is invalid, before anything is written.
// Otherwise it returns the number of its scope, and the model of its vector if it
// has one and that model is wanted.
func (t *tx) checkPassage(ctx context.Context, p store.Passage) (scopeNo int64, brings model, err error) {
	const op = "check passage"
	no, ok, err := t.scopeNo(ctx, p.Scope, false)
	switch {
	case err != nil:
		return 0, brings, err
	case !ok || passage.Scope(p.Number) != no:
		return 0, brings, strata.Invalid(op, "the number is not one of the scope "+p.Scope.Key(), "use the number that PutFact, AppendTurn or PutDocument returned")
	case p.Number-no<<passage.ScopeBits >= 1<<modelShift:
		return 0, brings, &strata.Error{Code: strata.CodeFull, Op: op, Message: "the scope has used up its numbers",
			Hint: "export it and import it into a new home"}
	case passage.KindCode(p.Kind) == 0:
		return 0, brings, p.Kind.Validate()
	case p.Vector != nil:
		brings, _, err = t.modelFor(ctx, p.Model, p.Vector)
	}
	return no, brings, err
}

// passageRow is what is needed to change a passage in the index.
type passageRow struct {
	number, kind, parent, seq, words int64
	retired                          sql.NullInt64
}

// passage returns a passage, or [sql.ErrNoRows].
func (t *tx) passage(ctx context.Context, number int64) (passageRow, error) {
	row := passageRow{number: number}
	err := t.queryRow(ctx, `SELECT kind, parent, seq, words, retired_at FROM passage WHERE number = ?`, number).
		Scan(&row.kind, &row.parent, &row.seq, &row.words, &row.retired)
	return row, err
}

// countPassage adds a current passage to the counts of its scope and parent if n is
// 1, and subtracts it if n is -1.
func (t *tx) countPassage(ctx context.Context, p passageRow, n int64) error {
	_, err := t.exec(ctx, `
		INSERT INTO scope_stat (scope_no, kind, passages, words) VALUES (?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET passages = passages + excluded.passages, words = words + excluded.words`,
		passage.Scope(p.number), p.kind, n, n*p.words)
	if err != nil {
		return err
	}
	_, err = t.exec(ctx, `UPDATE parent SET passages = passages + ?, words = words + ? WHERE number = ?`, n, n*p.words, p.parent)
	return err
}

// retirePassage marks a passage as retired at a time. It stays indexed, for reads as
// of an earlier time.
func (t *tx) retirePassage(ctx context.Context, number, at int64) error {
	row, err := t.passage(ctx, number)
	if errors.Is(err, sql.ErrNoRows) || err == nil && row.retired.Valid {
		return nil
	}
	if err != nil {
		return err
	}
	change, err := t.nextChange(ctx)
	if err != nil {
		return err
	}
	if _, err := t.exec(ctx, `UPDATE passage SET retired_at = ?, change = ? WHERE number = ?`, at, change, number); err != nil {
		return err
	}
	if err := t.countPassage(ctx, row, -1); err != nil {
		return err
	}
	if err := t.dropSketch(ctx, number); err != nil {
		return err
	}
	return t.takeFromParent(ctx, row)
}

// removePassage removes a passage from the index so that nothing of its text remains
// there. A parent that loses its last passage is removed too.
func (t *tx) removePassage(ctx context.Context, number int64) error {
	return t.withoutPassage(ctx, number, t.dropPassage)
}

// supersedePassage is like removePassage, for a text that is kept elsewhere: its
// words may remain in the index until something is forgotten. Its number must not be
// reused.
func (t *tx) supersedePassage(ctx context.Context, number int64) error {
	if err := t.markWords(ctx); err != nil {
		return err
	}
	return t.withoutPassage(ctx, number, t.takePassage)
}

// withoutPassage removes a passage from the index by calling take.
func (t *tx) withoutPassage(ctx context.Context, number int64, take func(context.Context, passageRow) error) error {
	row, err := t.passage(ctx, number)
	if errors.Is(err, sql.ErrNoRows) {
		return t.dropOrphans(ctx, number)
	}
	if err != nil {
		return err
	}
	if err := take(ctx, row); err != nil {
		return err
	}
	if err := t.closeParent(ctx, row.parent); err != nil {
		return err
	}
	return t.noteRemoval(ctx, passage.Scope(number), number)
}

// dropPassage is like removePassage, but neither closes the parent nor records the
// removal.
func (t *tx) dropPassage(ctx context.Context, row passageRow) error {
	if err := t.purgeWords(ctx); err != nil {
		return err
	}
	return t.takePassage(ctx, row)
}

// takePassage is like dropPassage, but leaves it to the caller how words are
// removed.
func (t *tx) takePassage(ctx context.Context, row passageRow) error {
	if !row.retired.Valid {
		if err := t.countPassage(ctx, row, -1); err != nil {
			return err
		}
		if err := t.takeFromParent(ctx, row); err != nil {
			return err
		}
	}
	if err := t.dropSketch(ctx, row.number); err != nil {
		return err
	}
	if err := t.dropVectors(ctx, row); err != nil {
		return err
	}
	for _, statement := range []string{
		`DELETE FROM term_index WHERE rowid = ?`,
		`DELETE FROM trigram_index WHERE rowid = ?`,
		`DELETE FROM pending WHERE number = ?`,
		`DELETE FROM embedding_queue WHERE number = ?`,
		`DELETE FROM passage WHERE number = ?`,
	} {
		if _, err := t.exec(ctx, statement, row.number); err != nil {
			return err
		}
	}
	return nil
}

// noteRemoval records that a passage was removed; number 0 stands for all passages
// of the scope.
func (t *tx) noteRemoval(ctx context.Context, scopeNo, number int64) error {
	change, err := t.nextChange(ctx)
	if err != nil {
		return err
	}
	_, err = t.exec(ctx, `INSERT INTO removal (scope_no, change, number) VALUES (?, ?, ?)`, scopeNo, change, number)
	return err
}

// touch gives a passage a new change number.
func (t *tx) touch(ctx context.Context, number int64) error {
	change, err := t.nextChange(ctx)
	if err != nil {
		return err
	}
	_, err = t.exec(ctx, `UPDATE passage SET change = ? WHERE number = ?`, change, number)
	return err
}
