package engine

import (
	"context"
	"fmt"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/recall"
	"github.com/strata-memory/strata/store"
)

// divideBatch is how many turns are divided in one transaction.
const divideBatch = 64

// finishIndex completes the index: first the passages of turns that an earlier version
// indexed whole, then the vectors still missing.
func (e *Engine) finishIndex(ctx context.Context) error {
	if err := e.divideOldTurns(ctx); err != nil {
		return fmt.Errorf("divide long turns: %w", err)
	}
	return e.models.FillQueues(ctx)
}

// divideOldTurns divides the long turns that an earlier version indexed whole. Until it
// does, they are found as before.
func (e *Engine) divideOldTurns(ctx context.Context) error {
	for {
		waiting, err := store.Read(ctx, e.store, func(r store.Reader) ([]store.Source, error) { return r.Undivided(ctx, 1) })
		if err != nil || len(waiting) == 0 {
			return err
		}
		err = e.store.Update(ctx, func(w store.Writer) error {
			batch, err := w.Undivided(ctx, divideBatch)
			if err != nil {
				return err
			}
			for _, s := range batch {
				if err := e.divideTurn(ctx, w, s, false); err != nil {
					return fmt.Errorf("divide turn %d: %w", s.Number, err)
				}
			}
			return nil
		})
		if strata.CodeOf(err) == strata.CodeReadOnly {
			return nil // another process does it
		}
		if err != nil {
			return err
		}
	}
}

// divideTurn indexes a turn by its passages. A turn that is a single passage stays as it
// is unless anew is set.
func (e *Engine) divideTurn(ctx context.Context, w store.Writer, s store.Source, anew bool) error {
	var spans []strata.Span
	if s.Turn != nil && !s.Turn.Forgotten {
		spans = recall.TurnPassages(*s.Turn)
	}
	numbers, err := w.DivideTurn(ctx, s.Number, spans)
	if err != nil || len(spans) == 0 && !anew {
		return err
	}
	for i, text := range recall.PassageTexts(*s.Turn, spans) {
		if err := w.PutPassage(ctx, recall.TurnPassage(numbers[i], *s.Turn, text)); err != nil {
			return err
		}
	}
	return nil
}

// divideTurnsAnew divides the turns of a scope as this version of Strata does, before its
// index is rebuilt.
func (e *Engine) divideTurnsAnew(ctx context.Context, w store.Writer, scope strata.Scope) error {
	for after := int64(0); ; {
		sources, err := w.Sources(ctx, scope, after, reindexBatch)
		if err != nil {
			return err
		}
		for _, s := range sources {
			after = s.Number
			if s.Turn == nil || s.Span.Start > 0 {
				continue
			}
			if _, err := w.DivideTurn(ctx, s.Number, recall.TurnPassages(*s.Turn)); err != nil {
				return fmt.Errorf("divide turn %d: %w", s.Number, err)
			}
		}
		if len(sources) < reindexBatch {
			return nil
		}
	}
}
