package sqlite

import (
	"context"

	"github.com/strata-memory/strata/index/nearest"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/vector"
)

// checkBlocks compares the codes in every block with the vectors they stand for.
func (t *tx) checkBlocks(ctx context.Context) ([]store.Problem, error) {
	blocks, err := t.numberList(ctx, `
		SELECT b.id FROM code_head AS h JOIN model AS m ON m.number = h.model AND NOT m.stale
		JOIN code_block AS b ON b.head = h.id ORDER BY b.id`)
	if err != nil {
		return nil, err
	}
	var out []store.Problem
	coders := make(map[int64]*vector.Coder)
	for _, id := range blocks {
		if len(out) >= maxProblems {
			break
		}
		low, ok, err := t.blockAgrees(ctx, id, coders)
		if err != nil {
			return out, err
		}
		if !ok {
			p, err := t.indexProblem(ctx, "wrong_code", "a block of codes is not that of its vectors", low)
			if err != nil {
				return out, err
			}
			out = append(out, p)
		}
	}
	return out, nil
}

// blockAgrees reports whether a block holds the codes of its vectors, and its
// lowest number.
func (t *tx) blockAgrees(ctx context.Context, id int64, coders map[int64]*vector.Coder) (low int64, ok bool, err error) {
	var head int64
	var m model
	var center []byte
	var b nearest.Block
	var f nearest.FineBlock
	var fineSum *int64
	err = t.queryRow(ctx, `
		SELECT b.head, h.model, m.dim, h.center, b.low, b.numbers, b.codes, b.sum, f.sum, f.codes
		FROM code_block AS b JOIN code_head AS h ON h.id = b.head JOIN model AS m ON m.number = h.model
		LEFT JOIN code_fine AS f ON f.block = b.id WHERE b.id = ?`, id).
		Scan(&head, &m.number, &m.dim, &center, &low, &b.Numbers, &b.Codes, &b.Sum, &fineSum, &f.Codes)
	if err != nil {
		return low, false, err
	}
	if fineSum != nil {
		f.Sum = *fineSum
	}
	if !b.Whole(m.dim) || !f.Whole() {
		return low, false, nil
	}
	coder := coders[head]
	if coder == nil {
		if coder, err = nearest.NewCoder(center, m.dim); err != nil {
			return low, false, nil
		}
		coders[head] = coder
	}
	for slot := range b.Slots() {
		n := b.Number(slot)
		if n == 0 {
			continue
		}
		var embedding []byte
		err := t.queryRow(ctx, `SELECT embedding FROM vector WHERE place = ?`, m.place(n)).Scan(&embedding)
		v, decodeErr := vector.DecodeScaled(embedding, m.dim)
		if err != nil || decodeErr != nil {
			return low, false, nil // checkCodes and the checks of vectors say what it is
		}
		if !b.Holds(f, slot, coder, v) {
			return low, false, nil
		}
	}
	return low, true, nil
}

// checkCodes compares the vectors with what is coded or waits for it.
func (t *tx) checkCodes(ctx context.Context) ([]store.Problem, error) {
	rows, err := t.query(ctx, `
		SELECT b.head, b.low, b.high, b.live, b.numbers FROM code_block AS b
		WHERE b.head IN (SELECT h.id FROM code_head AS h JOIN model AS m ON m.number = h.model WHERE NOT m.stale)`)
	if err != nil {
		return nil, err
	}
	type place struct{ head, number int64 }
	coded := make(map[place]bool)
	var out []store.Problem
	report := func(number int64) error {
		p, err := t.indexProblem(ctx, "wrong_code", "the codes of the scope are not those of its vectors", number)
		if len(out) < maxProblems {
			out = append(out, p)
		}
		return err
	}
	var damaged []int64
	_, err = collect(rows, func(scan scanner) (struct{}, error) {
		var head, low, high, live int64
		var b nearest.Block
		if err := scan(&head, &low, &high, &live, &b.Numbers); err != nil {
			return struct{}{}, err
		}
		for _, n := range b.Live() {
			live--
			if n < low || n > high || coded[place{head, n}] {
				damaged = append(damaged, n)
			}
			coded[place{head, n}] = true
		}
		if live != 0 {
			damaged = append(damaged, low)
		}
		return struct{}{}, nil
	})
	if err != nil {
		return nil, err
	}
	rows, err = t.query(ctx, `
		SELECT h.id, p.number, EXISTS (SELECT 1 FROM uncoded AS u WHERE u.head = h.id AND u.number = p.number)
		FROM code_head AS h
		CROSS JOIN passage AS p ON p.number BETWEEN h.scope_no << 40 AND (h.scope_no + 1 << 40) - 1 AND p.kind = h.kind
		CROSS JOIN vector AS v ON v.place = p.number + (h.model << 34)
		WHERE v.embedding IS NOT NULL AND EXISTS (SELECT 1 FROM model AS m WHERE m.number = h.model AND NOT m.stale)`)
	if err != nil {
		return nil, err
	}
	_, err = collect(rows, func(scan scanner) (struct{}, error) {
		var at place
		var waits bool
		if err := scan(&at.head, &at.number, &waits); err != nil {
			return struct{}{}, err
		}
		if coded[at] == waits { // both, or neither
			damaged = append(damaged, at.number)
		}
		delete(coded, at)
		return struct{}{}, nil
	})
	if err != nil {
		return nil, err
	}
	for at := range coded { // codes of vectors that are not there
		damaged = append(damaged, at.number)
	}
	for _, n := range damaged {
		if err := report(n); err != nil {
			return out, err
		}
	}
	return out, nil
}
