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
	// MaxWords is the most words in an answer.
	MaxWords = 149
	// MaxEvidence is the most hits that an answer uses. With more, each would have fewer
	// words than a sentence.
	MaxEvidence = 8
)

// Request is a question and what memory holds about it.
type Request struct {
	Question string
	// Hits are the hits of a recall, best first. Only the first [MaxEvidence] are used.
	Hits []strata.Hit
	// Now is the time of the question.
	Now time.Time
}

// Answer is the answer to a question.
type Answer struct {
	// Text consists of lines of evidence, or of sentences with citations such as [1]. Its
	// last line says what memory does not hold.
	Text string
	// Citations holds the evidence that Text cites, oldest first.
	Citations []Citation
	// Missing lists the parts of the question that memory does not hold; empty if it has
	// something on each.
	Missing []string
	// Model is the name of the model that wrote the answer; empty if it was made by
	// rules.
	Model string
	// Note says why the model did not write the answer; empty if it did or was not asked.
	Note string
}

// Citation is a piece of evidence with the number by which the text cites it, from 1.
type Citation struct {
	Number int
	strata.Hit
}

// Of answers a question. model may be nil. If the model fails or answers nothing useful,
// Of answers by rules. It returns an error only if ctx has ended.
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

// basis is what an answer is made from.
type basis struct {
	question string
	asked    time.Time
	evidence []Citation // oldest first
	missing  []string   // what the question asks for and no evidence has
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
