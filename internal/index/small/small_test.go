package small

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/store"
)

func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// changeSomething does one thing to a source.
func (m *memorySource) changeSomething(rng *rand.Rand) {
	words := strings.Fields("boat boats harbor tea coffee quito")
	sentence := func() string {
		var out []string
		for range 5 {
			out = append(out, words[rng.IntN(len(words))])
		}
		return strings.Join(out, " ")
	}
	list := m.numbers(isCurrent)
	any := func() int64 { return list[rng.IntN(len(list))] }
	switch n := rng.IntN(6); {
	case n == 0 || len(list) < 5:
		m.add(sentence(), int64(1+rng.IntN(4)), int64(rng.IntN(3)))
	case n == 1:
		m.set(any(), func(f *storedFact) { f.Retired = 5 })
	case n == 2:
		m.remove(any())
	case n == 3:
		m.set(any(), func(f *storedFact) { f.Terms = sentence(); f.text = f.Terms })
	case n == 4:
		m.set(any(), func(f *storedFact) { f.Type = int64(1 + rng.IntN(4)) })
	case n == 5: // a turn
		m.others++
		m.change++
	}
}

// What a cache finds after any changes is what one finds that reads all anew.
func TestFacts_CatchUpWithWhatChanged(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 1))
		m, c := newSource(), new(Cache)
		for range 60 {
			for range rng.IntN(4) {
				m.changeSomething(rng)
			}
			got, want := m.kept(t, c), m.kept(t, new(Cache))
			for _, f := range []store.Filter{{}, {Types: []strata.Type{strata.TypeUser}}, {NotPrivate: true}, {Parent: 2}} {
				f := passage.NewFilter(f, nil)
				for _, ask := range []func(*Set) any{
					func(s *Set) any {
						passages, hits := s.Match([]string{"boat", "tea", "absent"}, &f)
						return []any{passages, hits}
					},
					func(s *Set) any { return s.Phrase([]string{"tea", "boat"}, true, &f, 3) },
					func(s *Set) any { return must(s.Substring(ctx, m, "oat", &f, 4))(t) },
				} {
					if got, want := ask(got), ask(want); !reflect.DeepEqual(got, want) {
						t.Fatalf("seed %d: got %v, want %v", seed, got, want)
					}
				}
			}
		}
	}
}

func TestMatch_CountsTermsOfWhatPasses(t *testing.T) {
	m := newSource()
	one := m.add("boat tea boat", 1, 7)
	m.add("boat", 2, 7) // of another type
	two := m.add("tea", 1, 7)
	m.add("coffee", 1, 7)
	f := passage.NewFilter(store.Filter{Types: []strata.Type{strata.Types()[0]}}, nil)
	passages, hits := m.kept(t, new(Cache)).Match([]string{"tea", "boat", "harbor"}, &f)
	if len(passages) != 2 || passages[0].Number != one || passages[1].Number != two {
		t.Fatalf("found %v", passages)
	}
	if want := [][]store.TermHit{{{Passage: 0, Count: 1}, {Passage: 1, Count: 1}}, {{Passage: 0, Count: 2}}, nil}; !reflect.DeepEqual(hits, want) {
		t.Errorf("hits are %v, want %v", hits, want)
	}
}

func TestPhrase_TheMostFrequentThenTheShorterThenTheNewer(t *testing.T) {
	m := newSource()
	long, twice := m.add("red boat in the harbor", 1, 0), m.add("red boat red boats by the dozen", 1, 0)
	older, newer := m.add("a red boat", 1, 0), m.add("1 red boat", 1, 0)
	m.add("boat red", 1, 0)
	all := passage.NewFilter(store.Filter{}, nil)
	for _, c := range []struct {
		prefix bool
		want   []int64
	}{{true, []int64{twice, newer, older, long}}, {false, []int64{newer, older, long, twice}}} {
		var got []int64
		for _, meta := range m.kept(t, new(Cache)).Phrase([]string{"red", "boat"}, c.prefix, &all, 9) {
			got = append(got, meta.Number)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("prefix=%t: got %v, want %v", c.prefix, got, c.want)
		}
	}
}

// A term that an index may take for several is left to that index.
func TestFacts_AreNotPlainWithTermsThatOnlyTheIndexKnows(t *testing.T) {
	m, c := newSource(), new(Cache)
	m.add("plain words", 1, 0)
	if !m.kept(t, c).Plain() {
		t.Error("plain words are not plain")
	}
	m.add("one→two", 1, 0)
	if m.kept(t, c).Plain() {
		t.Error("an arrow in a term is plain")
	}
}

// An older transaction is not served what a newer one read.
func TestFacts_ServeNoOlderTransaction(t *testing.T) {
	m, c := newSource(), new(Cache)
	m.add("one", 1, 0)
	old := m.clone()
	if old.kept(t, c) == nil {
		t.Fatal("few facts are not kept")
	}
	m.add("two", 1, 0)
	m.kept(t, c)
	if old.kept(t, c) != nil {
		t.Error("an older transaction is served")
	}
}

func TestFacts_AreReadOnce(t *testing.T) {
	m, c := newSource(), new(Cache)
	read := func(want int) {
		t.Helper()
		*m.reads = 0
		m.kept(t, c)
		if *m.reads != want {
			t.Errorf("%d facts were read, want %d", *m.reads, want)
		}
	}
	for i := range 20 {
		m.add(fmt.Sprint("fact", i), 1, 0)
	}
	read(20)
	m.others, m.change = m.others+5, m.change+5
	read(0)
	m.add("another", 1, 0)
	read(1)
	m.change++
	m.removed[0] = m.change // all passages were removed and came again
	read(21)
	m.change += maxCatchUp
	read(21)
}

// The facts of a small scope are kept; those of a larger one are only if other
// passages outnumber them, and those of one in which much came and went are not.
func TestFacts_AreThoseOfSmallScopes(t *testing.T) {
	m := newSource()
	for i := range 20 {
		m.add(fmt.Sprint("fact", i), 1, 0)
	}
	kept := func(most int64) bool { return m.kept(t, &Cache{MaxFacts: most}) != nil }
	if !kept(0) || !kept(20) || kept(19) || kept(-1) {
		t.Error("not the scopes of up to so many facts are kept")
	}
	m.others = 81
	if !kept(19) {
		t.Error("20 facts beside 81 turns are not kept")
	}
	m.others, m.used = 0, 20*usedPerFact+1
	if kept(20) {
		t.Error("the facts of a scope are kept in which much came and went")
	}
}

func TestServes_SearchesForCurrentFactsAlone(t *testing.T) {
	now := time.Now()
	facts := []strata.Kind{strata.KindFact}
	if !Serves(store.Filter{Kinds: facts, NotPrivate: true, SessionKind: strata.SessionGroup}) {
		t.Error("current facts are not served")
	}
	for _, f := range []store.Filter{{}, {Kinds: []strata.Kind{strata.KindTurn}},
		{Kinds: []strata.Kind{strata.KindFact, strata.KindTurn}}, {Kinds: facts, AsOf: &now}} {
		if Serves(f) {
			t.Errorf("served: %+v", f)
		}
	}
}
