package nearest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/vector"
)

func query(v []float32, k int) Query { return Query{Scope: testScope, Vector: v, K: k} }

// ask compares a search with measuring everything, and returns which part of the
// nearest it found.
func (m *memorySource) ask(x *Index, q Query) float64 {
	m.Helper()
	got, err := x.Nearest(context.Background(), m, q)
	m.ok(err)
	want := m.exact(q)
	if len(got) != len(want) {
		m.Fatalf("found %d passages, want %d", len(got), len(want))
	}
	if len(want) == 0 {
		return 1
	}
	hits := 0
	for _, n := range got {
		if slices.Contains(want, n) {
			hits++
		}
	}
	return float64(hits) / float64(len(want))
}

// askAll asks some questions and wants 99 of 100 of the nearest.
func (m *memorySource) askAll(x *Index, c *clusters, change func(*Query)) {
	m.Helper()
	var sum float64
	const questions = 20
	for i := range questions {
		v, _ := c.next()
		q := query(v, []int{1, 10, 50}[i%3])
		if change != nil {
			change(&q)
		}
		sum += m.ask(x, q)
	}
	if sum/questions < 0.99 {
		m.Errorf("%.3f of the nearest were found", sum/questions)
	}
}

// A scope without codes, one with all in blocks, and one with some pending.
func TestNearest_FindsWhatMeasuringEverythingFinds(t *testing.T) {
	for _, n := range []int{0, 1, 500, CodeFrom - 1, CodeFrom, CodeFrom + 200, 6000} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			m, c := newFilled(t, uint64(n), n, 20)
			m.askAll(new(Index), c, nil)
		})
	}
}

// Vectors that hardly differ, as those of texts do that differ in a number.
func TestNearest_InTightClusters(t *testing.T) {
	m, c := newSource(t, 64), newClusters(9, 64, 30)
	c.spread = 0.05
	for range 6000 {
		v, cluster := c.next()
		m.add(parent(cluster), v)
	}
	m.askAll(new(Index), c, nil)
}

// A filter that leaves few takes no place from those that pass.
func TestNearest_FiltersDoNotStarveIt(t *testing.T) {
	m, c := newFilled(t, 5, 6000, 20)
	for i := range m.rows {
		r := &m.rows[i]
		r.Recorded = 1000
		if i%50 != 7 {
			r.Retired = 5000
		}
		if i%100 == 3 {
			r.Type, r.Retired = 1, 0
		}
	}
	before := time.UnixMicro(4000)
	x := new(Index)
	for name, f := range map[string]store.Filter{
		"current": {}, "of a type": {Types: []strata.Type{strata.TypeUser}}, "before": {AsOf: &before},
		"of a parent": {Parent: parent(3)}, "turns": {Kinds: []strata.Kind{strata.KindTurn}},
	} {
		t.Run(name, func(t *testing.T) {
			m.TB = t
			m.askAll(x, c, func(q *Query) { q.Filter = f })
		})
	}
}

// Inside of some parents, few or many, all are found; parents of another scope
// have nothing.
func TestNearest_InsideOfParents(t *testing.T) {
	m, c := newFilled(t, 6, 7000, 3)
	x := new(Index)
	for _, parents := range [][]int64{{parent(0)}, {parent(0), parent(1)}, {parent(0), parent(1), parent(2)}, {parent(9)}, {4 << 40}} {
		m.askAll(x, c, func(q *Query) { q.Parents = parents })
	}
	small, c := newFilled(t, 7, 4000, 40)
	small.askAll(x, c, func(q *Query) { q.Parents = []int64{parent(2), parent(30)} })
}

// What others have in memory of who passes is used as what is read would be.
func TestNearest_WhoPassesMayBeKnown(t *testing.T) {
	m, c := newFilled(t, 8, 6000, 10)
	for i := range m.rows {
		if i%40 != 0 {
			m.rows[i].Retired = 1
		}
	}
	asked := 0
	m.askAll(new(Index), c, func(q *Query) {
		q.Passing = func() (list []int64, ok bool) {
			asked++
			for _, r := range slices.Backward(m.rows) {
				if r.Retired == 0 {
					list = append(list, r.Number)
				}
			}
			return list, asked%2 == 0
		}
	})
	if asked == 0 {
		t.Error("nobody asked who passes")
	}
}

func TestNearest_TenThousandIdenticalVectors(t *testing.T) {
	c := newClusters(9, 64, 2)
	vector.Normalize(c.centers[0])
	vector.Normalize(c.centers[1])
	m := newSource(t, 64)
	for range 10_000 {
		m.add(parent(0), c.centers[0])
	}
	other := m.add(parent(1), c.centers[1])
	x := new(Index)
	v, _ := c.next()
	for _, q := range [][]float32{c.centers[0], c.centers[1], v} {
		for _, k := range []int{1, 10, 300} {
			if part := m.ask(x, query(q, k)); part < 1 {
				t.Errorf("the nearest %d: %.3f found", k, part)
			}
		}
	}
	if got := m.exact(query(c.centers[1], 1)); got[0].Number != other {
		t.Errorf("the one that differs is not found: %v", got)
	}
}

