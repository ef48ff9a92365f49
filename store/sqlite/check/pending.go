package check

import (
	"context"

	"github.com/strata-memory/strata/index/passage"
	"github.com/strata-memory/strata/neardup"
	"github.com/strata-memory/strata/store"
)

// Pending looks for terms that wait and cannot be those of their passage: some that the
// index would take for several, or less than the passage has words.
func (c Checker) Pending(ctx context.Context) ([]store.Problem, error) {
	return c.texts(ctx, "wrong_words", "the terms of the passage that wait are not those of its text", `
		SELECT u.number, p.words, u.terms FROM pending AS u CROSS JOIN passage AS p ON p.number = u.number
		WHERE u.terms IS NOT NULL ORDER BY u.number`,
		func(words int64, terms string) bool {
			n := int64(0)
			for range passage.Terms(terms) {
				n++
			}
			return n < words || !passage.AreTerms(terms)
		})
}

// Keys looks for current facts without keys of near-duplicates. Only a text without
// content terms has none.
func (c Checker) Keys(ctx context.Context) ([]store.Problem, error) {
	return c.texts(ctx, "fact_without_keys", "the fact is not found by others that say nearly the same", `
		SELECT p.number, 0, f.text FROM passage AS p CROSS JOIN fact AS f ON f.number = p.number
		WHERE p.kind = 1 AND p.retired_at IS NULL AND p.number NOT IN (SELECT number FROM sketch)`,
		func(_ int64, text string) bool { return len(neardup.Of(text).Keys) > 0 })
}

// texts looks through passages that a query yields with a count and a text, and reports
// those that are wrong.
func (c Checker) texts(ctx context.Context, kind, detail, query string, wrong func(count int64, text string) bool) ([]store.Problem, error) {
	var numbers []int64
	err := c.each(ctx, query, nil, func(scan func(...any) error) (bool, error) {
		var number, count int64
		var text string
		err := scan(&number, &count, &text)
		if err == nil && wrong(count, text) {
			numbers = append(numbers, number)
		}
		return len(numbers) < Most, err
	})
	if err != nil {
		return nil, err
	}
	return c.OfNumbers(ctx, kind, detail, numbers)
}
