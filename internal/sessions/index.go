package sessions

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/models/embedding"
	"github.com/strata-memory/strata/internal/recall"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

// indexed holds turns to be indexed, with everything that is made before the transaction
// that appends them.
type indexed struct {
	models   *embedding.Models
	spans    [][]strata.Span // for each turn, the parts that are passages of their own
	texts    []string        // of all passages, in order
	analyses []*store.Analysis
	vectors  []store.Vectors
	whole    bool // no passage waits for a vector
}

// prepareIndex makes what the index keeps of turns.
func (l *Ledger) prepareIndex(ctx context.Context, turns []strata.Turn) indexed {
	x := indexed{models: l.models, spans: make([][]strata.Span, len(turns))}
	for i, t := range turns {
		x.spans[i] = recall.TurnPassages(t)
		x.texts = append(x.texts, recall.PassageTexts(t, x.spans[i])...)
	}
	x.analyses = make([]*store.Analysis, len(x.texts))
	for i, s := range x.texts {
		x.analyses[i] = store.Analyze(text.Analyze(s), nil)
	}
	x.vectors, x.whole = l.models.ForWrite(ctx, x.texts)
	return x
}

// put indexes the turns, as stored and with their numbers, in the transaction that
// appends them.
func (x indexed) put(ctx context.Context, w store.Writer, numbers []int64, turns []strata.Turn) error {
	st, err := x.models.Refresh(ctx, w)
	if err != nil {
		return err
	}
	next := 0 // index into the texts
	for i, t := range turns {
		passages := []int64{numbers[i]}
		if len(x.spans[i]) > 0 {
			if passages, err = w.DivideTurn(ctx, numbers[i], x.spans[i]); err != nil {
				return err
			}
		}
		for _, n := range passages {
			p := recall.TurnPassage(n, t, x.texts[next])
			p.Analysis = x.analyses[next]
			if err := embedding.Put(ctx, w, st, p, x.vectors[next]); err != nil {
				return err
			}
			next++
		}
	}
	return nil
}

// done triggers making the missing vectors, once the turns are durable.
func (x indexed) done() {
	if !x.whole {
		x.models.FillSoon()
	}
}
