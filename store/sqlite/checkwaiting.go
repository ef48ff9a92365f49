package sqlite

import (
	"context"

	"github.com/strata-memory/strata/index/passage"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/store/sqlite/check"
)

// checkedWaiting is how many rows of terms that wait are looked at together.
const checkedWaiting = 4096

// checkWaiting looks for terms that wait and cannot be those of their passage:
// some that the index would take for several, or less than the passage has words.
func (t *tx) checkWaiting(ctx context.Context) (out []store.Problem, err error) {
	type waitingRow struct {
		number, words int64
		terms         string
	}
	for after, done := int64(-1), false; !done; {
		list, err := readPacked(ctx, t, `
			SELECT pack_rows(number, words, terms) FROM (
				SELECT u.number, p.words, u.terms FROM pending AS u CROSS JOIN passage AS p ON p.number = u.number
				WHERE u.number > ? AND u.terms IS NOT NULL ORDER BY u.number LIMIT ?)`,
			[]any{after, checkedWaiting}, func(scan scanner) (r waitingRow, err error) {
				return r, scan(&r.number, &r.words, &r.terms)
			})
		if err != nil {
			return out, err
		}
		for _, r := range list {
			n := int64(0)
			for range passage.Terms(r.terms) {
				n++
			}
			if n >= r.words && areTerms(r.terms) {
				continue
			}
			found, err := check.Checker{Conn: t.conn}.OfNumbers(ctx, "wrong_words", "the terms of the passage that wait are not those of its text",
				[]int64{r.number})
			if out = append(out, found...); err != nil || len(out) == check.Most {
				return out, err
			}
		}
		if done = len(list) < checkedWaiting; !done {
			after = list[len(list)-1].number
		}
	}
	return out, nil
}
