package sqlite

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/nearest"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/internal/sqlite/packed"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/vector"
)

// Nearest returns the k passages closest to v, closest first.
func (t *tx) Nearest(ctx context.Context, scope strata.Scope, name string, v []float32, parents []int64, f store.Filter, k int) ([]store.Near, error) {
	q, err := t.nearQuery(ctx, scope, name, v)
	if err != nil || q.Vector == nil || k <= 0 {
		return nil, err
	}
	q.Filter, q.K = f, k
	if len(parents) > 0 {
		q.Parents = distinct(parents)
	} else if f.Parent != 0 {
		q.Parents = []int64{f.Parent}
	}
	if t.lexical != nil {
		q.Passing = func() ([]int64, bool) { return t.lexical.Passing(ctx, q.Scope, f, q.Parents) }
	}
	return t.db.near.Nearest(ctx, nearSource{t}, q)
}

// nearestParents selects the ?8 parents of kind ?4 whose mean vector is closest to
// ?1, with their distance. Vectors that cancel out have no mean and no distance. All
// passages of a document have the same type.
const nearestParents = `
	SELECT pack_rows(number, distance) FROM (
		SELECT p.number, vec_distance_cosine(v.sum, ?1) AS distance
		FROM parent AS p CROSS JOIN parent_vector AS v ON v.place = p.number + ?2
		WHERE p.scope_no = ?3 AND p.kind = ?4
			AND (NOT ?5 OR EXISTS (SELECT 1 FROM session AS s WHERE s.scope_no = ?3 AND s.id = p.name AND s.kind = ?6))
			AND (?4 <> 3 OR ?7 >> (SELECT q.type FROM passage AS q WHERE q.parent = p.number AND q.kind <> 1 LIMIT 1) & 1)
		ORDER BY distance NULLS LAST, p.number LIMIT ?8)
	WHERE distance IS NOT NULL`

// NearestParents returns the k parents whose mean vector is closest to v.
func (t *tx) NearestParents(ctx context.Context, scope strata.Scope, name string, v []float32, kind strata.Kind, f store.Filter, k int) ([]store.Near, error) {
	q, err := t.nearQuery(ctx, scope, name, v)
	if err != nil || q.Vector == nil || k <= 0 {
		return nil, err
	}
	var out []store.Near
	err = t.rows(ctx, 2, nearestParents, []any{vector.Encode(q.Vector), model{number: q.Model}.shift(), q.Scope, passage.KindCode(kind),
		kind == strata.KindTurn && f.SessionKind != "", string(f.SessionKind), passage.TypeMask(f), k}, func(row []packed.Value) error {
		out = append(out, store.Near{Number: row[0].Int(), Similarity: float32(1 - row[1].Float())})
		return nil
	})
	return out, err
}

// Similarities returns the cosine of v with each numbered passage, and 0 for one
// without a vector.
func (t *tx) Similarities(ctx context.Context, scope strata.Scope, name string, v []float32, numbers []int64) ([]float32, error) {
	q, err := t.nearQuery(ctx, scope, name, v)
	if err != nil || q.Vector == nil || len(numbers) == 0 {
		return make([]float32, len(numbers)), err
	}
	at := make(map[int64]float32, len(numbers))
	err = t.rows(ctx, 2, `
		SELECT pack_rows(j.c0, vec_distance_cosine(as_int8(v.embedding, ?2), vec_int8(?1)))
		FROM unpack(?4) AS j CROSS JOIN vector AS v ON v.place = j.c0 + ?3 WHERE j.c0 >> 40 = ?5 AND v.embedding IS NOT NULL`,
		[]any{vector.EncodeInt8(q.Vector), len(q.Vector), model{number: q.Model}.shift(), packed.Numbers(distinct(numbers)), q.Scope},
		func(row []packed.Value) error {
			if row[1].IsNull() {
				return passage.Corrupt("read vector", "a vector has no direction")
			}
			at[row[0].Int()] = float32(1 - row[1].Float())
			return nil
		})
	out := make([]float32, len(numbers))
	for i, n := range numbers {
		out[i] = at[n]
	}
	return out, err
}

// nearQuery prepares a search for v in a scope. The query has no vector if nothing
// can be found: the scope owns nothing, the model is not wanted or v has no
// direction.
func (t *tx) nearQuery(ctx context.Context, scope strata.Scope, name string, v []float32) (q nearest.Query, err error) {
	if err := checkVector(name, v); err != nil {
		return q, err
	}
	no, ok, err := t.scopeNo(ctx, scope, false)
	if err != nil || !ok {
		return q, err
	}
	m, ok, err := t.wantedModel(ctx, name, len(v))
	if err != nil || !ok {
		return q, err
	}
	return nearest.Query{Scope: no, Model: m.number, Vector: unit(v), Writing: t.group != nil}, nil
}
