package storetest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

// modelTests compare the store with a plain Go model of it: after each of many random
// operations, both must give the same answers.
var modelTests = []test{
	{"a store and a map agree after every step", func(b *bench) {
		run := 0
		rapid.Check(b.T, func(r *rapid.T) {
			run++ // each run has scopes of its own in the same store
			m := &machine{bench: b, run: run, facts: make(map[string][]strata.Fact)}
			r.Repeat(map[string]func(*rapid.T){
				"add":    m.add,
				"change": m.update,
				"retire": m.retire,
				"forget": m.forgetOne,
				"undo":   m.undone,
				"access": m.access,
				"":       m.agree,
			})
		})
	}},
}

// words has few entries, so that texts share words.
var words = []string{"apple", "pear", "plum", "train", "sky", "猫の名前"}

// machine models what the store should hold.
type machine struct {
	*bench
	run   int
	facts map[string][]strata.Fact // versions by id, oldest first
	gone  []gone
}

// gone is a forgotten text.
type gone struct {
	scope  strata.Scope
	normal string
}

func (m *machine) scopes() []strata.Scope {
	name := fmt.Sprint("run", m.run)
	return []strata.Scope{strata.InWorkspace(name), strata.ForAgentIn(name, "a"), strata.ForAgent(name)}
}

func (m *machine) text(r *rapid.T) string {
	list := rapid.SliceOfN(rapid.SampledFrom(words), 1, 4).Draw(r, "words")
	return strings.Join(list, " ")
}

