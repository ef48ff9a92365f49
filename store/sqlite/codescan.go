package sqlite

import (
	"context"
	"database/sql"

	"github.com/strata-memory/strata/vector"
)

// codeHeads returns the heads of a scope, a model and the kinds of a mask.
func (t *tx) codeHeads(ctx context.Context, scopeNo int64, m model, kinds int64) ([]codeHead, error) {
	rows, err := t.query(ctx, `
		SELECT id, coded, uncoded, center FROM code_head
		WHERE scope_no = ? AND model = ? AND (? >> kind) & 1`, scopeNo, m.number, kinds)
	if err != nil {
		return nil, err
	}
	return collect(rows, func(scan scanner) (codeHead, error) {
		var h codeHead
		err := scan(&h.id, &h.coded, &h.uncoded, &h.center)
		return h, err
	})
}

// scanCodes returns the scores of the codes of a head. Only passages that
// within holds count; a nil within holds all.
func (t *tx) scanCodes(ctx context.Context, m model, h codeHead, query []float32, within *numberSet) ([]vector.Scored, error) {
	coder, err := coderOf(m, h.center)
	if err != nil {
		return nil, err
	}
	table, err := coder.Table(query)
	if err != nil {
		return nil, err
	}
	rows, err := t.query(ctx, `SELECT numbers, codes FROM code_block WHERE head = ?`, h.id)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := make([]vector.Scored, 0, h.coded)
	for rows.Next() {
		// RawBytes: valid until the next row, and not copied again.
		var ns, codes sql.RawBytes
		if err := rows.Scan(&ns, &codes); err != nil {
			return nil, wrap("read block", err)
		}
		b := codeBlock{numbers: ns, codes: codes}
		if len(codes) != len(ns)/8*vector.CodeBytes(m.dim) {
			return nil, corruptError("read block", "a block of codes is cut short")
		}
		err := table.Scan(codes, func(slot int, score float32) {
			if n := b.number(slot); n != 0 && within.has(n) {
				out = append(out, vector.Scored{ID: n, Similarity: score})
			}
		})
		if err != nil {
			return nil, corruptError("read block", err.Error())
		}
	}
	return out, wrap("read blocks", rows.Err())
}
