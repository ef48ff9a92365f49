package vector

import (
	"cmp"
	"slices"
)

// Scored is something found and how similar it is, a cosine unless said
// otherwise.
type Scored struct {
	ID         int64
	Similarity float32
}

// compareScored orders the most similar first, and equals by id.
func compareScored(a, b Scored) int {
	if c := cmp.Compare(b.Similarity, a.Similarity); c != 0 {
		return c
	}
	return cmp.Compare(a.ID, b.ID)
}

// TopK keeps the k most similar of any number of offers in a heap of k: n offers
// cost little more than n comparisons. Of equals the lower ids stay, whatever
// the order of the offers. The zero value keeps nothing.
type TopK struct {
	k    int
	heap []Scored // the worst on top
}

// NewTopK returns a selection of at most k; below 0 counts as 0.
func NewTopK(k int) *TopK {
	return &TopK{k: max(k, 0)}
}

// Offer considers one candidate. A similarity that is NaN is refused.
func (t *TopK) Offer(id int64, similarity float32) {
	if len(t.heap) == t.k {
		// The common case first: not better than the worst kept.
		if t.k == 0 || !(similarity >= t.heap[0].Similarity) {
			return
		}
	} else if similarity != similarity {
		return
	}
	t.insert(Scored{id, similarity})
}

func (t *TopK) insert(s Scored) {
	if len(t.heap) < t.k {
		t.heap = append(t.heap, s)
		for i := len(t.heap) - 1; i > 0; {
			parent := (i - 1) / 2
			if compareScored(t.heap[i], t.heap[parent]) <= 0 {
				return
			}
			t.heap[i], t.heap[parent] = t.heap[parent], t.heap[i]
			i = parent
		}
		return
	}
	if compareScored(s, t.heap[0]) >= 0 {
		return
	}
	t.heap[0] = s
	for i := 0; ; {
		worst := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(t.heap); child++ {
			if compareScored(t.heap[child], t.heap[worst]) > 0 {
				worst = child
			}
		}
		if worst == i {
			return
		}
		t.heap[i], t.heap[worst] = t.heap[worst], t.heap[i]
		i = worst
	}
}

// Sorted returns what was kept, the most similar first, equals by id. The
// selection can go on afterwards.
func (t *TopK) Sorted() []Scored {
	out := slices.Clone(t.heap)
	slices.SortFunc(out, compareScored)
	return out
}