// pick draws the id of a fact whose last version is current; empty if there is none.
func (m *machine) pick(r *rapid.T) string {
	var ids []string
	for id, versions := range m.facts {
		if versions[len(versions)-1].Current() {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return ""
	}
	slices.Sort(ids)
	return rapid.SampledFrom(ids).Draw(r, "id")
}

func (m *machine) add(r *rapid.T) {
	f := m.fact(rapid.SampledFrom(m.scopes()).Draw(r, "scope"), m.text(r))
	f.Category = rapid.SampledFrom([]string{"one", "two"}).Draw(r, "category")
	m.bench.update(func(w store.Writer) {
		m.put(w, f)
		f.RecordedAt = w.Now()
	})
	m.facts[f.ID] = []strata.Fact{f}
}

func (m *machine) update(r *rapid.T) {
	id := m.pick(r)
	if id == "" {
		return
	}
	versions := m.facts[id]
	old := &versions[len(versions)-1]
	next := *old
	next.Generation++
	next.Text = m.text(r)
	m.bench.update(func(w store.Writer) {
		m.ok(w.RetireFact(m.ctx, old.Scope, id, old.Generation, ""))
		next.RecordedAt = time.Time{}
		m.put(w, next)
		now := w.Now()
		old.RetiredAt, next.RecordedAt = &now, now
	})
	m.facts[id] = append(versions, next)
}

func (m *machine) retire(r *rapid.T) {
	id := m.pick(r)
	if id == "" {
		return
	}
	versions := m.facts[id]
	last := &versions[len(versions)-1]
	m.bench.update(func(w store.Writer) {
		m.ok(w.RetireFact(m.ctx, last.Scope, id, last.Generation, "fact_other"))
		now := w.Now()
		last.RetiredAt, last.SupersededBy = &now, "fact_other"
	})
}

func (m *machine) forgetOne(r *rapid.T) {
	id := m.pick(r)
	if id == "" {
		return
	}
	scope := m.facts[id][0].Scope
	got := m.forget(scope, id)
	m.equal("versions forgotten", got.Versions, len(m.facts[id]))
	for _, v := range m.facts[id] {
		m.gone = append(m.gone, gone{scope, text.Normalize(v.Text)})
	}
	delete(m.facts, id)
}

// undone writes and then rolls back.
func (m *machine) undone(r *rapid.T) {
	id := m.pick(r)
	s := m.text(r)
	err := m.tryUpdate(func(w store.Writer) error {
		m.put(w, m.fact(rapid.SampledFrom(m.scopes()).Draw(r, "scope"), s))
		if id != "" {
			_, err := w.Forget(m.ctx, m.facts[id][0].Scope, id, nil)
			m.ok(err)
		}
		return errUndo
	})
	if err != errUndo {
		m.Fatal(err)
	}
}

func (m *machine) access(r *rapid.T) {
	id := m.pick(r)
	if id == "" {
		return
	}
	m.bench.update(func(w store.Writer) {
		m.ok(w.RecordAccess(m.ctx, m.facts[id][0].Scope, []string{id}))
		for i := range m.facts[id] {
			m.facts[id][i].Accesses++
			m.facts[id][i].LastAccess = w.Now()
		}
	})
}

// agree compares every scope of the store with the model.
func (m *machine) agree(r *rapid.T) {
	word := rapid.SampledFrom(words[:5]).Draw(r, "word")
	for _, scope := range m.scopes() {
		all, current := m.expected(scope)
		m.view(func(rd store.Reader) {
			got, err := rd.Facts(m.ctx, scope, strata.FactFilter{Retired: true, Limit: 1000})
			m.ok(err)
			m.equal("all versions", got, all)
			got, err = rd.Facts(m.ctx, scope, strata.FactFilter{Limit: 1000})
			m.ok(err)
			m.equal("current facts", got, current)
			st, err := rd.Stats(m.ctx, scope)
			m.ok(err)
			m.equal("counts", []int64{st.Facts, st.Retired, st.Vectors},
				[]int64{int64(len(current)), int64(len(all) - len(current)), int64(len(all))})
			for _, g := range m.gone {
				if g.scope == scope {
					_, ok, err := rd.Forgotten(m.ctx, scope, text.Analyze(g.normal))
					m.ok(err)
					m.equal("tombstone of "+g.normal, ok, true)
				}
			}
		})
		m.search(scope, word, current)
	}
}

// expected returns what the scope should hold, in the order of a listing.
func (m *machine) expected(scope strata.Scope) (all, current []strata.Fact) {
	for _, versions := range m.facts {
		if versions[0].Scope == scope {
			all = append(all, versions...)
		}
	}
	slices.SortFunc(all, func(x, y strata.Fact) int {
		return -cmp.Or(cmp.Compare(x.ID, y.ID), cmp.Compare(x.Generation, y.Generation))
	})
	for _, f := range all {
		if f.Current() {
			current = append(current, f)
		}
	}
	return all, current
}

// search compares what words and vectors find.
func (m *machine) search(scope strata.Scope, word string, current []strata.Fact) {
	term := text.Terms(word)
	var ids []string
	words := int64(0)
	for _, f := range current {
		if slices.Contains(text.Terms(f.Text), term[0]) {
			ids = append(ids, f.ID)
		}
		words += int64(len(text.Terms(f.Text)))
	}
	slices.Sort(ids)
	got := m.found(scope, word, store.Filter{})
	slices.Sort(got)
	m.equal("found by "+word, got, ids)
	m.view(func(rd store.Reader) {
		match, err := rd.Match(m.ctx, scope, term, store.Filter{}, store.MatchOptions{})
		m.ok(err)
		m.equal("total and words", []int64{match.Total, match.Words}, []int64{int64(len(current)), words})
		query := vectorOf(word)
		near, err := rd.Nearest(m.ctx, scope, model, query, nil, store.Filter{}, 1000)
		m.ok(err)
		m.equal("near", len(near), len(current))
		var want []float64
		for _, f := range current {
			want = append(want, cosine(query, vectorOf(f.Text)))
		}
		slices.SortFunc(want, func(x, y float64) int { return -cmp.Compare(x, y) })
		for i, n := range near {
			m.near("similarity", n.Similarity, want[i])
		}
		categories, err := rd.Categories(m.ctx, scope, theModel)
		m.ok(err)
		facts := int64(0)
		for _, c := range categories {
			facts += c.Facts
		}
		m.equal("facts in categories", facts, len(current))
	})
}
