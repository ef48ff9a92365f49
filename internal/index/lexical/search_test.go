package lexical

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/strata-memory/strata/store"
)

// plain is m with nil for what is empty.
func plain(m store.Matches) store.Matches {
	if len(m.Passages) == 0 {
		m.Passages = nil
	}
	for i, hits := range m.Terms {
		if len(hits) == 0 {
			m.Terms[i] = nil
		}
	}
	return m
}

// search answers a query in both ways; inMemory tells whether both could.
func (m *memory) search(x *Index, now *moment, writing bool, terms []string, f store.Filter, o store.MatchOptions) (out store.Matches, inMemory bool) {
	m.Helper()
	ctx := context.Background()
	s := x.Snapshot(now, writing)
	q, err := s.Query(ctx, testScope, terms, f, o)
	m.ok(err)
	out, err = s.Entries(ctx, q)
	m.ok(err)
	out = plain(out)
	if f.AsOf != nil || writing {
		return out, false
	}
	got, inMemory, err := s.Postings(ctx, q)
	m.ok(err)
	if inMemory && !reflect.DeepEqual(plain(got), out) {
		m.Fatalf("%q in %+v, %+v: from posting lists %+v, from entries %+v", terms, f, o, got, out)
	}
	return out, inMemory
}

// compare asks with all filters, and compares each answer with what a look at
// every passage finds. It returns how many were found in memory, too.
func (m *memory) compare(x *Index, now *moment) (inMemory int) {
	m.Helper()
	for _, f := range m.filters(now) {
		terms := m.terms()
		got, held := m.search(x, now, m.rng.IntN(8) == 0, terms, f, store.MatchOptions{})
		if want := plain(now.naive(terms, f)); !reflect.DeepEqual(got, want) {
			m.Fatalf("%q in %+v: got %+v, want %+v", terms, f, got, want)
		}
		if held {
			inMemory++
		}
		s := x.Snapshot(now, false)
		if list, ok := s.Passing(context.Background(), testScope, f, nil); ok {
			m.Errorf("a snapshot that searched nothing knows who passes: %v", list)
		}
	}
	return inMemory
}

// Whatever changes, entries and posting lists find what a look at every passage
// finds, and so do transactions that are older than what is in memory.
func TestMatch_AllWaysFindTheSame(t *testing.T) {
	for range 3 {
		m := newMemory(t, seed())
		x := newIndex(m, atOnce)
		m.fill(200)
		held := 0
		var old []*moment
		for range 40 {
			for range m.rng.IntN(5) {
				m.alter()
			}
			if m.rng.IntN(3) == 0 {
				m.fill(1 + m.rng.IntN(60))
			}
			now := m.begin()
			held += m.compare(x, now)
			if old = append(old, now); len(old) > 3 {
				m.compare(x, old[m.rng.IntN(len(old))])
			}
		}
		if held < 150 {
			t.Errorf("only %d searches were answered in memory", held)
		}
	}
}

// What is asked for may hold any text, and the same term twice.
func TestQuery_TermsMayHoldAnyText(t *testing.T) {
	m := newMemory(t, 1)
	m.fill(100)
	x, now := newIndex(m, atOnce), m.begin()
	terms := []string{"", "w1", `"w1"`, "w1 w2", "\xff", "w1", "\u0301"}
	got, held := m.search(x, now, false, terms, store.Filter{}, store.MatchOptions{})
	want := now.naive([]string{"w1"}, store.Filter{})
	for i, term := range terms {
		var hits []store.TermHit
		if term == "w1" {
			hits = want.Terms[0]
		}
		if !slices.Equal(got.Terms[i], hits) {
			t.Errorf("%q: got %v, want %v", term, got.Terms[i], hits)
		}
	}
	if !held || !slices.Equal(got.Passages, want.Passages) {
		t.Errorf("got %v (in memory %v), want %v", got.Passages, held, want.Passages)
	}
}

