package nearest

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/vector"
)

// memorySource is a store in memory: one scope, one model and one head of facts.
type memorySource struct {
	testing.TB
	dim     int
	added   int64         // passages
	rows    []passage.Row // by number
	vectors map[int64][]byte
	writer  Writer // whose Head is what is stored, and kept from change to change
	center  []byte
	change  int64
	blocks  []changedBlock
	pending []int64 // rising
	index   *Index  // that changes are made through
	reads   int     // blocks of codes that were read
	// sumsAreOff is added to the sums of parents.
	sumsAreOff float32
}

type changedBlock struct {
	Block
	change int64
}

const testScope = 3

func newSource(tb testing.TB, dim int) *memorySource {
	return &memorySource{TB: tb, dim: dim, vectors: make(map[int64][]byte), index: new(Index),
		writer: Writer{Head: Head{ID: 1, Kind: strata.KindFact}, Dim: dim}}
}

func (m *memorySource) ok(err error) {
	m.Helper()
	if err != nil {
		m.Fatal(err)
	}
}

// add stores a passage of a parent and its vector.
func (m *memorySource) add(parent int64, v []float32) int64 {
	m.added++
	number := testScope<<passage.ScopeBits + 1000 + m.added
	m.rows = append(m.rows, passage.Row{Meta: store.Meta{Number: number, Parent: parent, Kind: strata.KindFact}, Type: 3, Recorded: 1})
	m.vectors[number] = vector.EncodeInt8(v)
	m.ok(m.index.Add(context.Background(), m, &m.writer, []int64{number}))
	return number
}

// remove removes a passage.
func (m *memorySource) remove(number int64) {
	m.rows = slices.DeleteFunc(m.rows, func(r passage.Row) bool { return r.Number == number })
	delete(m.vectors, number)
	m.ok(m.writer.Remove(context.Background(), m, number))
}

func (m *memorySource) SetCenter(_ context.Context, center []byte) error {
	m.center = center
	return nil
}
func (m *memorySource) SetHead(context.Context, Head) error       { return nil } // the writer has it
func (m *memorySource) NextChange(context.Context) (int64, error) { m.change++; return m.change, nil }

func (m *memorySource) AddPending(_ context.Context, numbers []int64) error {
	m.pending = append(m.pending, numbers...)
	return nil
}

func (m *memorySource) OldestPending(_ context.Context, limit int, fn func(int64, []byte) error) error {
	for _, n := range m.pending[:min(limit, len(m.pending))] {
		if err := fn(n, m.float(n)); err != nil {
			return err
		}
	}
	return nil
}

func (m *memorySource) RemovePending(_ context.Context, number int64) (bool, error) {
	before := len(m.pending)
	m.pending = slices.DeleteFunc(slices.Clone(m.pending), func(n int64) bool { return n == number })
	return len(m.pending) < before, nil
}

func (m *memorySource) AddBlock(_ context.Context, change int64, b Block) error {
	b.ID = change
	m.blocks = append(m.blocks, changedBlock{b, change})
	m.pending = slices.DeleteFunc(slices.Clone(m.pending), func(n int64) bool { return n <= b.High })
	return nil
}

func (m *memorySource) FindBlock(_ context.Context, number int64) (Block, error) {
	i := slices.IndexFunc(m.blocks, func(b changedBlock) bool { return b.Find(number) >= 0 })
	b := m.blocks[i].Block
	b.Numbers, b.Codes = slices.Clone(b.Numbers), slices.Clone(b.Codes)
	return b, nil
}

func (m *memorySource) SetBlock(ctx context.Context, change int64, b Block) error {
	err := m.RemoveBlock(ctx, b.ID)
	m.blocks = append(m.blocks, changedBlock{b, change})
	return err
}

func (m *memorySource) RemoveBlock(_ context.Context, id int64) error {
	m.blocks = slices.DeleteFunc(m.blocks, func(b changedBlock) bool { return b.ID == id })
	return nil
}

func (m *memorySource) Reset(context.Context) (int64, error) {
	m.blocks, m.center, m.pending = nil, nil, nil
	for _, r := range m.rows {
		if m.vectors[r.Number] != nil {
			m.pending = append(m.pending, r.Number)
		}
	}
	return int64(len(m.pending)), nil
}

func (m *memorySource) Heads(context.Context, int64, int64, int64) ([]Head, error) {
	return []Head{m.writer.Head}, nil
}
func (m *memorySource) Center(context.Context, int64) ([]byte, error) { return m.center, nil }
func (m *memorySource) Pending(context.Context, int64) ([]int64, error) {
	return slices.Clone(m.pending), nil
}

func (m *memorySource) Blocks(_ context.Context, _, after int64, fn func(Block) error) error {
	for _, b := range m.blocks {
		if b.change > after {
			m.reads++
			if err := fn(b.Block); err != nil {
				return err
			}
		}
	}
	return nil
}

func (m *memorySource) Rows(_ context.Context, of Passages, fn func(*passage.Row) error) error {
	for _, r := range m.rows {
		_, listed := slices.BinarySearch(of.Numbers, r.Number)
		if of.Numbers != nil && !listed || of.Parents != nil && !slices.Contains(of.Parents, r.Parent) {
			continue
		}
		if err := fn(&r); err != nil {
			return err
		}
	}
	return nil
}

