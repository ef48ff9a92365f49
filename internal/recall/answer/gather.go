package answer

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/recall/question"
)

// Gather recalls what bears on a question and then on each of its parts, because one
// piece of evidence seldom answers a question that asks for several things. The parts
// share what the whole left of q.Tokens, which must be set. Its errors are those of
// recall.
func Gather(ctx context.Context, q strata.Query, recall func(context.Context, strata.Query) (*strata.Result, error)) (*strata.Result, error) {
	found, err := recall(ctx, q)
	if err != nil {
		return nil, err
	}
	budget := q.Tokens
	for _, part := range question.Parts(q.Text) {
		q.Text, q.Tokens, q.Seen = part, budget-found.Tokens, nil
		for _, h := range found.Hits {
			q.Seen = append(q.Seen, h.ID)
		}
		if len(found.Hits) >= MaxEvidence || q.Tokens <= 0 {
			break
		}
		more, err := recall(ctx, q)
		if err != nil {
			return nil, err
		}
		if len(found.Hits) == 0 && len(more.Hits) > 0 {
			found.Notes = more.Notes // replaces the note that nothing was found
		}
		found.Hits, found.Tokens = append(found.Hits, more.Hits...), found.Tokens+more.Tokens
	}
	return found, nil
}
