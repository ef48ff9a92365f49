package nearest

import (
	"context"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/index/passage"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/vector"
)

// Parents returns the k parents of a kind of passages whose mean vector is
// closest to the vector of a query. Of a filter the kind of sessions and the
// types of documents count.
func (x *Index) Parents(ctx context.Context, src Source, q Query, kind strata.Kind) ([]store.Near, error) {
	var sessions []int64
	ofKind := kind == strata.KindTurn && q.Filter.SessionKind != ""
	if ofKind {
		var err error
		if sessions, err = src.Sessions(ctx, q.Scope, q.Filter.SessionKind); err != nil {
			return nil, err
		}
	}
	types := passage.TypeMask(q.Filter)
	top := vector.NewTopK(q.K)
	err := src.ParentSums(ctx, q.Scope, q.Model, kind, func(p ParentSum) error {
		if _, ok := slices.BinarySearch(sessions, p.Number); ofKind && !ok {
			return nil
		}
		if kind == strata.KindSection && (p.Type < 0 || types>>p.Type&1 == 0) {
			return nil
		}
		cosine, ok, err := vector.SumCosine(p.Sum, q.Vector)
		if err != nil {
			return passage.Corrupt("read sum of vectors", err.Error())
		}
		if ok { // vectors that cancel out have no mean
			top.Offer(p.Number, cosine)
		}
		return nil
	})
	return near(top), err
}
