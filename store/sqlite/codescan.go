package sqlite

import (
	"context"

	"github.com/strata-memory/strata/vector"
)

// codeHeads returns the heads of a scope, a model and the kinds of a mask.
func (t *tx) codeHeads(ctx context.Context, scopeNo int64, m model, kinds int64) ([]codeHead, error) {
	rows, err := t.query(ctx, `
		SELECT id, coded, uncoded, change, removed FROM code_head
		WHERE scope_no = ? AND model = ? AND (? >> kind) & 1`, scopeNo, m.number, kinds)
	if err != nil {
		return nil, err
	}
	return collect(rows, func(scan scanner) (codeHead, error) {
		var h codeHead
		err := scan(&h.id, &h.coded, &h.uncoded, &h.change, &h.removed)
		return h, err
	})
}

// scoredCodes are codes with the scores of one query. Those of two heads do not
// compare: each has its own center.
type scoredCodes struct {
	numbers []int64 // 0 where a passage is gone
	scores  []float32
	within  *numberSet
}

// scanCodes scores all codes of a head. Only passages that within holds count;
// a nil within holds all.
func (t *tx) scanCodes(ctx context.Context, m model, h codeHead, query []float32, within *numberSet) (scoredCodes, error) {
	c, err := t.openCodes(ctx, m, h)
	if err != nil {
		return scoredCodes{}, err
	}
	table, err := c.coder.Table(query)
	if err != nil {
		return scoredCodes{}, err
	}
	s := scoredCodes{numbers: c.numbers, scores: make([]float32, len(c.numbers)), within: within}
	if err := table.ScoreAll(s.scores, c.codes); err != nil {
		return scoredCodes{}, corruptError("read block", err.Error())
	}
	return s, nil
}

// above calls fn with each passage that counts whose score is at least low.
func (s scoredCodes) above(low float32, fn func(number int64, score float32)) {
	for i, score := range s.scores {
		if score >= low {
			if n := s.numbers[i]; n != 0 && s.within.has(n) {
				fn(n, score)
			}
		}
	}
}

// best returns the k with the best scores, best first.
func (s scoredCodes) best(k int) []vector.Scored {
	top := vector.NewTopK(k)
	for i, score := range s.scores {
		if n := s.numbers[i]; score >= top.Worst() && n != 0 && s.within.has(n) {
			top.Offer(n, score)
		}
	}
	return top.Sorted()
}
