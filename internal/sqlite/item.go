package sqlite

import (
	"cmp"
	"context"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/internal/sqlite/packed"
	"github.com/strata-memory/strata/store"
)

// Items returns the passages that exist, each with its fact, turn or section, in the
// order of the numbers given.
func (t *tx) Items(ctx context.Context, scope strata.Scope, list []int64) ([]store.Item, error) {
	no, ok, err := t.scopeNo(ctx, scope, false)
	if err != nil || !ok || len(list) == 0 {
		return nil, err
	}
	metas, err := t.metasAt(ctx, no, list)
	if err != nil {
		return nil, err
	}
	byKind := make(map[strata.Kind][]int64)
	for n, m := range metas {
		byKind[m.Kind] = append(byKind[m.Kind], n)
	}
	sources := make(map[int64]store.Source, len(metas))
	for kind, numbers := range byKind {
		if err := t.readSources(ctx, kind, numbers, sources); err != nil {
			return nil, err
		}
	}
	out := make([]store.Item, 0, len(list))
	for _, n := range list {
		meta, indexed := metas[n]
		if s, ok := sources[n]; ok && indexed {
			out = append(out, store.Item{Meta: meta, Fact: s.Fact, Turn: s.Turn, Span: s.Span, Section: s.Section, Document: s.Document})
		}
	}
	return out, t.readAccesses(ctx, no, out)
}

// metasAt returns the index data of passages of a scope, by number.
func (t *tx) metasAt(ctx context.Context, scopeNo int64, list []int64) (map[int64]store.Meta, error) {
	low, high := passage.Numbers(scopeNo)
	out := make(map[int64]store.Meta, len(list))
	err := t.RowsAt(ctx, list, func(r *passage.Row) error {
		if low <= r.Number && r.Number <= high {
			out[r.Number] = r.Meta
		}
		return nil
	})
	return out, err
}

// sourcesAt returns the facts, turns and sections with the numbers, by number.
func (t *tx) sourcesAt(ctx context.Context, list []int64) (map[int64]store.Source, error) {
	out := make(map[int64]store.Source, len(list))
	list = distinct(list)
	for _, kind := range []strata.Kind{strata.KindFact, strata.KindTurn, strata.KindSection} {
		if err := t.readSources(ctx, kind, list, out); err != nil {
			return nil, err
		}
		if len(out) == len(list) { // most lists hold only facts or only turns
			break
		}
	}
	return out, nil
}

// readSources adds to into the sources of those passages in list that are of a kind.
func (t *tx) readSources(ctx context.Context, kind strata.Kind, list []int64, into map[int64]store.Source) error {
	switch kind {
	case strata.KindFact:
		facts, err := t.factsAt(ctx, list)
		for number, f := range facts {
			into[number] = store.Source{Number: number, Fact: f}
		}
		return err
	case strata.KindTurn:
		return t.readTurns(ctx, list, into)
	case strata.KindSection:
		return t.readSections(ctx, distinct(list), into)
	}
	return nil
}

// Sources pages through everything that the index is derived from, in order of
// number. It leaves out turns that were forgotten, which have nothing to index.
func (t *tx) Sources(ctx context.Context, scope strata.Scope, after int64, limit int) ([]store.Source, error) {
	no, ok, err := t.scopeNo(ctx, scope, false)
	if err != nil || !ok {
		return nil, err
	}
	low, high := passage.Numbers(no)
	list, err := t.queryIntegers(ctx, 1, `
		SELECT number FROM fact WHERE number > ?1 AND number BETWEEN ?2 AND ?3
		UNION ALL
		SELECT number FROM turn WHERE number > ?1 AND number BETWEEN ?2 AND ?3 AND NOT forgotten
		UNION ALL
		SELECT number FROM turn_passage WHERE number > ?1 AND number BETWEEN ?2 AND ?3 AND number <> turn
		UNION ALL
		SELECT number FROM section WHERE number > ?1 AND number BETWEEN ?2 AND ?3
		ORDER BY number LIMIT ?4`, after, low, high, clampLimit(limit))
	if err != nil || len(list) == 0 {
		return nil, err
	}
	found, err := t.sourcesAt(ctx, list)
	if err != nil {
		return nil, err
	}
	out := make([]store.Source, 0, len(list))
	for _, n := range list {
		out = append(out, found[n])
	}
	return out, nil
}

// PassagesAt returns the turns and sections at the given places that exist and pass
// the filter, ordered by parent and place.
func (t *tx) PassagesAt(ctx context.Context, scope strata.Scope, places []store.Place, f store.Filter) ([]store.Meta, error) {
	no, ok, err := t.scopeNo(ctx, scope, false)
	if err != nil || !ok || len(places) == 0 {
		return nil, err
	}
	var wanted packed.Rows
	for _, p := range places {
		if err := wanted.Add(p.Parent, p.Seq); err != nil {
			return nil, err
		}
	}
	found, err := collect(ctx, t, `
		SELECT p.number, p.parent, p.seq, p.words, p.kind, p.type
		FROM (SELECT DISTINCT c0, c1 FROM unpack(?8)) AS j
		CROSS JOIN passage AS p INDEXED BY passage_place ON p.parent = j.c0 AND p.seq = j.c1
		WHERE p.kind <> 1 AND `+passes, filterArgs(no, f, []byte(wanted)), scanMeta)
	slices.SortFunc(found, func(a, b store.Meta) int {
		return cmp.Or(cmp.Compare(a.Parent, b.Parent), cmp.Compare(a.Seq, b.Seq), cmp.Compare(a.Number, b.Number))
	})
	return found, err
}
