package sqlite

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/sqlite/check"
	"github.com/strata-memory/strata/internal/sqlite/database"
	"github.com/strata-memory/strata/store"
)

// FactPairs lists pairs of facts that are worth comparing.
func (t *tx) FactPairs(ctx context.Context, scope strata.Scope, limit int) ([]store.FactPair, error) {
	return inScope(ctx, t, scope, "pair facts", func(no int64) ([]store.FactPair, error) {
		pairs, err := t.usage(scope, no).Pairs(ctx, clampLimit(limit))
		if err != nil {
			return nil, err
		}
		var numbers []int64
		for _, p := range pairs {
			numbers = append(numbers, p[:]...)
		}
		facts, err := t.factsAt(ctx, numbers)
		var out []store.FactPair
		for _, p := range pairs {
			if a, b := facts[p[0]], facts[p[1]]; a != nil && b != nil {
				out = append(out, store.FactPair{*a, *b})
			}
		}
		return out, err
	})
}

// Questions lists questions of a scope.
func (t *tx) Questions(ctx context.Context, scope strata.Scope, all bool, limit int) ([]strata.Question, error) {
	return inScope(ctx, t, scope, "list questions", func(no int64) ([]strata.Question, error) {
		return t.usage(scope, no).Questions(ctx, all, clampLimit(limit))
	})
}

// Question returns a question of one of the scopes.
func (t *tx) Question(ctx context.Context, scopes []strata.Scope, id string) (strata.Question, error) {
	return inUsage(ctx, t, scopes, "question", id, func(s usageScope) (strata.Question, error) { return s.Question(ctx, id) })
}

// PutQuestion records a question or its answer.
func (t *tx) PutQuestion(ctx context.Context, q strata.Question) error {
	const op = "put question"
	if err := strata.ValidateName("question id", q.ID); err != nil {
		return err
	}
	err := t.changeUsage(ctx, op, q.Scope, func(s usageScope) error { return s.PutQuestion(ctx, q) })
	if database.IsConstraint(err) {
		return conflict(op, "there is another question about these facts")
	}
	return err
}

// Untagged lists facts whose concept tags are not known to be of a version.
func (t *tx) Untagged(ctx context.Context, scope strata.Scope, version, limit int) ([]store.Source, error) {
	return inScope(ctx, t, scope, "list untagged facts", func(no int64) ([]store.Source, error) {
		numbers, err := t.usage(scope, no).Untagged(ctx, version, clampLimit(limit))
		if err != nil {
			return nil, err
		}
		facts, err := t.factsAt(ctx, numbers)
		var out []store.Source
		for _, n := range numbers {
			if f := facts[n]; f != nil {
				out = append(out, store.Source{Number: n, Fact: f})
			}
		}
		return out, err
	})
}

// Retag replaces the concept tags of a fact version.
func (t *tx) Retag(ctx context.Context, p store.Passage, tags []string) error {
	const op = "retag fact"
	list, err := encodeList(tags)
	if err != nil {
		return wrap(op, err)
	}
	if _, err := t.exec(ctx, `UPDATE fact SET tags = ? WHERE number = ?`, list, p.Number); err != nil {
		return wrap(op, err)
	}
	if err := t.sum(ctx, check.Fact, p.Number); err != nil {
		return wrap(op, err)
	}
	return wrap(op, t.PutPassage(ctx, p))
}

// StampTags records up to which fact the concept tags of a scope are of a version.
func (t *tx) StampTags(ctx context.Context, scope strata.Scope, version int, through int64) error {
	return t.changeUsage(ctx, "stamp tags", scope, func(s usageScope) error { return s.Tagged(ctx, version, through) })
}

// ModelUse returns how much models were used on a day.
func (t *tx) ModelUse(ctx context.Context, day string) (store.ModelUse, error) {
	u, err := t.usage(strata.Scope{}, 0).ModelUse(ctx, day)
	return u, wrap("read use of models", err)
}

// AddModelUse adds to how much models were used on a day.
func (t *tx) AddModelUse(ctx context.Context, day string, u store.ModelUse) error {
	return wrap("count use of models", t.usage(strata.Scope{}, 0).AddModelUse(ctx, day, u))
}

// ModelOutages lists the models that are not answering.
func (t *tx) ModelOutages(ctx context.Context) ([]store.ModelOutage, error) {
	list, err := t.usage(strata.Scope{}, 0).ModelOutages(ctx)
	return list, wrap("list models that do not answer", err)
}

// SetModelOutage records whether a model is answering.
func (t *tx) SetModelOutage(ctx context.Context, o store.ModelOutage) error {
	return wrap("note that a model does not answer", t.usage(strata.Scope{}, 0).SetModelOutage(ctx, o))
}
