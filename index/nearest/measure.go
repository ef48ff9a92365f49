package nearest

import (
	"context"

	"github.com/strata-memory/strata/index/passage"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/vector"
)

// distances measures how similar vectors are to a query, four at a time.
type distances struct {
	query   []float32
	found   []vector.Scored
	numbers [4]int64
	vectors [4][]byte // those that are not measured yet
	n       int
	buffer  []byte // copies of vectors: what a source gives is valid for a moment only
}

// measure reads and measures the vectors of some passages.
func (s *search) measure(ctx context.Context, of Passages) ([]vector.Scored, error) {
	d := distances{query: s.Vector, buffer: make([]byte, 0, 4*vector.ScaledBytes(len(s.Vector)))}
	if err := s.src.Vectors(ctx, s.Model, of, d.add); err != nil {
		return nil, err
	}
	return d.found, d.flush()
}

// add measures a vector together with the next ones.
func (d *distances) add(number int64, scaled []byte) error {
	at := len(d.buffer)
	d.buffer = append(d.buffer, scaled...)
	d.numbers[d.n], d.vectors[d.n] = number, d.buffer[at:]
	if d.n++; d.n == len(d.vectors) {
		return d.flush()
	}
	return nil
}

// flush measures what was added.
func (d *distances) flush() error {
	if d.n == 0 {
		return nil
	}
	for i := d.n; i < len(d.vectors); i++ {
		d.vectors[i] = d.vectors[0]
	}
	apart, err := vector.ScaledDistances(&d.vectors, d.query)
	if err != nil {
		return passage.Corrupt("read vector", err.Error())
	}
	for i, number := range d.numbers[:d.n] {
		d.found = append(d.found, vector.Scored{ID: number, Similarity: vector.CosineAt(apart[i])})
	}
	d.n, d.buffer = 0, d.buffer[:0]
	return nil
}

// best returns the k closest of those found, closest first.
func best(found []vector.Scored, k int) []store.Near {
	top := vector.NewTopK(min(k, len(found)))
	for _, f := range found {
		top.Offer(f.ID, f.Similarity)
	}
	return near(top)
}

// near is what a selection holds, closest first.
func near(top *vector.TopK) (out []store.Near) {
	for _, s := range top.Sorted() {
		out = append(out, store.Near{Number: s.ID, Similarity: s.Similarity})
	}
	return out
}

// kth is the cosine of the k-th closest; below all cosines if there are fewer.
func kth(found []vector.Scored, k int) float64 {
	closest := best(found, k)
	if len(closest) < k {
		return -2
	}
	return float64(closest[k-1].Similarity)
}