// A snapshot that searched in memory knows who passes.
func TestSnapshot_Passing(t *testing.T) {
	m := newMemory(t, seed())
	m.fill(300)
	x := newIndex(m, atOnce)
	for range 20 {
		m.alter()
		now := m.begin()
		for _, f := range m.filters(now) {
			s := x.Snapshot(now, false)
			for _, f := range []store.Filter{{}, f} {
				q, err := s.Query(t.Context(), testScope, []string{"w1"}, f, store.MatchOptions{})
				m.ok(err)
				if _, ok, err := s.Postings(t.Context(), q); err != nil || ok != (f.AsOf == nil) {
					t.Fatalf("%+v: answered from memory %v, %v", f, ok, err)
				}
			}
			parents := []int64{number(2), number(3), 7}[:m.rng.IntN(4)]
			got, ok := s.Passing(t.Context(), testScope, f, parents)
			if ok != (f.AsOf == nil) {
				t.Fatalf("%+v: known %v", f, ok)
			}
			if !ok {
				continue
			}
			passes, err := s.filter(t.Context(), testScope, f)
			m.ok(err)
			var want []int64
			for _, p := range now.passages {
				if passes.Passes(&p.Row) && (len(parents) == 0 || slices.Contains(parents, p.Parent)) {
					want = append(want, p.Number)
				}
			}
			if slices.Sort(got); !slices.Equal(got, want) {
				t.Fatalf("%+v in %v: got %v, want %v", f, parents, got, want)
			}
		}
	}
}

// Readers at the same time, of terms that are read and while others are added,
// find what is there.
func TestMatch_ManyReadersAtOnce(t *testing.T) {
	m := newMemory(t, seed())
	m.fill(600)
	x := newIndex(m, atOnce)
	const readers = 4
	errs := make(chan error, readers)
	for r := range readers {
		go func() {
			errs <- func() error {
				for i := range 60 {
					now := m.begin()
					terms := []string{fmt.Sprint("w", i%7), fmt.Sprint("w", (i*7+r)%90)}
					s := x.Snapshot(now, false)
					q, err := s.Query(context.Background(), testScope, terms, store.Filter{}, store.MatchOptions{})
					if err != nil {
						return err
					}
					got, ok, err := s.Postings(context.Background(), q)
					if want := plain(now.naive(terms, store.Filter{})); err != nil || ok && !reflect.DeepEqual(plain(got), want) {
						return fmt.Errorf("%q: got %+v (%v), want %+v", terms, got, err, want)
					}
				}
				return nil
			}()
		}()
	}
	for range 40 {
		m.fill(2)
		m.alter()
	}
	for range readers {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}

// A term that stands in a passage more often than a posting has bits for.
func TestMatch_CountsWhatIsRepeated(t *testing.T) {
	m := newMemory(t, 7)
	m.fill(50)
	x := newIndex(m, atOnce)
	for _, n := range []int{254, 255, 256, 5000} {
		for _, added := range []bool{true, false} {
			if !added {
				x.Drop() // read from entries, not added
			}
			m.compare(x, m.begin())
			m.update(func(now *moment) {
				m.next++
				m.put(now, m.next)
				p := &now.passages[len(now.passages)-1]
				p.Type, p.Words = 0, int32(n)
				p.say(strings.Repeat("w1 ", n))
			})
			got, held := m.search(x, m.begin(), false, []string{"w1"}, store.Filter{}, store.MatchOptions{})
			if hits := got.Terms[0]; !held || hits[len(hits)-1].Count != int32(n) {
				t.Errorf("%d times: got %v, in memory %v", n, hits[len(hits)-1], held)
			}
		}
	}
}

// Terms that are pending hold phrases.
func TestPending_Phrase(t *testing.T) {
	src := new(moment)
	for i, terms := range []string{"red apple pie", "red red apples", "apple red", "λόγος red apple red apple"} {
		p := stored{pending: true}
		p.Number = number(int64(i))
		p.say(terms)
		src.passages = append(src.passages, p)
	}
	p, err := readPending(t.Context(), src, testScope)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		terms  []string
		prefix bool
		want   []int64 // lower part of number, count
	}{
		{[]string{"red", "apple"}, false, []int64{0, 1, 3, 2}},
		{[]string{"red", "appl"}, true, []int64{0, 1, 1, 1, 3, 2}},
		{[]string{"λόγοσ", "red"}, false, []int64{3, 1}},
		{[]string{"pie", "red"}, true, nil},
	} {
		var got []int64
		err := p.Phrase(c.terms, c.prefix, func(n, count int64) error {
			got = append(got, n&lowMask, count)
			return nil
		})
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%q, prefix %v: got %v, %v, want %v", c.terms, c.prefix, got, err, c.want)
		}
	}
}