func (m *memorySource) Vectors(ctx context.Context, _ int64, of Passages, fn func(int64, []byte) error) error {
	return m.Rows(ctx, of, func(r *passage.Row) error {
		if m.vectors[r.Number] != nil {
			return fn(r.Number, m.float(r.Number))
		}
		return nil
	})
}

func (m *memorySource) Closest(ctx context.Context, _ int64, to []float32, of Passages, most int, fn func(*passage.Row, float32) error) error {
	for range of.Pending { // there is one head
		of.Numbers = append(of.Numbers, m.pending...)
	}
	slices.Sort(of.Numbers)
	rows := make(map[int64]passage.Row)
	var all []store.Near
	err := m.Rows(ctx, of, func(r *passage.Row) error {
		if m.vectors[r.Number] != nil {
			rows[r.Number] = *r
			all = append(all, store.Near{Number: r.Number, Similarity: m.cosine(r.Number, to)})
		}
		return nil
	})
	for _, f := range top(all, most) {
		r := rows[f.Number]
		if err := fn(&r, f.Similarity); err != nil {
			return err
		}
	}
	return err
}

// float is a vector as vector.Encode makes it.
func (m *memorySource) float(number int64) []byte {
	v := make([]float32, m.dim)
	for i, x := range m.vectors[number] {
		v[i] = float32(int8(x))
	}
	return vector.Encode(vector.Normalize(v))
}

// cosine measures a vector in eight bits a value.
func (m *memorySource) cosine(number int64, to []float32) float32 {
	var ab, aa, bb float64
	for i, b := range vector.EncodeInt8(to) {
		x, y := float64(int8(m.vectors[number][i])), float64(int8(b))
		ab, aa, bb = ab+x*y, aa+x*x, bb+y*y
	}
	return float32(ab / math.Sqrt(aa*bb))
}

func (m *memorySource) ParentSums(_ context.Context, _, _ int64, kind strata.Kind, fn func(ParentSum) error) error {
	sums, counts := make(map[int64][]float32), make(map[int64]int64)
	for _, r := range m.rows {
		v, err := vector.Decode(m.float(r.Number), m.dim)
		if err != nil || m.vectors[r.Number] == nil || r.Retired != 0 || kind != strata.KindFact {
			continue
		}
		if sums[r.Parent] == nil {
			sums[r.Parent] = make([]float32, m.dim)
			sums[r.Parent][0] = m.sumsAreOff
		}
		for i, x := range v {
			sums[r.Parent][i] += x
		}
		counts[r.Parent]++
	}
	for p, sum := range sums {
		if err := fn(ParentSum{Number: p, Count: counts[p], Sum: vector.Encode(sum)}); err != nil {
			return err
		}
	}
	return nil
}

func (m *memorySource) CountMembers(_ context.Context, parents []int64) (n int64, err error) {
	for _, r := range m.rows {
		if slices.Contains(parents, r.Parent) && r.Retired == 0 {
			n++
		}
	}
	return n, nil
}

func (m *memorySource) SessionNumbers(context.Context, int64, strata.SessionKind) ([]int64, error) {
	return nil, nil
}

// exact are the nearest as measuring everything finds them.
func (m *memorySource) exact(q Query) []store.Near {
	var all []store.Near
	filter := passage.NewFilter(q.Filter, nil)
	for _, r := range m.rows {
		if !filter.Passes(&r) || q.Parents != nil && !slices.Contains(q.Parents, r.Parent) {
			continue
		}
		all = append(all, store.Near{Number: r.Number, Similarity: m.cosine(r.Number, q.Vector)})
	}
	return top(all, q.K)
}

// top are the k most similar of a list, the most similar first, equals by number.
func top(list []store.Near, k int) []store.Near {
	slices.SortFunc(list, func(a, b store.Near) int {
		return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(a.Number, b.Number))
	})
	return list[:min(k, len(list))]
}

// clusters makes vectors that lie around some centers, as those of texts do.
type clusters struct {
	rng     *rand.Rand
	centers [][]float32
	spread  float64 // of a dimension around the center, whose own is 1
}

func newClusters(seed uint64, dim, n int) *clusters {
	c := &clusters{rng: rand.New(rand.NewPCG(seed, 1)), spread: 0.7}
	for range n {
		v := make([]float32, dim)
		for i := range v {
			v[i] = float32(c.rng.NormFloat64())
		}
		c.centers = append(c.centers, v)
	}
	return c
}

// next is another vector and the cluster that it belongs to.
func (c *clusters) next() (v []float32, cluster int) {
	cluster = c.rng.IntN(len(c.centers))
	v = slices.Clone(c.centers[cluster])
	for i := range v {
		v[i] += float32(c.spread * c.rng.NormFloat64())
	}
	return vector.Normalize(v), cluster
}

// parent is the number of the category of a cluster.
func parent(cluster int) int64 { return testScope<<passage.ScopeBits + 1 + int64(cluster) }

// newFilled is a source of n vectors in clusters, one parent each.
func newFilled(tb testing.TB, seed uint64, n, groups int) (*memorySource, *clusters) {
	m, c := newSource(tb, 64), newClusters(seed, 64, groups)
	for range n {
		v, cluster := c.next()
		m.add(parent(cluster), v)
	}
	return m, c
}

func putNumber(b Block, slot int, number int64) {
	binary.LittleEndian.PutUint64(b.Numbers[8*slot:], uint64(number))
}
