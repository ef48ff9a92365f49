package answer

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/recall/question"
	"github.com/strata-memory/strata/llm"
)

const (
	// MaxWords is how many words an answer has at most.
	MaxWords = 149
	// MaxEvidence is how many hits an answer rests on at most. More would leave each
	// fewer words than a sentence has.
	MaxEvidence = 8
)

// Request is a question with what memory has on it.
type Request struct {
	Question string
	// Hits are those of a recall, best first; those beyond [MaxEvidence] are left out.
	Hits []strata.Hit
	// Now is when the question is asked.
	Now time.Time
}

// Answer answers a question.
type Answer struct {
	// Text has lines of evidence or sentences with citations such as [1]. Its last line
	// says what memory does not hold.
	Text string
	// Citations are what Text cites, oldest first.
	Citations []Citation
	// Missing is what of the question memory does not hold; empty where there is
	// something on all of it.
	Missing []string
	// Model is the model that wrote the answer; empty for one by rules.
	Model string
	// Note says why a model that was asked did not write the answer.
	Note string
}

// Citation is evidence with the number that the text cites it by, from 1.
type Citation struct {
	Number int
	strata.Hit
}

// Of answers a question. Model may be nil. Only the end of ctx is an error: a model
// that fails or answers nothing of use leads to the answer without one.
func Of(ctx context.Context, model llm.Chat, r Request) (Answer, error) {
	b := newBasis(r)
	if model == nil || len(b.evidence) == 0 {
		return b.byRules(), nil
	}
	out, err := b.byModel(ctx, model)
	if ctx.Err() != nil {
		return Answer{}, ctx.Err()
	}
	if err != nil {
		out = b.byRules()
		out.Note = fmt.Sprintf("answered without the model: %s", strata.MessageOf(err))
	}
	return out, nil
}

// basis is what an answer rests on.
type basis struct {
	question string
	asked    time.Time
	evidence []Citation // oldest first
	missing  []string   // words of the question that no evidence has
}

func newBasis(r Request) basis {
	b := basis{question: r.Question, asked: r.Now.UTC()}
	for _, h := range r.Hits[:min(len(r.Hits), MaxEvidence)] {
		b.evidence = append(b.evidence, Citation{Hit: h})
	}
	slices.SortStableFunc(b.evidence, func(a, b Citation) int { return a.At.Compare(b.At) })
	for i := range b.evidence {
		b.evidence[i].Number = i + 1
	}
	b.missing = missing(question.Analyze(r.Question, r.Now), b.evidence)
	return b
}
