package contextmgr

import (
	"context"
	"errors"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/extract/prompt"
	"github.com/strata-memory/strata/llm"
)

// facts asks the model what a batch changes in memory and merges the answer with found,
// which the rules found. earlier are the turns before the batch, for context; known are
// facts it may refer to. dropped says why operations were not accepted, one entry each.
// If the model fails partway, facts returns the results so far with the error.
func (h *helper) facts(ctx context.Context, b batch, earlier []strata.Turn, known []strata.Fact, found []strata.Candidate) (out []strata.Candidate, dropped []string, err error) {
	defer func() { h.judge(ctx, err) }()
	var all prompt.Answer
	for _, piece := range b.chunks {
		r := prompt.Request{Turns: b.turns, Earlier: earlier, Messages: piece, Facts: h.fitting(known), Found: found}
		a, err := h.operations(ctx, r)
		all.Candidates = append(all.Candidates, a.Candidates...)
		all.Reworded = append(all.Reworded, a.Reworded...)
		all.Dropped = append(all.Dropped, a.Dropped...)
		if err == nil && len(a.Candidates) == 0 && len(a.Dropped) > 0 {
			err = errors.New("nothing the model wrote can be used: " + a.Dropped[0])
		}
		if err != nil {
			return prompt.Merge(found, all), all.Dropped, err
		}
	}
	return prompt.Merge(found, all), all.Dropped, nil
}

// operations asks about one chunk, and asks again once if the answer is unreadable.
func (h *helper) operations(ctx context.Context, r prompt.Request) (prompt.Answer, error) {
	req := llm.Request{Messages: instruct(prompt.Instructions(), r.Material()), Schema: prompt.Schema(), MaxTokens: h.opt.SmallWindow / 4}
	answer, err := h.ask(ctx, req)
	if err != nil {
		return prompt.Answer{}, err
	}
	a, err := r.Read(answer, h.model.Model())
	if err == nil {
		return a, nil
	}
	// Repeat only so much of the answer that it cannot crowd out the request.
	req.Messages = append(req.Messages,
		llm.Message{Role: strata.RoleAssistant, Text: cutAfter(answer, 400)},
		llm.Message{Role: strata.RoleUser, Text: prompt.Repair(err)})
	if answer, err = h.ask(ctx, req); err != nil {
		return prompt.Answer{}, err
	}
	return r.Read(answer, h.model.Model())
}

// fitting returns as many facts as fit in an eighth of the model's window.
func (h *helper) fitting(known []strata.Fact) []strata.Fact {
	room := h.opt.SmallWindow / 8
	for i, f := range known {
		if room -= h.count(f.Text) + factFrame; room < 0 {
			return known[:i]
		}
	}
	return known
}

// factFrame is the cost of a fact's number and slot in a request, in tokens.
const factFrame = 12
