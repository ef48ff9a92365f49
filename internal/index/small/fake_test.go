package small

import (
	"context"
	"slices"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/store"
)

// memorySource is a store in memory: one scope with facts and the number of other
// passages beside them. It is of value type: a copy is what an older transaction
// sees.
type memorySource struct {
	facts   map[int64]storedFact
	removed map[int64]int64 // the change that removed a passage
	others  int64
	used    int64
	change  int64
	reads   *int // facts that were read
}

type storedFact struct {
	Fact
	text   string
	change int64
}

const testScope = 3

func newSource() memorySource {
	return memorySource{facts: make(map[int64]storedFact), removed: make(map[int64]int64), reads: new(int)}
}

// clone is the source as of now.
func (m memorySource) clone() memorySource {
	c := m
	c.facts, c.removed = make(map[int64]storedFact), make(map[int64]int64)
	for n, f := range m.facts {
		c.facts[n] = f
	}
	for n, change := range m.removed {
		c.removed[n] = change
	}
	return c
}

// add stores a fact of a type and a parent.
func (m *memorySource) add(terms string, kind, parent int64) int64 {
	m.used++
	m.change++
	number := testScope<<passage.ScopeBits + m.used
	m.facts[number] = storedFact{text: terms, change: m.change, Fact: Fact{Terms: terms, Row: passage.Row{
		Meta: store.Meta{Number: number, Parent: parent, Kind: strata.KindFact, Words: int32(len(terms))}, Type: kind, Recorded: 1}}}
	return number
}

// set changes a fact.
func (m *memorySource) set(number int64, change func(*storedFact)) {
	m.change++
	f := m.facts[number]
	f.change = m.change
	change(&f)
	m.facts[number] = f
}

// remove removes a fact.
func (m *memorySource) remove(number int64) {
	m.change++
	delete(m.facts, number)
	m.removed[number] = m.change
}

// numbers are those of the facts, rising.
func (m memorySource) numbers(passes func(storedFact) bool) (out []int64) {
	for n, f := range m.facts {
		if passes(f) {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return out
}

func isCurrent(f storedFact) bool { return f.Retired == 0 }

func (m memorySource) Scope(context.Context, int64) (Scope, error) {
	s := Scope{Facts: int64(len(m.numbers(isCurrent))), Used: m.used, Changed: m.change}
	s.Passages = s.Facts + m.others
	for _, change := range m.removed {
		s.Removed = max(s.Removed, change)
	}
	return s, nil
}

func (m memorySource) Current(_ context.Context, _ int64, fn func(Fact) error) error {
	return m.each(isCurrent, fn)
}

func (m memorySource) Changed(_ context.Context, _, after int64, fn func(Fact) error) error {
	return m.each(func(f storedFact) bool { return f.change > after }, fn)
}

func (m memorySource) each(passes func(storedFact) bool, fn func(Fact) error) error {
	for _, n := range m.numbers(passes) {
		*m.reads++
		if err := fn(m.facts[n].Fact); err != nil {
			return err
		}
	}
	return nil
}

func (m memorySource) Removed(_ context.Context, _, after int64) (list []int64, err error) {
	for n, change := range m.removed {
		if change > after {
			list = append(list, n)
		}
	}
	return list, nil
}

func (m memorySource) Texts(_ context.Context, numbers []int64, fn func(int64, []byte) error) error {
	for _, n := range numbers {
		if err := fn(n, []byte(m.facts[n].text)); err != nil {
			return err
		}
	}
	return nil
}

// kept are the facts that a cache has for a transaction; nil where it has none.
func (m memorySource) kept(tb testing.TB, c *Cache) *Set {
	tb.Helper()
	set, err := c.Facts(context.Background(), m, testScope)
	if err != nil {
		tb.Fatal(err)
	}
	return set
}
