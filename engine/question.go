package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/strata-memory/strata/store"
)

// question is a query's text with its vector of the serving model.
type question struct {
	model store.Model // that served when it was embedded
	v     []float32   // nil: it is asked without that model
	why   string      // why it has no vector
	base  []float32   // its vector of the base, where that is kept beside the model
}

// ask embeds a text with the model that serves as far as this process knows.
func (e *Engine) ask(ctx context.Context, text string) question {
	st := e.known.Load()
	q := question{model: st.Serving, base: e.askBase(ctx, *st, text)}
	emb := e.embedders.of(st.Serving)
	switch {
	case st.Serving.IsZero() && e.embedders.current() == nil:
		q.why = "no embedder is configured"
	case st.Serving.IsZero():
		q.why = "nothing is embedded yet"
	case emb == nil:
		q.why = fmt.Sprintf("the vectors are of model %s, whose embedder is not at hand", st.Serving.Name)
	default:
		vectors, err := e.embed(ctx, emb, []string{text})
		if err == nil && len(vectors[0]) != st.Serving.Dim {
			err = errOtherLength
			e.walks.wake() // it is another model now, which is to be said
		}
		if err != nil {
			e.opts.Logger.Warn("the query was not embedded", "error", err)
			q.why = "the embedder did not answer"
			break
		}
		q.v = vectors[0]
	}
	return q
}

// errMoved ends a read that was prepared for a model which serves no more.
var errMoved = errors.New("another embedding model serves")

// maxMoves bounds how often a read is prepared anew.
const maxMoves = 3

// viewAsking embeds a text and runs fn in a read transaction in which the
// model of its vector serves. A switch between the two, by any process, has
// the text embedded again, so that vectors of two models never meet.
func (e *Engine) viewAsking(ctx context.Context, text string, fn func(store.Reader, question, store.Embedding) error) error {
	for moves := 0; ; moves++ {
		q := e.ask(ctx, text)
		err := e.store.View(ctx, func(r store.Reader) error {
			st, err := e.look(ctx, r)
			if err != nil {
				return err
			}
			if st.Serving != q.model {
				if moves < maxMoves {
					return errMoved
				}
				q = question{model: st.Serving, why: "the embedding model changed meanwhile", base: q.base}
			}
			if !servesBeside(st) {
				q.base = nil
			}
			return fn(r, q, st)
		})
		if !errors.Is(err, errMoved) {
			return err
		}
	}
}

// withoutModel is the note of a result that was found without the model that
// serves.
func withoutModel(q question, st store.Embedding) string {
	note := q.why + ": found by words alone"
	if q.base != nil {
		note = q.why + ": found by words and the built-in embedder"
	}
	if st.Target.IsZero() {
		return note
	}
	return fmt.Sprintf("%s; the vectors of model %s, which is to follow, are made for %d of %d memories",
		note, st.Target.Name, min(st.Done, st.Total), st.Total)
}
