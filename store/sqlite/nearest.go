package sqlite

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/index/nearest"
	"github.com/strata-memory/strata/index/passage"
	"github.com/strata-memory/strata/store"
)

// Nearest returns the k passages closest to v, closest first.
func (t *tx) Nearest(ctx context.Context, scope strata.Scope, name string, v []float32, parents []int64, f store.Filter, k int) ([]store.Near, error) {
	q, m, err := t.nearQuery(ctx, scope, name, v)
	if err != nil || q.Vector == nil || k <= 0 {
		return nil, err
	}
	q.Filter, q.K = f, k
	if len(parents) > 0 {
		q.Parents = distinct(parents)
	} else if f.Parent != 0 {
		q.Parents = []int64{f.Parent}
	}
	if set, err := t.smallScope(ctx, q.Scope, f); err != nil {
		return nil, err
	} else if set != nil {
		filter := passage.NewFilter(f, nil)
		return set.Nearest(ctx, smallSource{t}, m.known(), q.Vector, q.Parents, &filter, k)
	}
	if t.lexical != nil {
		q.Passing = func() ([]int64, bool) { return t.lexical.Passing(ctx, q.Scope, f, q.Parents) }
	}
	return t.db.near.Nearest(ctx, nearSource{t}, q)
}

// NearestParents returns the k parents whose mean vector is closest to v.
func (t *tx) NearestParents(ctx context.Context, scope strata.Scope, name string, v []float32, kind strata.Kind, f store.Filter, k int) ([]store.Near, error) {
	q, _, err := t.nearQuery(ctx, scope, name, v)
	if err != nil || q.Vector == nil || k <= 0 {
		return nil, err
	}
	q.Filter, q.K = f, k
	return t.db.near.Parents(ctx, nearSource{t}, q, kind)
}

// Similarities returns the cosine of v with each numbered passage.
func (t *tx) Similarities(ctx context.Context, scope strata.Scope, name string, v []float32, numbers []int64) ([]float32, error) {
	q, m, err := t.nearQuery(ctx, scope, name, v)
	if err != nil || q.Vector == nil || len(numbers) == 0 {
		return make([]float32, len(numbers)), err
	}
	if set := t.small[q.Scope]; set != nil {
		if out, err := set.Similarities(ctx, smallSource{t}, m.known(), q.Vector, numbers); out != nil || err != nil {
			return out, err
		}
	}
	return t.db.near.Similarities(ctx, nearSource{t}, q, numbers)
}

// nearQuery prepares a search by v in a scope. It has no vector if nothing can be
// found: the scope owns nothing, the model is unknown or v has no direction.
func (t *tx) nearQuery(ctx context.Context, scope strata.Scope, name string, v []float32) (q nearest.Query, m model, err error) {
	if err := checkVector(name, v); err != nil {
		return q, m, err
	}
	no, ok, err := t.scopeNo(ctx, scope, false)
	if err != nil || !ok {
		return q, m, err
	}
	if m, ok, err = t.wantedModel(ctx, name, len(v)); err != nil || !ok {
		return q, m, err
	}
	return nearest.Query{Scope: no, Model: m.number, Vector: unit(v), Writing: t.group != nil}, m, nil
}
