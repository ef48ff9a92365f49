package sqlite

import (
	"context"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// knownItems is Items for facts that the transaction knows from memory; nil if
// one of the numbers is of no such fact. A version of a fact does not change
// without its passage, save for how often it was of use: that is read.
func (t *tx) knownItems(ctx context.Context, scopeNo int64, list []int64) ([]store.Item, error) {
	set := t.known[scopeNo]
	if set == nil {
		return nil, nil
	}
	found := make([]*knownFact, len(list))
	for i, n := range list {
		if found[i] = set.find(n); found[i] == nil {
			return nil, nil
		}
	}
	if ok, err := t.readVersions(ctx, scopeNo, set, found); err != nil || !ok {
		return nil, err
	}
	facts := make([]strata.Fact, len(list))
	items := make([]store.Item, len(list))
	byID := make(map[string][]*strata.Fact, len(list)) // twice in the list: twice in the items
	ids := make([]string, len(list))
	for i, f := range found {
		facts[i] = *f.fact.Load()
		items[i] = store.Item{Meta: f.meta, Fact: &facts[i]}
		ids[i] = facts[i].ID
		byID[ids[i]] = append(byID[ids[i]], &facts[i])
	}
	return items, t.eachAccess(ctx, scopeNo, ids, func(id string, accesses int, last time.Time) {
		for _, f := range byID[id] {
			f.Accesses, f.LastAccess = accesses, last
		}
	})
}

// readVersions sees to it that the facts have their versions. It reports false
// if one of them is not there: the index is damaged.
func (t *tx) readVersions(ctx context.Context, scopeNo int64, set *factSet, facts []*knownFact) (bool, error) {
	var missing []int64
	for _, f := range facts {
		if f.fact.Load() == nil {
			missing = append(missing, f.meta.Number)
		}
	}
	if len(missing) == 0 {
		return true, nil
	}
	versions, err := t.factsAt(ctx, missing)
	if err != nil || len(versions) < len(distinct(missing)) {
		return false, err
	}
	for _, f := range facts {
		if version, ok := versions[f.meta.Number]; ok {
			v := *version // by itself: the others go from memory before it
			v.Accesses, v.LastAccess = 0, time.Time{}
			f.fact.Store(&v)
		}
	}
	t.db.facts.keep(scopeNo, nil, set.bytes())
	return true, nil
}
