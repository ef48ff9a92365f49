package embedding

import (
	"context"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/failpoint"
	"github.com/strata-memory/strata/internal/recall"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/store"
)

const (
	// embedBatch is how many waiting passages are embedded in one call.
	embedBatch = 256
	// batchShrink is how many bits the size of a batch loses with each failed attempt:
	// after the fourth, a passage that no model can embed is alone in its batch.
	batchShrink = 2
)

// FillQueues empties the embedding queue of every wanted model whose embedder is
// available. If one fails, it continues with the others.
func (ms *Models) FillQueues(ctx context.Context) error {
	if err := ms.announce(ctx, false); err != nil {
		return err
	}
	st, err := ms.refreshNow(ctx)
	// Look again a few times: another process may queue more after the last look.
	if err == nil {
		if err = writable(ms.keepBase(ctx)); err == nil {
			st = *ms.known.Load()
		}
	}
	for tries := 0; err == nil && tries < 3 && (st.ServingWaits || st.TargetWaits || st.BaseWaits); tries++ {
		for _, model := range []store.Model{st.Base, st.Serving, st.Target} {
			err = errors.Join(err, writable(ms.embedQueue(ctx, model, func(int) {})))
		}
		if err == nil {
			st, err = ms.refreshNow(ctx)
		}
	}
	return err
}

// writable returns err, or nil if err only says that the home is read-only: then another
// process does the work.
func writable(err error) error {
	if strata.CodeOf(err) == strata.CodeReadOnly {
		return nil
	}
	return err
}

// FillServing empties the queues of the serving model, as this process last read it, and
// of the base. It calls done for each batch of the former. It does not read the state
// again, because that would wake the background to do the same work.
func (ms *Models) FillServing(ctx context.Context, done func(n int)) error {
	st := *ms.known.Load()
	err := ms.embedQueue(ctx, st.Serving, done)
	if err == nil && ms.keepsBase(st) {
		err = ms.embedQueue(ctx, st.Base, func(int) {})
	}
	return err
}

// embedQueue empties the embedding queue of one model and calls done for each batch.
// Without its embedder it does nothing.
func (ms *Models) embedQueue(ctx context.Context, model store.Model, done func(n int)) error {
	emb := ms.atHand.of(model)
	if emb == nil && model == ms.baseModel() && ms.keepsBase(*ms.known.Load()) {
		emb = ms.base()
	}
	if emb == nil {
		return nil
	}
	for {
		var waiting []store.Unembedded
		err := ms.store.View(ctx, func(r store.Reader) error {
			var err error
			waiting, err = r.Unembedded(ctx, model, embedBatch)
			return err
		})
		if err != nil || len(waiting) == 0 {
			return err
		}
		n := max(1, embedBatch>>min(16, batchShrink*waiting[0].Attempts))
		waiting = waiting[:min(n, len(waiting))]
		if err := ms.embedSome(ctx, model, emb, waiting, nil); err != nil {
			return err
		}
		done(len(waiting))
	}
}

// embedSome embeds passages and stores their vectors. It calls after, which may be nil,
// in the transaction that stores them.
//
// If the embedder works but refuses these passages, embedSome counts the attempt for each
// of them. They then come last next time, in smaller batches; for a passage that is
// alone, embedSome stores the vector of as much as the embedder takes.
func (ms *Models) embedSome(ctx context.Context, model store.Model, emb llm.Embedder, waiting []store.Unembedded, after func(store.Writer) error) error {
	if after == nil {
		after = func(store.Writer) error { return nil }
	}
	vectors, err := ms.embedPassages(ctx, model, emb, waiting)
	if errors.Is(err, errRefused) {
		ms.opts.Logger.Warn("a batch was not embedded; it will be tried in parts", "passages", len(waiting), "error", err)
		numbers := make([]int64, len(waiting))
		for i, u := range waiting {
			numbers[i] = u.Number
		}
		return ms.store.Update(ctx, func(w store.Writer) error {
			if err := w.DelayEmbedding(ctx, model, numbers); err != nil {
				return err
			}
			return after(w)
		})
	}
	if err != nil {
		return err
	}
	failpoint.Hit(failpoint.EmbedMade)
	return ms.store.Update(ctx, func(w store.Writer) error {
		for i, u := range waiting {
			// A passage that was forgotten in the meantime needs no vector.
			if err := w.PutVector(ctx, u.Number, model.Name, vectors[i]); err != nil {
				return fmt.Errorf("store vector of passage %d: %w", u.Number, err)
			}
		}
		failpoint.Hit(failpoint.EmbedStored)
		return after(w)
	})
}

// errRefused means that an embedder works, but not for the given texts.
var errRefused = errors.New("the embedder works, but not for these texts")

// embedPassages makes the vectors of passages in the background. It returns errRefused if
// the embedder refused them, unless it is a single passage that was refused before.
func (ms *Models) embedPassages(ctx context.Context, model store.Model, emb llm.Embedder, waiting []store.Unembedded) ([][]float32, error) {
	if len(waiting) == 0 {
		return nil, nil
	}
	texts := make([]string, len(waiting))
	for i, u := range waiting {
		texts[i] = recall.SourceText(u.Source)
	}
	vectors, err := ms.embedInBackground(ctx, model, emb, texts)
	if err == nil || ctx.Err() != nil {
		return vectors, err
	}
	if _, down := ms.embedInBackground(ctx, model, emb, []string{probeText}); down != nil {
		return nil, err
	}
	if len(texts) > 1 || waiting[0].Attempts == 0 {
		return nil, fmt.Errorf("%w: %w", errRefused, err)
	}
	ms.opts.Logger.Warn("a passage was refused by the embedder; a part of it is embedded", "passage", waiting[0].Number, "error", err)
	v, err := ms.embedPart(ctx, model, emb, texts[0])
	return [][]float32{v}, err
}

// embedPart embeds as much of a text as the embedder takes: all of it, or the first half,
// and so on. If the embedder takes nothing, the vector is all zeros, and only words find
// the passage.
func (ms *Models) embedPart(ctx context.Context, model store.Model, emb llm.Embedder, text string) ([]float32, error) {
	const least = 64 // bytes; length cannot be the problem below this
	for {
		vectors, err := ms.embedInBackground(ctx, model, emb, []string{text})
		if err == nil {
			return vectors[0], nil
		}
		if ctx.Err() != nil {
			return nil, err
		}
		half := len(text) / 2
		for half > 0 && !utf8.RuneStart(text[half]) {
			half--
		}
		if half < least {
			return make([]float32, model.Dim), nil
		}
		text = text[:half]
	}
}

// embedInBackground calls an embedder within BatchTimeout and checks the length of its
// vectors against the model.
func (ms *Models) embedInBackground(ctx context.Context, model store.Model, emb llm.Embedder, texts []string) ([][]float32, error) {
	vectors, err := ms.embedWithin(ctx, ms.opts.BatchTimeout, emb, texts)
	if err == nil && len(vectors) > 0 && len(vectors[0]) != model.Dim {
		return nil, &Error{model.Name, errOtherLength}
	}
	return vectors, err
}
