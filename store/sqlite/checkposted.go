package sqlite

import (
	"context"

	"github.com/strata-memory/strata/index/passage"
	"github.com/strata-memory/strata/store"
)

// checkPosted compares blocks of passages with the passages themselves.
func (t *tx) checkPosted(ctx context.Context) ([]store.Problem, error) {
	scopes, err := t.numberList(ctx, `SELECT DISTINCT low >> 40 FROM posted`)
	if err != nil {
		return nil, err
	}
	var out []store.Problem
	for _, scopeNo := range scopes {
		low, last := passage.Numbers(scopeNo)
		change, err := t.postingChange(ctx, scopeNo)
		if err != nil {
			return out, err
		}
		blocks, err := t.postedBlocks(ctx, scopeNo)
		if err != nil {
			return out, err
		}
		for _, b := range blocks {
			if len(out) >= maxProblems {
				return out, nil
			}
			ok := b.fits(low, last, change)
			if ok {
				low = b.high + 1
				ok, err = t.postedAgrees(ctx, b)
			}
			if err == nil && !ok {
				var p store.Problem
				p, err = t.indexProblem(ctx, "wrong_block", "a block of passages is not what these were when it was written", b.low)
				out = append(out, p)
			}
			if err != nil {
				return out, err
			}
		}
	}
	return out, nil
}

// postedAgrees reports whether a block holds what its passages are, save for
// those that changed since.
func (t *tx) postedAgrees(ctx context.Context, b postedBlock) (bool, error) {
	list, ok, err := t.passagesIn(ctx, b, nil)
	if err != nil || !ok {
		return false, err
	}
	since, err := t.numberList(ctx, `
		SELECT number FROM passage WHERE number BETWEEN ?1 AND ?2 AND change > ?3
		UNION SELECT number FROM removal WHERE scope_no = ?1 >> 40 AND change > ?3 AND number BETWEEN ?1 AND ?2`, b.low, b.high, b.change)
	if err != nil {
		return false, err
	}
	changed := make(map[uint32]bool, len(since))
	for _, number := range since {
		changed[uint32(number&lowBits)] = true
	}
	agree := true
	_, fit, err := t.eachPosted(ctx, b.low, b.high, -1, func(p postedPassage) bool {
		for len(list) > 0 && list[0].number < p.number {
			agree = agree && changed[list[0].number]
			list = list[1:]
		}
		there := len(list) > 0 && list[0].number == p.number
		if there {
			agree = agree && (list[0] == p || changed[p.number])
			list = list[1:]
		}
		agree = agree && (there || changed[p.number])
		return true
	})
	for _, p := range list {
		agree = agree && changed[p.number]
	}
	return agree && fit, err
}
