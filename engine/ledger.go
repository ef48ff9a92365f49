package engine

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/document"
	"github.com/strata-memory/strata/embedding"
	"github.com/strata-memory/strata/recall"
	"github.com/strata-memory/strata/session/conversation"
	"github.com/strata-memory/strata/store"
)

// openLedger opens what keeps sessions.
func (e *Engine) openLedger() {
	e.transcripts = conversation.NewTranscripts(e.store, e.opts.Transcripts, e.opts.Logger, func() { e.exports.wake() })
	e.Ledger = conversation.NewLedger(conversation.LedgerOptions{
		Store: e.store, Transcripts: e.transcripts, IDs: &e.ids, Now: e.opts.Now,
		Index: e.indexTurns, Files: e.shownFiles, Closed: e.commitSession,
		Learned: func(s strata.Scope) { e.render(s, document.PartLessons) },
	})
}

// indexTurns makes the vectors of turns that are to be appended, and returns
// what puts them into the index.
func (e *Engine) indexTurns(ctx context.Context, turns []strata.Turn) (put conversation.PutTurns, done func()) {
	texts := make([]string, len(turns))
	analyses := make([]*store.Analysis, len(turns))
	for i, t := range turns {
		texts[i] = recall.TurnText(t)
		analyses[i] = store.Analyze(texts[i], "")
	}
	vectors, whole := e.models.ForWrite(ctx, texts)
	put = func(ctx context.Context, w store.Writer, numbers []int64, turns []strata.Turn) error {
		st, err := e.models.Look(ctx, w)
		if err != nil {
			return err
		}
		for i, t := range turns {
			p := turnPassage(numbers[i], t, texts[i])
			p.Analysis = analyses[i]
			if err := embedding.Put(ctx, w, st, p, vectors[i]); err != nil {
				return err
			}
		}
		return nil
	}
	return put, func() {
		if !whole {
			e.embeds.wake()
		}
	}
}
