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
	// batchShrink is by how many bits a batch is smaller for each attempt that
	// failed: a passage that no model can embed is alone after the fourth.
	batchShrink = 2
)

// FillQueues empties the embedding queue of every wanted model whose embedder
// is available. One that fails does not keep the other from going on.
func (ms *Models) FillQueues(ctx context.Context) error {
	if err := ms.announce(ctx, false); err != nil {
		return err
	}
	st, err := ms.refreshNow(ctx)
	// Another process may queue something after our last look.
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

// writable is err, or nil where it only says that the home cannot be written:
// then others do the work.
func writable(err error) error {
	if strata.CodeOf(err) == strata.CodeReadOnly {
		return nil
	}
	return err
}

// FillServing empties the queues of the model that served when this process
// looked last, and of the base, and reports each batch of the first. It does not
// look again, which would have the background do the same at once.
func (ms *Models) FillServing(ctx context.Context, done func(n int)) error {
	st := *ms.known.Load()
	err := ms.embedQueue(ctx, st.Serving, done)
	if err == nil && ms.keepsBase(st) {
		err = ms.embedQueue(ctx, st.Base, func(int) {})
	}
	return err
}

// embedQueue empties the embedding queue of one model and reports each batch.
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

// embedSome embeds passages and stores their vectors. The rest of the
// transaction that stores them is after, which may be nil.
//
// Where the embedder works but does not take these passages, the attempt is
// counted for each of them, so that they come last next time and in smaller
// batches; one that is alone gets what can be had.
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
			// A passage that was forgotten meanwhile needs no vector.
			if err := w.PutVector(ctx, u.Number, model.Name, vectors[i]); err != nil {
				return fmt.Errorf("store vector of passage %d: %w", u.Number, err)
			}
		}
		failpoint.Hit(failpoint.EmbedStored)
		return after(w)
	})
}

// errRefused says that an embedder works, but not for the texts it was given.
var errRefused = errors.New("the embedder works, but not for these texts")

// embedPassages makes the vectors of passages, in the background. It returns
// errRefused where more than one passage was refused.
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

// embedPart embeds as much of a text as the embedder takes: all, else the first
// half, and so on. Of what it takes nothing, the vector has no direction: the
// passage is found by its words.
func (ms *Models) embedPart(ctx context.Context, model store.Model, emb llm.Embedder, text string) ([]float32, error) {
	const least = 64 // bytes; below, length cannot be what is wrong
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

// embedInBackground calls an embedder within the time limit of the background
// for vectors of a model.
func (ms *Models) embedInBackground(ctx context.Context, model store.Model, emb llm.Embedder, texts []string) ([][]float32, error) {
	vectors, err := ms.embedWithin(ctx, ms.opts.BatchTimeout, emb, texts)
	if err == nil && len(vectors) > 0 && len(vectors[0]) != model.Dim {
		return nil, &Error{model.Name, errOtherLength}
	}
	return vectors, err
}
