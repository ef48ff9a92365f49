package engine

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/document"
	"github.com/strata-memory/strata/embedding"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/recall"
	"github.com/strata-memory/strata/session/conversation"
	"github.com/strata-memory/strata/store"
)

// openLedger opens what keeps sessions.
func (e *Engine) openLedger() {
	e.transcripts = conversation.NewTranscripts(e.store, e.opts.Transcripts, e.opts.Logger, e.exports)
	e.Ledger = conversation.NewLedger(conversation.LedgerOptions{
		Store: e.store, Transcripts: e.transcripts, IDs: &e.ids, Now: e.opts.Now,
		Model: e.opts.Model != nil, Idle: e.opts.ExtractIdle, Index: e.indexTurns, Files: e.shownFiles, Closed: e.endSession,
		Learned: func(s strata.Scope) { e.projector.Want(s, document.PartLessons) },
	})
	e.archiver = conversation.NewArchiver(e.Ledger, e.opts.Archives)
}

// PruneSessions is [conversation.Transcripts.Prune].
func (e *Engine) PruneSessions(ctx context.Context, view strata.View, o conversation.PruneOptions) (conversation.Pruned, error) {
	return e.transcripts.Prune(ctx, view, e.opts.Now(), o)
}

// indexTurns makes the vectors of turns that are to be appended, and returns
// what puts them into the index.
func (e *Engine) indexTurns(ctx context.Context, turns []strata.Turn) (put conversation.PutTurns, done func()) {
	spans := make([][]strata.Span, len(turns))
	var texts []string
	for i, t := range turns {
		spans[i] = recall.TurnPassages(t)
		texts = append(texts, passageTexts(t, spans[i])...)
	}
	analyses := make([]*store.Analysis, len(texts))
	for i, s := range texts {
		analyses[i] = store.Analyze(text.Analyze(s), nil)
	}
	vectors, whole := e.models.ForWrite(ctx, texts)
	put = func(ctx context.Context, w store.Writer, numbers []int64, turns []strata.Turn) error {
		st, err := e.models.Refresh(ctx, w)
		if err != nil {
			return err
		}
		next := 0 // among the texts
		for i, t := range turns {
			passages := []int64{numbers[i]}
			if len(spans[i]) > 0 {
				if passages, err = w.DivideTurn(ctx, numbers[i], spans[i]); err != nil {
					return err
				}
			}
			for _, n := range passages {
				p := recall.TurnPassage(n, t, texts[next])
				p.Analysis = analyses[next]
				if err := embedding.Put(ctx, w, st, p, vectors[next]); err != nil {
					return err
				}
				next++
			}
		}
		return nil
	}
	return put, func() {
		if !whole {
			e.embeds.Wake()
		}
	}
}
