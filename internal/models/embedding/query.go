package embedding

import (
	"context"
	"errors"
	"fmt"

	"github.com/strata-memory/strata/store"
)

// Query holds the vectors of a query's text.
type Query struct {
	Model  store.Model // the model that served when the text was embedded
	Vector []float32   // the vector under Model; nil if there is none
	Why    string      // why Vector is nil
	Base   []float32   // the vector under the base, if the home keeps it in addition to Model
}

// ask embeds a text with the model that, as far as this process knows, serves.
func (ms *Models) ask(ctx context.Context, text string) Query {
	st := ms.known.Load()
	q := Query{Model: st.Serving, Base: ms.askBase(ctx, *st, text)}
	emb := ms.atHand.of(st.Serving)
	switch {
	case st.Serving.IsZero() && ms.atHand.current() == nil:
		q.Why = "no embedder is configured"
	case st.Serving.IsZero():
		q.Why = "nothing is embedded yet"
	case emb == nil:
		q.Why = fmt.Sprintf("the vectors are of model %s, whose embedder is not available", st.Serving.Name)
	default:
		vectors, err := ms.embed(ctx, emb, []string{text})
		if err == nil && len(vectors[0]) != st.Serving.Dim {
			err = errOtherLength
			ms.Wake() // this makes it another model, which the store must learn
		}
		if err != nil {
			ms.opts.Logger.Warn("the query was not embedded", "error", err)
			q.Why = "the embedder did not answer"
			break
		}
		q.Vector = vectors[0]
	}
	return q
}

// errMoved ends a read that was prepared for a model that no longer serves.
var errMoved = errors.New("another embedding model serves")

// maxMoves is how many times a read is prepared again.
const maxMoves = 3

// View embeds a text and runs fn in a read transaction in which the model of that vector
// serves. If any process switches the model in between, View embeds the text again, so
// that vectors of two models are never compared.
func (ms *Models) View(ctx context.Context, text string, fn func(store.Reader, Query, store.Embedding) error) error {
	for moves := 0; ; moves++ {
		q := ms.ask(ctx, text)
		err := ms.store.View(ctx, func(r store.Reader) error {
			st, err := ms.Refresh(ctx, r)
			if err != nil {
				return err
			}
			if st.Serving != q.Model {
				if moves < maxMoves {
					return errMoved
				}
				q = Query{Model: st.Serving, Why: "the embedding model changed meanwhile", Base: q.Base}
			}
			if !ms.keepsBase(st) {
				q.Base = nil
			}
			return fn(r, q, st)
		})
		if !errors.Is(err, errMoved) {
			return err
		}
	}
}

// Note returns the note for a result that was found without the serving model.
func (q Query) Note(st store.Embedding) string {
	note := q.Why + ": found by words alone"
	if q.Base != nil {
		note = q.Why + ": found by words and the built-in embedder"
	}
	if st.Target.IsZero() {
		return note
	}
	return fmt.Sprintf("%s; the vectors of model %s, which is to follow, are made for %d of %d memories",
		note, st.Target.Name, min(st.Done, st.Total), st.Total)
}
