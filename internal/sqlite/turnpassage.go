package sqlite

import (
	"context"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/internal/sqlite/packed"
	"github.com/strata-memory/strata/store"
)

// A short turn is one passage with the turn's number. Each passage of a long turn
// has a row in table turn_passage.

// DivideTurn sets the passages of a turn and returns their numbers.
func (t *tx) DivideTurn(ctx context.Context, turn int64, spans []strata.Span) ([]int64, error) {
	const op = "divide turn"
	if _, err := t.exec(ctx, `DELETE FROM undivided WHERE number = ?`, turn); err != nil {
		return nil, wrap(op, err)
	}
	was, err := t.turnPassages(ctx, turn)
	if err != nil {
		return nil, wrap(op, err)
	}
	var numbers []int64
	for _, p := range was {
		numbers = append(numbers, p.number)
	}
	if len(spans) > 1 && slices.EqualFunc(was, spans, func(p turnPart, s strata.Span) bool { return p.span == s }) {
		return numbers, nil
	}
	if err := t.joinTurn(ctx, turn, was); err != nil {
		return nil, wrap(op, err)
	}
	if len(spans) <= 1 {
		return []int64{turn}, nil
	}
	numbers = nil
	for i, s := range spans {
		number := turn
		if i > 0 {
			if number, err = t.nextNumber(ctx, passage.Scope(turn)); err != nil {
				return nil, wrap(op, err)
			}
		}
		numbers = append(numbers, number)
		_, err := t.exec(ctx, `INSERT INTO turn_passage (number, turn, start, stop) VALUES (?, ?, ?, ?)`, number, turn, s.Start, s.End)
		if err != nil {
			return nil, wrap(op, err)
		}
	}
	return numbers, nil
}

// turnPart is a row of table turn_passage.
type turnPart struct {
	number int64
	span   strata.Span
}

// turnPassages returns the passages of a turn in order, or none if it is not
// divided.
func (t *tx) turnPassages(ctx context.Context, turn int64) ([]turnPart, error) {
	return collect(ctx, t, `SELECT number, start, stop FROM turn_passage WHERE turn = ? ORDER BY start`, []any{turn},
		func(scan scanner) (p turnPart, err error) {
			err = scan(&p.number, &p.span.Start, &p.span.End)
			return p, err
		})
}

// joinTurn undoes the division of a turn: it removes all passages but the first,
// which has the turn's number. The turn must be put again.
func (t *tx) joinTurn(ctx context.Context, turn int64, parts []turnPart) error {
	for _, p := range parts {
		if p.number != turn {
			if err := t.removePassage(ctx, p.number); err != nil {
				return err
			}
		}
	}
	_, err := t.exec(ctx, `DELETE FROM turn_passage WHERE turn = ?`, turn)
	return err
}

// removeTurnPassages removes all passages of a turn from the index.
func (t *tx) removeTurnPassages(ctx context.Context, turn int64) error {
	parts, err := t.turnPassages(ctx, turn)
	if err != nil {
		return err
	}
	if err := t.joinTurn(ctx, turn, parts); err != nil {
		return err
	}
	if _, err := t.exec(ctx, `DELETE FROM undivided WHERE number = ?`, turn); err != nil {
		return err
	}
	return t.removePassage(ctx, turn)
}

// Undivided returns up to limit turns, of any scope, that an earlier version indexed
// whole, however long they were.
func (t *tx) Undivided(ctx context.Context, limit int) ([]store.Source, error) {
	list, err := t.queryIntegers(ctx, 1, `SELECT number FROM undivided ORDER BY number LIMIT ?`, clampLimit(limit))
	if err != nil || len(list) == 0 {
		return nil, wrap("read undivided turns", err)
	}
	found := make(map[int64]store.Source, len(list))
	if err := t.readTurns(ctx, list, found); err != nil {
		return nil, wrap("read undivided turns", err)
	}
	out := make([]store.Source, 0, len(list))
	for _, n := range list {
		s := found[n] // empty if its turn is gone
		s.Number = n
		out = append(out, s)
	}
	return out, nil
}

// readTurns adds the turns of the given passages to into, each with the span of its
// text that the passage holds.
func (t *tx) readTurns(ctx context.Context, list []int64, into map[int64]store.Source) error {
	type row struct {
		number int64
		span   strata.Span
		turn   strata.Turn
	}
	turns, err := collect(ctx, t, `
		SELECT j.c0, coalesce(p.start, 0), coalesce(p.stop, 0), `+turnColumns+`
		FROM unpack(?) AS j LEFT JOIN turn_passage AS p ON p.number = j.c0 CROSS JOIN turn AS t ON t.number = coalesce(p.turn, j.c0) `+
		turnJoins, []any{packed.Numbers(distinct(list))}, func(scan scanner) (r row, err error) {
		r.turn, err = scanTurn(func(dest ...any) error {
			return scan(append([]any{&r.number, &r.span.Start, &r.span.End}, dest...)...)
		})
		return r, err
	})
	for i := range turns {
		r := &turns[i]
		into[r.number] = store.Source{Number: r.number, Turn: &r.turn, Span: r.span}
	}
	return err
}
