package nearest

import (
	"context"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/index/passage"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/vector"
)

// memorySource is a store in memory: one scope, one model and one head of facts.
type memorySource struct {
	testing.TB
	dim     int
	rows    []passage.Row // by number
	vectors map[int64][]byte
	head    Head
	center  []byte
	coder   *vector.Coder
	blocks  []changedBlock
	fine    map[int64]FineBlock
	pending []int64
	reads   int // blocks of codes that were read
}

type changedBlock struct {
	Block
	change int64
}

const testScope = 3

func newSource(tb testing.TB, dim int) *memorySource {
	return &memorySource{TB: tb, dim: dim, vectors: make(map[int64][]byte), fine: make(map[int64]FineBlock), head: Head{ID: 1}}
}

func (m *memorySource) ok(err error) {
	m.Helper()
	if err != nil {
		m.Fatal(err)
	}
}

// add stores a passage of a parent and its vector.
func (m *memorySource) add(parent int64, v []float32) int64 {
	number := int64(testScope<<passage.ScopeBits + 1000 + len(m.rows))
	m.rows = append(m.rows, passage.Row{Meta: store.Meta{Number: number, Parent: parent, Kind: strata.KindFact}, Type: 3, Recorded: 1})
	m.vectors[number] = vector.EncodeScaled(vector.Normalize(slices.Clone(v)))
	m.pending = append(m.pending, number)
	m.head.Pending++
	for m.head.Coded+m.head.Pending >= CodeFrom && m.head.Pending >= BlockCodes {
		m.pack()
	}
	return number
}

// pack makes a block of what has been pending for longest.
func (m *memorySource) pack() {
	decoded := func(numbers []int64) (out [][]float32) {
		for _, n := range numbers {
			v, err := vector.DecodeScaled(m.vectors[n], m.dim)
			m.ok(err)
			out = append(out, v)
		}
		return out
	}
	var err error
	if m.coder == nil {
		m.center = NewCenter(m.dim, decoded(m.pending))
		m.coder, err = NewCoder(m.center, m.dim)
		m.ok(err)
	}
	part := m.pending[:BlockCodes]
	b, f, err := NewBlock(m.coder, part, decoded(part))
	m.ok(err)
	m.head.Change++
	b.ID = m.head.Change
	f.Block = b.ID
	m.blocks, m.fine[b.ID] = append(m.blocks, changedBlock{b, m.head.Change}), f
	m.pending = slices.Clone(m.pending[BlockCodes:])
	m.head.Coded, m.head.Pending = m.head.Coded+BlockCodes, m.head.Pending-BlockCodes
}

// remove removes a passage.
func (m *memorySource) remove(number int64) {
	m.rows = slices.DeleteFunc(m.rows, func(r passage.Row) bool { return r.Number == number })
	delete(m.vectors, number)
	if i := slices.Index(m.pending, number); i >= 0 {
		m.pending = slices.Delete(m.pending, i, i+1)
		m.head.Pending--
		return
	}
	i := slices.IndexFunc(m.blocks, func(b changedBlock) bool { return b.Find(number) >= 0 })
	b := m.blocks[i]
	b.Numbers, b.Codes = slices.Clone(b.Numbers), slices.Clone(b.Codes)
	slot := b.Find(number)
	m.ok(b.Blank(slot, m.dim))
	m.head.Coded--
	m.head.Change++
	b.change = m.head.Change
	m.blocks = slices.Delete(m.blocks, i, i+1)
	if len(b.Live()) == 0 {
		m.head.Removed = m.head.Change
		return
	}
	m.blocks = append(m.blocks, b)
	if f, ok := m.fine[b.ID]; ok {
		f.Codes = slices.Clone(f.Codes)
		if f.Blank(slot, m.dim) {
			m.fine[b.ID] = f
		} else {
			delete(m.fine, b.ID)
		}
	}
}

func (m *memorySource) Heads(context.Context, int64, int64, int64) ([]Head, error) {
	return []Head{m.head}, nil
}
func (m *memorySource) Center(context.Context, int64) ([]byte, error)   { return m.center, nil }
func (m *memorySource) Pending(context.Context, int64) ([]int64, error) { return m.pending, nil }

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

func (m *memorySource) FineBlocks(_ context.Context, blocks []int64, fn func(FineBlock) error) error {
	for _, id := range blocks {
		if f, ok := m.fine[id]; ok {
			if err := fn(f); err != nil {
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
		if v := m.vectors[r.Number]; v != nil {
			return fn(r.Number, v)
		}
		return nil
	})
}

func (m *memorySource) ParentSums(context.Context, int64, int64, strata.Kind, func(ParentSum) error) error {
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

func (m *memorySource) Sessions(context.Context, int64, strata.SessionKind) ([]int64, error) {
	return nil, nil
}

// exact are the nearest as measuring everything finds them.
func (m *memorySource) exact(q Query) []store.Near {
	top := vector.NewTopK(q.K)
	filter := passage.NewFilter(q.Filter, nil)
	for _, r := range m.rows {
		if !filter.Passes(&r) || q.Parents != nil && !slices.Contains(q.Parents, r.Parent) {
			continue
		}
		v, err := vector.DecodeScaled(m.vectors[r.Number], m.dim)
		m.ok(err)
		top.Offer(r.Number, vector.CosineAt(vector.Distance(v, q.Vector)))
	}
	return near(top)
}

// clusters makes vectors that lie around some centers, as those of texts do.
type clusters struct {
	rng     *rand.Rand
	centers [][]float32
}

func newClusters(seed uint64, dim, n int) *clusters {
	c := &clusters{rng: rand.New(rand.NewPCG(seed, 1))}
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
		v[i] += float32(0.7 * c.rng.NormFloat64())
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
