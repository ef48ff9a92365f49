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
	v     []float32   // nil: it is asked by words alone
	why   string      // why it has no vector
}

// ask embeds a text with the model that serves as far as this process knows.
func (e *Engine) ask(ctx context.Context, text string) question {
	st := e.known.Load()
	q := question{model: st.Serving}
	emb := e.embedders.of(st.Serving)
	switch {
	case st.Serving.IsZero() && e.embedders.current() == nil:
		q.why = "no embedder is configured: found by words alone"
	case st.Serving.IsZero():
		q.why = "nothing is embedded yet: found by words alone"
	case emb == nil:
		q.why = fmt.Sprintf("found by words alone: the vectors are of model %s, whose embedder is not at hand", st.Serving.Name)
	default:
		vectors, err := e.embed(ctx, emb, []string{text})
		if err == nil && len(vectors[0]) != st.Serving.Dim {
			err = errOtherLength
			e.walks.wake() // it is another model now, which is to be said
		}
		if err != nil {
			e.opts.Logger.Warn("the query was not embedded", "error", err)
			q.why = "the embedder did not answer: found by words alone"
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
				q = question{model: st.Serving, why: "the embedding model changed meanwhile: found by words alone"}
			}
			return fn(r, q, st)
		})
		if !errors.Is(err, errMoved) {
			return err
		}
	}
}

// wordsOnly is the note of a result that was found by words alone.
func wordsOnly(why string, st store.Embedding) string {
	if st.Target.IsZero() {
		return why
	}
	return fmt.Sprintf("%s; the vectors of model %s, which is to follow, are made for %d of %d memories",
		why, st.Target.Name, min(st.Done, st.Total), st.Total)
}
