package small

import (
	"context"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// Items returns facts with what they stand for, in the order of the numbers given;
// nil if one of these is of no current fact, or of one that the store does not
// have. A version of a fact does not change without its passage, save for how often
// it was of use: that is read each time.
func (s *Set) Items(ctx context.Context, src Source, numbers []int64) ([]store.Item, error) {
	found := make([]*fact, len(numbers))
	for i, n := range numbers {
		at, ok := s.find(n)
		if !ok {
			return nil, nil
		}
		found[i] = s.facts[at]
	}
	if ok, err := s.readVersions(ctx, src, found); err != nil || !ok {
		return nil, err
	}
	facts := make([]strata.Fact, len(numbers))
	items := make([]store.Item, len(numbers))
	byID := make(map[string][]*strata.Fact, len(numbers)) // twice in the list: twice in the items
	ids := make([]string, len(numbers))
	for i, f := range found {
		facts[i] = *f.version.Load()
		items[i] = store.Item{Meta: f.row.Meta, Fact: &facts[i]}
		ids[i] = facts[i].ID
		byID[ids[i]] = append(byID[ids[i]], &facts[i])
	}
	return items, src.Accesses(ctx, s.scope, ids, func(id string, accesses int, last time.Time) {
		for _, f := range byID[id] {
			f.Accesses, f.LastAccess = accesses, last
		}
	})
}

// readVersions sees to it that the facts have their versions. It reports false if
// one of them is not there: the index is damaged.
func (s *Set) readVersions(ctx context.Context, src Source, facts []*fact) (bool, error) {
	var missing []int64
	for _, f := range facts {
		if f.version.Load() == nil {
			missing = append(missing, f.row.Number)
		}
	}
	if len(missing) == 0 {
		return true, nil
	}
	versions, err := src.Versions(ctx, missing)
	if err != nil {
		return false, err
	}
	for _, f := range facts {
		if f.version.Load() != nil {
			continue
		}
		version, ok := versions[f.row.Number]
		if !ok {
			return false, nil
		}
		v := *version // by itself: the others go from memory before it
		v.Accesses, v.LastAccess = 0, time.Time{}
		f.version.Store(&v)
	}
	s.grown()
	return true, nil
}
