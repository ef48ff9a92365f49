package engine

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ingest"
)

var _ ingest.Memory = (*Engine)(nil)

// Ingest imports a conversation that was held elsewhere; see [ingest.Run].
func (e *Engine) Ingest(ctx context.Context, r *Transcript, o IngestOptions) (IngestReport, error) {
	o.Now = e.opts.Now()
	return ingest.Run(ctx, e, r, o)
}

// PreviewFacts returns the decisions about the facts in turns of a session as if they
// were appended now, and changes nothing. It decides each fact separately.
func (e *Engine) PreviewFacts(ctx context.Context, s strata.Session, turns []strata.Turn) ([]strata.Decision, error) {
	if s.Kind == strata.SessionSub {
		return nil, nil
	}
	found, err := e.queue.Found(ctx, s.Scope, turns)
	if err != nil {
		return nil, err
	}
	var out []strata.Decision
	for _, c := range found {
		d, err := e.Preview(ctx, c)
		if err != nil {
			return out, err
		}
		out = append(out, d)
	}
	return out, nil
}
