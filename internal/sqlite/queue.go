package sqlite

import (
	"context"

	"github.com/strata-memory/strata/internal/sqlite/packed"
	"github.com/strata-memory/strata/store"
)

// embedPassage stores the vector that a new passage brings and queues the passage
// for the other models that are wanted.
func (t *tx) embedPassage(ctx context.Context, row passageRow, p store.Passage, brings model) error {
	if err := t.takeOverOrphans(ctx, row, brings); err != nil {
		return err
	}
	w, err := t.models(ctx)
	if err != nil {
		return err
	}
	if w.serving.number == 0 {
		return t.queueEmbedding(ctx, p.Number, 0)
	}
	for _, m := range w.list() {
		if m.number == brings.number {
			err = t.putVector(ctx, row, m, p.Vector)
		} else {
			err = t.queueEmbedding(ctx, p.Number, m.queue)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// queueEmbedding queues a passage for a vector.
func (t *tx) queueEmbedding(ctx context.Context, number, queue int64) error {
	_, err := t.exec(ctx, `INSERT INTO embedding_queue (number, model, attempts) VALUES (?, ?, 0)`, number, queue)
	return err
}

// waitedFor returns the wanted model that m names. Before any model is wanted,
// passages wait in queue number 0, which the zero model stands for. ok is false if m
// is not wanted.
func (t *tx) waitedFor(ctx context.Context, m store.Model) (found model, ok bool, err error) {
	w, err := t.models(ctx)
	if err != nil {
		return model{}, false, err
	}
	if m.IsZero() {
		return model{}, w.serving.number == 0, nil
	}
	found, ok = w.find(m.Name, m.Dim)
	return found, ok, nil
}

// Unembedded returns up to limit passages of any scope that wait for a vector of the
// model, fewest attempts first.
func (t *tx) Unembedded(ctx context.Context, m store.Model, limit int) ([]store.Unembedded, error) {
	found, ok, err := t.waitedFor(ctx, m)
	if err != nil || !ok {
		return nil, err
	}
	list, err := collect(ctx, t, `
		SELECT number, attempts FROM embedding_queue WHERE model = ? ORDER BY attempts, number LIMIT ?`,
		[]any{found.queue, clampLimit(limit)}, func(scan scanner) (u store.Unembedded, err error) {
			err = scan(&u.Number, &u.Attempts)
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

// DelayEmbedding counts a failed attempt for the passages. Passages of a backfill
// that were not queued are queued.
func (t *tx) DelayEmbedding(ctx context.Context, m store.Model, numbers []int64) error {
	found, ok, err := t.waitedFor(ctx, m)
	if err != nil || !ok || len(numbers) == 0 {
		return err
	}
	_, err = t.exec(ctx, `
		INSERT INTO embedding_queue (number, model, attempts)
		SELECT p.number, ?2, 1 FROM unpack(?1) AS j CROSS JOIN passage AS p ON p.number = j.c0
		WHERE EXISTS (SELECT 1 FROM embedding_queue AS q WHERE q.number = p.number AND q.model = ?2)
			OR ?3 = 0 OR NOT EXISTS (SELECT 1 FROM vector AS v WHERE v.place = p.number + ?3)
		ON CONFLICT DO UPDATE SET attempts = attempts + 1`, packed.Numbers(numbers), found.queue, found.shift())
	return err
}