// Damaged codes are noticed and change no answer.
func TestNearest_DamageChangesNoAnswer(t *testing.T) {
	for name, damage := range map[string]func(m *memorySource){
		"bits flipped":        func(m *memorySource) { m.blocks[3].Codes[70] ^= 255 },
		"a number of another": func(m *memorySource) { putNumber(m.blocks[3].Block, 5, m.blocks[2].Number(9)) },
		"cut short":           func(m *memorySource) { m.blocks[3].Codes = m.blocks[3].Codes[:100] },
		"empty":               func(m *memorySource) { m.blocks[3].Numbers, m.blocks[3].Codes = nil, nil },
		"too long": func(m *memorySource) {
			b := &m.blocks[3]
			b.Numbers, b.Codes, b.Sum = append(b.Numbers, b.Numbers...), append(b.Codes, b.Codes...), nil
		},
		"a block is gone":   func(m *memorySource) { m.blocks = slices.Delete(m.blocks, 3, 4) },
		"a block twice":     func(m *memorySource) { b := m.blocks[3]; b.ID = 999; m.blocks = append(m.blocks, b) },
		"counted wrongly":   func(m *memorySource) { m.writer.Coded-- },
		"center is gone":    func(m *memorySource) { m.center = nil },
		"center of another": func(m *memorySource) { m.center = m.center[:4] },
	} {
		t.Run(name, func(t *testing.T) {
			m, c := newFilled(t, 10, 4000, 3)
			damage(m)
			x := new(Index)
			m.askAll(x, c, nil)
			m.askAll(x, c, func(q *Query) { q.Parents = []int64{parent(0), parent(1)} })
			if !x.isDamaged(m.writer.ID) {
				t.Error("the damage was not noticed")
			}
			m.check(true, false)
			m.index = x
			v, cluster := c.next()
			m.add(parent(cluster), v)
			if x.isDamaged(m.writer.ID) {
				t.Error("the next change did not make the codes anew")
			}
			m.check(false, false)
			m.askAll(x, c, nil)
		})
	}
}

// check looks for faults of codes and of parents.
func (m *memorySource) check(codes, parents bool) {
	m.Helper()
	faults, err := Check(context.Background(), m, testScope, 0, m.dim)
	m.ok(err)
	if len(faults.Codes) > 0 != codes || len(faults.Parents) > 0 != parents {
		m.Errorf("found %d faults of codes and %d of parents, want any: %t and %t",
			len(faults.Codes), len(faults.Parents), codes, parents)
	}
}

func TestCheck_FindsWhatDisagrees(t *testing.T) {
	for name, c := range map[string]struct {
		damage         func(m *memorySource)
		codes, parents bool
	}{
		"nothing":                {damage: func(*memorySource) {}},
		"a code of nothing":      {func(m *memorySource) { delete(m.vectors, m.blocks[0].Number(1)) }, true, false},
		"pending and in a block": {func(m *memorySource) { m.pending = append(m.pending, m.blocks[0].Number(1)) }, true, false},
		"neither":                {func(m *memorySource) { m.pending = m.pending[1:] }, true, false},
		"another vector":         {func(m *memorySource) { m.vectors[m.blocks[0].Number(1)] = m.vectors[m.blocks[0].Number(2)] }, true, false},
		"outside of its range":   {func(m *memorySource) { m.blocks[0].Low++ }, true, false},
		"a sum":                  {func(m *memorySource) { m.sumsAreOff = 0.1 }, false, true},
		"a sum within tolerance": {func(m *memorySource) { m.sumsAreOff = sumTolerance }, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			m, _ := newFilled(t, 15, CodeFrom+10, 20)
			c.damage(m)
			m.check(c.codes, c.parents)
		})
	}
}

// keptSums is a source that keeps the sum of one parent from change to change, as a
// store does.
type keptSums struct {
	*memorySource
	sum []float32
}

func (k keptSums) ParentSums(_ context.Context, _, _ int64, kind strata.Kind, fn func(ParentSum) error) error {
	if kind != strata.KindFact {
		return nil
	}
	return fn(ParentSum{Number: parent(0), Count: int64(len(k.rows)), Sum: vector.Encode(k.sum)})
}

// add stores a passage whose vector stays in the sum.
func (k keptSums) add(v []float32) {
	n := k.memorySource.add(parent(0), v)
	stored, err := vector.Decode(k.float(n), k.dim)
	k.ok(err)
	k.change(stored, 1)
}

