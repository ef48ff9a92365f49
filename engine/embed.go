package engine

import (
	"context"
	"fmt"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/recall"
	"github.com/strata-memory/strata/store"
)

// embedBatch is how many waiting passages are embedded in one call.
const embedBatch = 256

// embedPending embeds every passage in the embedding queue.
func (e *Engine) embedPending(ctx context.Context) error {
	return e.embedQueue(ctx, func(int) {})
}

// embedQueue empties the embedding queue and reports each batch.
func (e *Engine) embedQueue(ctx context.Context, done func(n int)) error {
	if e.opts.Embedder == nil {
		return nil
	}
	for {
		var waiting []store.Unembedded
		err := e.store.View(ctx, func(r store.Reader) error {
			var err error
			waiting, err = r.Unembedded(ctx, embedBatch)
			return err
		})
		if err != nil || len(waiting) == 0 {
			return err
		}
		if err := e.embedSome(ctx, waiting); err != nil {
			return err
		}
		done(len(waiting))
	}
}

// embedSome embeds passages and stores their vectors. A failed call is counted
// for each of them, so that passages that never fail come first next time.
func (e *Engine) embedSome(ctx context.Context, waiting []store.Unembedded) error {
	texts := make([]string, len(waiting))
	numbers := make([]int64, len(waiting))
	for i, u := range waiting {
		texts[i], numbers[i] = sourceText(u.Source), u.Number
	}
	vectors, err := e.embed(ctx, texts)
	if err != nil {
		delayErr := e.store.Update(ctx, func(w store.Writer) error { return w.DelayEmbedding(ctx, numbers) })
		if delayErr != nil {
			return fmt.Errorf("%w (and counting the attempt: %w)", err, delayErr)
		}
		return err
	}
	return e.store.Update(ctx, func(w store.Writer) error {
		for i, number := range numbers {
			err := w.PutVector(ctx, number, e.Embedder(), vectors[i])
			// A passage that was forgotten meanwhile needs no vector.
			if err != nil && strata.CodeOf(err) != strata.CodeNotFound {
				return fmt.Errorf("store vector of passage %d: %w", number, err)
			}
		}
		return nil
	})
}

// sourceText is what is indexed of a fact version or turn.
func sourceText(s store.Source) string {
	if s.Turn != nil {
		return recall.TurnText(*s.Turn)
	}
	return recall.FactText(*s.Fact)
}
