package engine

import (
	"context"
	"fmt"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/extract"
	"github.com/strata-memory/strata/store"
)

// Extract finds what is worth remembering in the turns of a session, by rules,
// and writes it. Turns that were extracted before yield nothing again. It
// returns the new decisions.
func (e *Engine) Extract(ctx context.Context, scope strata.Scope, session string) ([]strata.Decision, error) {
	fresh, err := store.Read(ctx, e.store, func(r store.Reader) ([]strata.Candidate, error) {
		turns, err := r.Turns(ctx, scope, session, store.TurnFilter{NoImages: true})
		if err != nil {
			return nil, err
		}
		if len(turns) == 0 {
			return nil, strata.NotFound("extract", "session", session)
		}
		return unseen(ctx, r, extract.Turns(turns), scope)
	})
	if err != nil {
		return nil, err
	}
	var decisions []strata.Decision
	for batch := range slices.Chunk(fresh, extractBatch) {
		some, err := e.WriteBatch(ctx, batch)
		if err != nil {
			return decisions, err
		}
		decisions = append(decisions, some...)
	}
	return decisions, nil
}

// extractBatch is how many extracted candidates are written in one transaction.
const extractBatch = 500

// unseen gives extracted candidates their request ids, which follow from the
// turn they came from, and leaves out those that were decided before.
func unseen(ctx context.Context, r store.Reader, cs []strata.Candidate, session strata.Scope) ([]strata.Candidate, error) {
	perTurn := make(map[string]int)
	var out []strata.Candidate
	for _, c := range cs {
		source := ""
		if len(c.Sources) > 0 {
			source = c.Sources[0]
		}
		perTurn[source]++
		c.RequestID = fmt.Sprintf("extract:%s:%d", source, perTurn[source])
		c.Origin = strata.OriginExtractor
		// A fact learnt in a workspace or from an agent goes where its type
		// belongs within that scope.
		c.Workspace, c.Agent = session.Workspace, session.Agent
		p, err := propose(c)
		if err != nil {
			return nil, fmt.Errorf("extracted from %s: %w", source, err)
		}
		_, err = r.DecisionByRequest(ctx, p.candidate.Scope, c.RequestID)
		if strata.CodeOf(err) == strata.CodeNotFound {
			out = append(out, c)
		} else if err != nil {
			return nil, err
		}
	}
	return out, nil
}
