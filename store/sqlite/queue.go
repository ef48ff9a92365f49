package sqlite

import (
	"context"

	"github.com/strata-memory/strata/store"
)

// queueEmbedding makes a passage wait for its vector.
func (t *tx) queueEmbedding(ctx context.Context, number int64) error {
	_, err := t.exec(ctx, `INSERT INTO embedding_queue (number, attempts) VALUES (?, 0)`, number)
	return err
}

// Unembedded returns up to limit passages of any scope that wait for a vector,
// those with the fewest attempts first.
func (t *tx) Unembedded(ctx context.Context, limit int) ([]store.Unembedded, error) {
	rows, err := t.query(ctx, `
		SELECT number, attempts FROM embedding_queue ORDER BY attempts, number LIMIT ?`, clampLimit(limit))
	if err != nil {
		return nil, err
	}
	list, err := collect(rows, func(scan scanner) (store.Unembedded, error) {
		var u store.Unembedded
		err := scan(&u.Number, &u.Attempts)
		return u, err
	})
	if err != nil {
		return nil, err
	}
	wanted := make([]int64, len(list))
	for i, u := range list {
		wanted[i] = u.Number
	}
	sources, err := t.sourcesAt(ctx, wanted)
	if err != nil {
		return nil, err
	}
	out := list[:0]
	for _, u := range list {
		if s, ok := sources[u.Number]; ok {
			u.Source = s
			out = append(out, u)
		}
	}
	return out, nil
}

// DelayEmbedding counts a failed attempt for the passages.
func (t *tx) DelayEmbedding(ctx context.Context, numbers []int64) error {
	if len(numbers) == 0 {
		return nil
	}
	list, err := encodeNumbers(numbers)
	if err != nil {
		return err
	}
	_, err = t.exec(ctx, `
		UPDATE embedding_queue SET attempts = attempts + 1
		WHERE number IN (SELECT value FROM json_each(?))`, list)
	return err
}
