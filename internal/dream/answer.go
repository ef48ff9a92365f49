package dream

import (
	"context"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/store"
)

// Answer carries out the user's answer to an open question of a view. answer is the id of
// the fact that holds, in favor of which the other is retired, or [strata.AnswerBoth].
// Answer returns the question and the decision that records the answer. The decision can
// be reverted unless both facts hold.
//
// Answer returns [strata.CodeConflict] if the question already has an answer, or if one
// of its facts has changed since it was asked.
func (d *Dreamer) Answer(ctx context.Context, view strata.View, question, answer string, by strata.Origin) (q strata.Question, done strata.Decision, err error) {
	const op = "answer question"
	if err := view.Validate(); err != nil {
		return q, done, err
	}
	err = d.o.Store.Update(ctx, func(w store.Writer) error {
		if q, err = w.Question(ctx, view.Scopes, question); err != nil {
			return err
		}
		if q.Answer != "" {
			return &strata.Error{Code: strata.CodeConflict, Op: op, Message: "question " + q.ID + " was answered: " + q.Answer,
				Hint: "revert the decision that followed, or save what holds"}
		}
		facts, err := d.questioned(ctx, w, q)
		if err != nil {
			return err
		}
		kept := slices.IndexFunc(facts, func(f strata.Fact) bool { return f.ID == answer })
		switch {
		case answer == strata.AnswerBoth:
			done, err = d.keepBoth(ctx, w, facts, by)
		case kept < 0:
			return strata.Invalid(op, "the question is not about "+answer, "keep "+facts[0].ID+", "+facts[1].ID+" or both")
		default:
			done, err = d.retire(ctx, w, replacement{facts[1-kept], facts[kept], "you said that " + answer + " holds instead", "answer", by})
		}
		if err != nil {
			return err
		}
		now := w.Now()
		q.Answer, q.AnsweredAt = answer, &now
		if err := w.PutQuestion(ctx, q); err != nil {
			return err
		}
		return w.AppendEvent(ctx, strata.Event{Kind: strata.EventAnswered, Scope: q.Scope, Ref: q.ID, Detail: answer})
	})
	return q, done, err
}

// questioned returns the facts of a question. It returns [strata.CodeConflict] if one has
// changed since the question was asked.
func (d *Dreamer) questioned(ctx context.Context, r store.Reader, q strata.Question) ([]strata.Fact, error) {
	var out []strata.Fact
	for _, v := range q.Facts {
		f, err := r.Fact(ctx, []strata.Scope{q.Scope}, v.ID)
		if err != nil {
			return nil, err
		}
		if !f.Current() || f.Version() != v {
			return nil, &strata.Error{Code: strata.CodeConflict, Op: "answer question", Message: "fact " + f.ID + " is not what it was when the question was put",
				Hint: "the question is closed; strata questions lists those that are open"}
		}
		out = append(out, f)
	}
	return out, nil
}

// keepBoth records that both facts hold.
func (d *Dreamer) keepBoth(ctx context.Context, w store.Writer, facts []strata.Fact, by strata.Origin) (strata.Decision, error) {
	now := w.Now()
	out := strata.Decision{
		ID: d.o.IDs.New(id.Decision, now), Scope: facts[0].Scope, Op: strata.OpNoop, Reason: "you said that " + facts[1].ID + " holds as well",
		Rules: []string{"answer"}, Confidence: 1, Origin: by, FactID: facts[0].ID, DecidedAt: now, AppliedAt: &now,
	}
	return out, w.AppendDecision(ctx, out)
}
