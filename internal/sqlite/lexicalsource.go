package sqlite

import (
	"context"
	"encoding/binary"
	"time"

	"github.com/strata-memory/strata/internal/index/lexical"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/internal/sqlite/packed"
)

var (
	_ lexical.Source = lexicalSource{}
	_ lexical.Host   = lexicalHost{}
)

// lexicalSource implements [lexical.Source] for a transaction.
type lexicalSource struct{ *tx }

// lexicalIndex returns the word index as the transaction sees it.
func (t *tx) lexicalIndex() *lexical.Snapshot {
	if t.lexical == nil {
		t.lexical = t.db.lexical.Snapshot(lexicalSource{t}, t.group != nil)
	}
	return t.lexical
}

// Scope returns the counts kept of a scope.
func (s lexicalSource) Scope(ctx context.Context, scope int64) (out lexical.Scope, err error) {
	low, high := passage.Numbers(scope)
	n, err := s.queryIntegers(ctx, 3, `SELECT
		coalesce((SELECT change FROM passage WHERE number >> 40 = ?1 ORDER BY change DESC LIMIT 1), 0),
		coalesce((SELECT change FROM removal WHERE scope_no = ?1 ORDER BY change DESC LIMIT 1), 0),
		EXISTS (SELECT 1 FROM pending WHERE number BETWEEN ?2 AND ?3)`, scope, low, high)
	if err != nil {
		return out, err
	}
	out.Change, out.Pending = max(n[0], n[1]), n[2] != 0
	const columns = 3
	list, err := s.queryIntegers(ctx, columns, `SELECT kind, passages, words FROM scope_stat WHERE scope_no = ?`, scope)
	for ; len(list) > 0; list = list[columns:] {
		if kind := list[0]; kind >= 0 && kind < int64(len(out.Totals)) {
			out.Totals[kind] = lexical.Total{Passages: list[1], Words: list[2]}
		}
	}
	return out, err
}

// Entries calls fn with the entries of a term in table term_index.
func (s lexicalSource) Entries(ctx context.Context, scope int64, term string, fn func([]lexical.Entry) error) error {
	room, ok := s.db.entries.Get().(*[]lexical.Entry)
	if !ok {
		room = new([]lexical.Entry)
	}
	defer s.db.entries.Put(room)
	low, high := passage.Numbers(scope)
	rows, err := s.queryBlob(ctx, `
		SELECT pack(rowid, times) FROM (
			SELECT rowid, phrase_count(term_index) AS times FROM term_index WHERE term_index MATCH ?1 AND rowid BETWEEN ?2 AND ?3 LIMIT -1)`,
		`"`+term+`"`, low, high) // a term contains no quotes
	if err != nil {
		return err
	}
	list := (*room)[:0]
	for ; len(rows) >= 16; rows = rows[16:] {
		list = append(list, lexical.NewEntry(int64(binary.LittleEndian.Uint64(rows)), int64(binary.LittleEndian.Uint64(rows[8:]))))
	}
	*room = list
	return fn(list)
}

// Pending calls fn with the passages whose terms are pending, and those terms.
func (s lexicalSource) Pending(ctx context.Context, scope int64, fn func(int64, string) error) error {
	low, high := passage.Numbers(scope)
	return s.rows(ctx, 2, `
		SELECT pack_rows(number, terms) FROM (
			SELECT number, terms FROM pending WHERE number BETWEEN ? AND ? AND terms IS NOT NULL ORDER BY number)`,
		[]any{low, high}, func(row []packed.Value) error { return fn(row[0].Int(), string(row[1].Bytes())) })
}

// The terms of passage p, from table pending or table term_index; empty if they are
// in neither.
const (
	termsOfPassage = `coalesce(w.terms, (SELECT c0 FROM term_index_content WHERE id = p.number), '')`
	joinTerms      = ` LEFT JOIN pending AS w ON w.number = p.number`
)

