package check

import (
	"context"
	"database/sql"

	"github.com/strata-memory/strata/internal/decide/neardup"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

// Pending looks for pending texts that are not normalized, or whose pending terms do
// not match. Both were made from the same text, so a flipped bit changes only one of
// them.
func (c Checker) Pending(ctx context.Context) ([]store.Problem, error) {
	var numbers []int64
	err := c.each(ctx, `SELECT number, normal, terms FROM pending ORDER BY number`, nil, func(scan func(...any) error) (bool, error) {
		var number int64
		var normal string
		var terms sql.NullString
		err := scan(&number, &normal, &terms)
		if err == nil && !agree(normal, terms) {
			numbers = append(numbers, number)
		}
		return len(numbers) < Most, err
	})
	if err != nil {
		return nil, err
	}
	return c.OfNumbers(ctx, "wrong_words", "the text and the terms of the passage that wait are not those of one text", numbers)
}

// agree reports whether a pending text is normalized and its terms, unless null, are
// the given ones. A text has the same terms as its normalized form.
func agree(normal string, terms sql.NullString) bool {
	a := store.Analyze(text.Analyze(normal), nil)
	return a.Normal == normal && (!terms.Valid || a.Terms == terms.String)
}

// Keys looks for current facts without near-duplicate keys. Only a text without
// content terms has none.
func (c Checker) Keys(ctx context.Context) ([]store.Problem, error) {
	var numbers []int64
	err := c.each(ctx, `
		SELECT p.number, f.text FROM passage AS p CROSS JOIN fact AS f ON f.number = p.number
		WHERE p.kind = 1 AND p.retired_at IS NULL AND p.number NOT IN (SELECT number FROM sketch)`, nil,
		func(scan func(...any) error) (bool, error) {
			var number int64
			var said string
			err := scan(&number, &said)
			if err == nil && len(neardup.Of(text.Analyze(said)).Keys) > 0 {
				numbers = append(numbers, number)
			}
			return len(numbers) < Most, err
		})
	if err != nil {
		return nil, err
	}
	return c.OfNumbers(ctx, "fact_without_keys", "the fact is not found by others that say nearly the same", numbers)
}
