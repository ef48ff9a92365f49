package server

import (
	"cmp"
	"context"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// askedAhead is how many questions are asked again: the first of them read the words and
// codes of a scope into memory, the later ones nearly all that is read piece by piece.
const askedAhead = 8

// readAhead asks the last questions of the home again, so that what the next ones need is
// in memory: from 100,000 facts the first answers of a process take 30 to 250 ms, and later
// ones 1 to 10. Nothing is recorded, and nothing depends on it.
func (s *Server) readAhead(ctx context.Context) {
	if err := s.askAgain(ctx); err != nil && ctx.Err() == nil {
		s.options.Logger.Warn("memory was not read ahead", "error", err)
	}
}

func (s *Server) askAgain(ctx context.Context) error {
	memory := s.options.Env.Engine
	view, err := s.options.Env.Everything(ctx)
	if err != nil {
		return err
	}
	asked, err := memory.Traces(ctx, view, store.TraceFilter{Limit: askedAhead})
	if err != nil {
		return err
	}
	slices.SortFunc(asked, func(a, b store.Trace) int { return cmp.Or(b.At.Compare(a.At), cmp.Compare(b.ID, a.ID)) })
	for _, t := range asked[:min(len(asked), askedAhead)] {
		if _, err := memory.Query(ctx, strata.Query{View: strata.View{Scopes: []strata.Scope{t.Scope}}, Text: t.Query, Quiet: true}); err != nil {
			return err
		}
	}
	return nil
}
