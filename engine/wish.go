package engine

import (
	"context"
	"fmt"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/store"
)

// UseEmbedder makes emb the embedder of the memory, without a restart. Its
// vectors are made in the background while the old ones serve, and take over
// at once, in one transaction, when every passage has one. The embedder before
// goes on answering until then. Of several wishes, by this or another process,
// the newest holds. To return to the model that serves ends a re-embedding.
//
// Errors: invalid without an embedder, unavailable if it does not say how long
// its vectors are, read_only.
func (e *Engine) UseEmbedder(ctx context.Context, emb llm.Embedder) error {
	const op = "use embedder"
	if emb == nil {
		return strata.Invalid(op, "there is no embedder", "pass the embedder that is to make the vectors")
	}
	m, err := e.identify(ctx, emb)
	if err != nil {
		return &strata.Error{Code: strata.CodeUnavailable, Op: op, Message: "embedder " + emb.Model() + " did not answer",
			Hint: "check that it is there and try again", Err: err}
	}
	if err := e.want(ctx, m); err != nil {
		return err
	}
	e.embedders.use(emb)
	if _, err := e.lookNow(ctx); err != nil {
		return err
	}
	e.wakeEmbedders()
	return nil
}

// probeText is embedded to learn whether an embedder works, and how long its
// vectors are.
const probeText = "Is anybody there?"

// identify returns the model of an embedder. One that does not know yet how
// long its vectors are is asked for one.
func (e *Engine) identify(ctx context.Context, emb llm.Embedder) (store.Model, error) {
	m := modelOf(emb)
	if m.Dim != 0 {
		return m, nil
	}
	vectors, err := e.embedWithin(ctx, e.opts.BatchTimeout, emb, []string{probeText})
	if err != nil {
		return m, err
	}
	m.Dim = len(vectors[0])
	return m, nil
}

// want says in the store which model is wanted.
func (e *Engine) want(ctx context.Context, m store.Model) error {
	var before, after store.Embedding
	err := e.store.Update(ctx, func(w store.Writer) error {
		var err error
		if before, err = w.Embedding(ctx); err != nil {
			return err
		}
		if err := w.WantModel(ctx, m); err != nil {
			return err
		}
		if after, err = w.Embedding(ctx); err != nil {
			return err
		}
		if lacksBase(after) {
			if err := w.KeepModel(ctx, baseModel()); err != nil {
				return err
			}
		}
		if before.Serving.IsZero() || before.Target == after.Target {
			return nil
		}
		event := strata.Event{Kind: strata.EventModelWanted, Scope: strata.Global(), At: w.Now(),
			Detail: fmt.Sprintf("%s is to follow %s", m.Name, after.Serving.Name)}
		if after.Target.IsZero() {
			event.Detail = fmt.Sprintf("%s stays, %s was given up", m.Name, before.Target.Name)
		}
		return w.AppendEvent(ctx, event)
	})
	if err == nil && before.Target != after.Target {
		e.opts.Logger.Info("another embedding model is wanted", "serving", after.Serving.Name, "target", after.Target.Name,
			"passages", after.Total)
	}
	return err
}

// announce says in the store which model this process was opened with, once.
// opening is set while nobody should wait for an embedder that has to be asked
// how long its vectors are.
func (e *Engine) announce(ctx context.Context, opening bool) error {
	emb, wish := e.embedders.unsaid()
	if emb == nil || opening && emb.Dimensions() == 0 {
		return nil
	}
	st, err := e.lookNow(ctx)
	if err != nil {
		return err
	}
	if e.opts.Follow && !st.Serving.IsZero() {
		e.embedders.nowSaid(wish)
		return nil
	}
	m, err := e.identify(ctx, emb)
	if err != nil {
		return err
	}
	if m != st.Target && (m != st.Serving || !st.Target.IsZero()) {
		err = e.want(ctx, m)
	}
	if err != nil && strata.CodeOf(err) != strata.CodeReadOnly {
		return err
	}
	e.embedders.nowSaid(wish)
	_, err = e.lookNow(ctx)
	return err
}

// look reads which models are wanted and remembers it. What another process
// changed is new work for this one.
func (e *Engine) look(ctx context.Context, r store.Reader) (store.Embedding, error) {
	st, err := r.Embedding(ctx)
	if err != nil {
		return st, err
	}
	before := e.known.Swap(&st)
	if before != nil && (before.Serving != st.Serving || before.Target != st.Target ||
		st.ServingWaits && !before.ServingWaits || st.TargetWaits && !before.TargetWaits || st.BaseWaits && !before.BaseWaits) {
		e.wakeEmbedders()
	}
	return st, nil
}

// lookNow is look in a transaction of its own.
func (e *Engine) lookNow(ctx context.Context) (st store.Embedding, err error) {
	err = e.store.View(ctx, func(r store.Reader) error {
		st, err = e.look(ctx, r)
		return err
	})
	return st, err
}

// wakeEmbedders has the background look for passages without vectors.
func (e *Engine) wakeEmbedders() {
	if e.embeds != nil { // not while the engine opens
		e.embeds.wake()
		e.walks.wake()
	}
}