// Passages p that changed after a change, without and with their terms.
const (
	changedPassages = `passage AS p INDEXED BY passage_change`
	sinceChange     = ` WHERE p.number >> 40 = ? AND p.change > ? ORDER BY p.change LIMIT ?)`
	changedRows     = rowOfPassage + `(SELECT p.* FROM ` + changedPassages + sinceChange + ` AS p`
	changedTerms    = `SELECT pack_rows(number, parent, seq, words, kind, type, recorded_at, retired_at, terms) FROM (SELECT p.*, ` +
		termsOfPassage + ` AS terms FROM ` + changedPassages + joinTerms + sinceChange
)

// Changed calls fn with passages that changed after a change.
func (s lexicalSource) Changed(ctx context.Context, scope, after, limit int64, terms bool, fn func(*passage.Row, string) error) error {
	columns, query := columnsOfRow, changedRows
	if terms {
		columns, query = columnsOfRow+1, changedTerms
	}
	return s.rows(ctx, columns, query, []any{scope, after, limit}, func(row []packed.Value) error {
		r, list := readRow(row), ""
		if terms {
			list = string(row[columnsOfRow].Bytes())
		}
		return fn(&r, list)
	})
}

// Removed lists passages that were removed after a change.
func (s lexicalSource) Removed(ctx context.Context, scope, after, limit int64) ([]int64, error) {
	return s.queryIntegers(ctx, 1, `SELECT number FROM removal WHERE scope_no = ? AND change > ? LIMIT ?`, scope, after, limit)
}

// Sample calls fn with the terms of passages at regular intervals.
func (s lexicalSource) Sample(ctx context.Context, scope int64, n int, fn func(string) error) error {
	low, high := passage.Numbers(scope)
	ends, err := s.queryIntegers(ctx, 2, `SELECT coalesce(min(number), 0), coalesce(max(number), 0) FROM passage WHERE number BETWEEN ? AND ?`, low, high)
	if err != nil {
		return err
	}
	places := make([]int64, n)
	for i := range places {
		places[i] = ends[0] + (ends[1]-ends[0])*int64(i)/int64(n)
	}
	return s.rows(ctx, 1, `
		SELECT pack_rows(`+termsOfPassage+`) FROM unpack(?) AS j CROSS JOIN passage AS p
		ON p.number = (SELECT number FROM passage WHERE number >= j.c0 ORDER BY number LIMIT 1)`+joinTerms,
		[]any{packed.Numbers(places)}, func(row []packed.Value) error { return fn(string(row[0].Bytes())) })
}

// Blocks lists the blocks of a scope.
func (s lexicalSource) Blocks(ctx context.Context, scope int64) (out []lexical.Block, err error) {
	const columns = 5
	low, high := passage.Numbers(scope)
	list, err := s.queryIntegers(ctx, columns, `
		SELECT low, high, change, sum, length(passages) FROM passage_block WHERE low BETWEEN ? AND ? ORDER BY low`, low, high)
	for ; len(list) > 0; list = list[columns:] {
		out = append(out, lexical.Block{Low: list[0], High: list[1], Change: list[2], Sum: list[3], Size: list[4]})
	}
	return out, err
}

// BlockPassages returns the packed passages of a block.
func (s lexicalSource) BlockPassages(ctx context.Context, low int64) ([]byte, error) {
	return s.queryBlob(ctx, `SELECT passages FROM passage_block WHERE low = ?`, low)
}

// lexicalHost implements [lexical.Host] for a database.
type lexicalHost struct{ db *DB }

// Go runs fn in the background.
func (h lexicalHost) Go(fn func(context.Context)) bool { return h.db.inBackground(fn) }

// View runs fn in a read transaction.
func (h lexicalHost) View(ctx context.Context, fn func(lexical.Source) error) error {
	return h.db.view(ctx, func(t *tx) error { return fn(lexicalSource{t}) })
}

// GiveWay waits for d if other reads are under way.
func (h lexicalHost) GiveWay(ctx context.Context, d time.Duration) error {
	if !h.db.readers.Busy() {
		return ctx.Err()
	}
	return pause(ctx, d)
}

// pause waits for d or until ctx ends.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
