package recall

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
)

// markShadowed marks the candidates that an earlier scope of the view shadows, with a
// document of the same identity or a fact that fills the same slot, whether or not that
// one answers the question. Foreign documents shadow nothing.
func (f *finder) markShadowed(ctx context.Context, among []*candidate) error {
	for _, c := range among {
		var err error
		switch fact, d := c.item.Fact, c.item.Document; {
		case d != nil && d.Identity() != "":
			c.shadowed, err = f.shadowed(ctx, c.pool.order, "document "+d.Identity(), func(s strata.Scope) (bool, error) {
				same, err := f.r.SameIdentity(ctx, s, d.Identity())
				return slices.ContainsFunc(same, func(d strata.Document) bool { return !d.Foreign }), err
			})
		case fact != nil && fact.Entity != "":
			slot := strings.ToLower("slot " + fact.Entity + "\x00" + fact.Attribute)
			c.shadowed, err = f.shadowed(ctx, c.pool.order, slot, func(s strata.Scope) (bool, error) {
				same, err := f.r.FactsBySlot(ctx, s, fact.Entity, fact.Attribute)
				return slices.ContainsFunc(same, f.inView), err
			})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// inView reports whether the view shows a fact as of the time of the query.
func (f *finder) inView(fact strata.Fact) bool {
	q := f.req.Query
	if q.AsOf != nil && fact.RecordedAt.After(*q.AsOf) {
		return false
	}
	return fact.Type != strata.TypeUser || q.View.Session != strata.SessionGroup
}

// dropShadowed drops the candidates marked as shadowed, unless the query is a search or
// asks for all.
func (f *finder) dropShadowed(among []*candidate) []*candidate {
	if q := f.req.Query; q.Search || q.All {
		return among
	}
	return slices.DeleteFunc(among, func(c *candidate) bool { return c.shadowed })
}

// shadowKey identifies a document identity or a fact slot in one scope of the view.
type shadowKey struct {
	order int
	name  string
}

// shadowed reports whether a scope before the one at order in the view holds something,
// and caches the answer under name.
func (f *finder) shadowed(ctx context.Context, order int, name string, holds func(strata.Scope) (bool, error)) (bool, error) {
	if order == 0 {
		return false, nil
	}
	key := shadowKey{order, name}
	if shadowed, known := f.shadows[key]; known {
		return shadowed, nil
	}
	shadowed := false
	for _, s := range f.req.Query.View.Scopes[:order] {
		var err error
		if shadowed, err = holds(s); err != nil {
			return false, fmt.Errorf("look in %s for what stands in front: %w", s, err)
		}
		if shadowed {
			break
		}
	}
	if f.shadows == nil {
		f.shadows = make(map[shadowKey]bool)
	}
	f.shadows[key] = shadowed
	return shadowed, nil
}