func (k keptSums) change(v []float32, sign float32) {
	for i, x := range v {
		k.sum[i] += sign * x
	}
}

// A sum keeps the rounding of every vector that was ever in it.
func TestCheck_AllowsForTheRoundingOfWhatIsGone(t *testing.T) {
	const gone = 20_000
	k, c := keptSums{newSource(t, 64), make([]float32, 64)}, newClusters(1, 64, 1)
	first, _ := c.next()
	k.add(first)
	var others [][]float32
	for range gone {
		v, _ := c.next()
		k.change(v, 1)
		others = append(others, v)
	}
	for _, v := range others {
		k.change(v, -1)
	}
	k.added += gone
	last, _ := c.next()
	k.add(last)
	for off, wrong := range map[float32]bool{0: false, 0.1: true} {
		k.sum[0] += off
		faults, err := Check(context.Background(), k, testScope, 0, k.dim)
		k.sum[0] -= off
		if err != nil || len(faults.Parents) > 0 != wrong {
			t.Errorf("off by %v: %+v, %v", off, faults, err)
		}
	}
}

// Passages that are removed leave blocks and what is pending, and the last of a
// block takes it along.
func TestWriter_RemovesWhatItAdded(t *testing.T) {
	m, _ := newFilled(t, 16, CodeFrom+10, 20)
	blocks := len(m.blocks)
	for _, r := range slices.Clone(m.rows[:BlockCodes+3]) {
		m.remove(r.Number)
	}
	m.remove(m.rows[len(m.rows)-1].Number)
	if len(m.blocks) != blocks-1 || m.writer.Removed == 0 {
		t.Errorf("%d blocks of %d are left", len(m.blocks), blocks)
	}
	if m.writer.Pending != 9 || m.writer.Coded != CodeFrom-BlockCodes-3 {
		t.Errorf("%d are pending and %d coded", m.writer.Pending, m.writer.Coded)
	}
	m.check(false, false)
}

// What is kept in memory answers as what is read anew, whatever changed since.
func TestIndex_CatchesUp(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 2))
			m, c := newFilled(t, seed, CodeFrom+50, 10)
			kept := new(Index)
			for range 40 {
				switch rng.IntN(4) {
				case 0, 1:
					for range 1 + rng.IntN(200) {
						v, cluster := c.next()
						m.add(parent(cluster), v)
					}
				case 2:
					for range 1 + rng.IntN(3) {
						m.remove(m.rows[rng.IntN(len(m.rows))].Number)
					}
				case 3: // a block and more
					for range rng.IntN(3) / 2 * (BlockCodes + 20) {
						m.remove(m.rows[0].Number)
					}
				}
				v, _ := c.next()
				want, err := new(Index).Nearest(context.Background(), m, query(v, 20))
				m.ok(err)
				m.reads = 0
				got, err := kept.Nearest(context.Background(), m, query(v, 20))
				m.ok(err)
				if !slices.Equal(got, want) {
					t.Fatalf("found %v, want %v", got, want)
				}
				if _, err := kept.Nearest(context.Background(), m, query(v, 20)); err != nil || m.reads > len(m.blocks) {
					t.Fatalf("blocks were read again: %d, %v", m.reads, err)
				}
			}
		})
	}
}

// A search of a writer, or of an older transaction, leaves what is kept alone.
func TestIndex_ServesTransactionsOfTheirTimeOnly(t *testing.T) {
	m, c := newFilled(t, 12, CodeFrom+300, 10)
	older := *m
	older.blocks, older.pending, older.rows = slices.Clone(m.blocks), slices.Clone(m.pending), slices.Clone(m.rows)
	v, _ := c.next()
	x := new(Index)
	before := older.exact(query(v, 20))
	check := func(what string, src *memorySource, q Query, want []store.Near) {
		t.Helper()
		got, err := x.Nearest(context.Background(), src, q)
		src.ok(err)
		if !slices.Equal(got, want) {
			t.Errorf("%s: found %v, want %v", what, got, want)
		}
	}
	check("at first", &older, query(v, 20), before)
	for range 3 * BlockCodes {
		m.add(parent(0), v)
	}
	writing := query(v, 20)
	writing.Writing = true
	check("a writer", m, writing, m.exact(writing))
	kept := x.heads.Get(1).Value.codes.Load()
	if kept.change != older.writer.Change {
		t.Error("what a writer saw is kept")
	}
	check("a reader", m, query(v, 20), m.exact(query(v, 20)))
	check("an older reader", &older, query(v, 20), before)
	if x.heads.Get(1).Value.codes.Load().change != m.writer.Change {
		t.Error("an older transaction put what it saw in the place of newer codes")
	}
}
