package vector_test

import (
	"math"
	"testing"

	"github.com/strata-memory/strata/vector"
)

// blocks are codes in groups, and fine codes.
type blocks struct {
	groups, fine []byte
	n            int // codes in groups
}

// coded returns a coder centered on vs, and their codes.
func coded(t testing.TB, vs [][]float32) (*vector.Coder, blocks) {
	t.Helper()
	var middle vector.Centroid
	for _, v := range vs {
		if err := middle.Add(v); err != nil {
			t.Fatal(err)
		}
	}
	coder, err := vector.NewCoder(len(vs[0]), middle.Mean())
	if err != nil {
		t.Fatal(err)
	}
	var b blocks
	var codes []byte
	for _, v := range vs {
		if codes, b.fine, err = coder.AppendCodes(codes, b.fine, v); err != nil {
			t.Fatal(err)
		}
	}
	b.n = (len(vs) + vector.GroupCodes - 1) / vector.GroupCodes * vector.GroupCodes
	codes = append(codes, make([]byte, (b.n-len(vs))*vector.CodeBytes(len(vs[0])))...)
	b.groups = make([]byte, len(codes))
	if err := vector.Interleave(b.groups, codes, len(vs[0])); err != nil {
		t.Fatal(err)
	}
	return coder, b
}

func rescored(query []float32, vs [][]float32, candidates []vector.Scored, k int) []vector.Scored {
	top := vector.NewTopK(k)
	for _, c := range candidates {
		top.Offer(c.ID, vector.Dot(query, vs[c.ID]))
	}
	return top.Sorted()
}

// TestCodesFindTheNearest measures how many of the ten nearest of 10,000
// sentences are among the best candidates by code, ties at the tenth place
// counted as found.
func TestCodesFindTheNearest(t *testing.T) {
	vs, err := corpus()
	if err != nil {
		t.Fatal(err)
	}
	coder, block := coded(t, vs)
	const k = 10
	var scored, refined, all, squares float64
	for _, q := range embed(t, sentences(40, 2)) {
		exact := vector.NewTopK(k)
		for i, v := range vs {
			exact.Offer(int64(i), vector.Dot(q, v))
		}
		worst := exact.Sorted()[k-1].Similarity

		probe, err := coder.Probe(q)
		if err != nil {
			t.Fatal(err)
		}
		scores := make([]uint16, block.n)
		if err := probe.Scan(scores, block.groups); err != nil {
			t.Fatal(err)
		}
		similarities, slots := make([]float32, len(vs)), make([]int32, len(vs))
		for i := range slots {
			slots[i] = int32(i)
		}
		if err := probe.Refine(similarities, block.fine, slots); err != nil {
			t.Fatal(err)
		}
		byScore, fine := vector.NewTopK(200), vector.NewTopK(20)
		for i := range vs {
			byScore.Offer(int64(i), float32(scores[i]))
			fine.Offer(int64(i), similarities[i])
			d := float64(similarities[i] - vector.Dot(q, vs[i]))
			squares += d * d
		}
		count := func(top *vector.TopK) (n float64) {
			for _, s := range rescored(q, vs, top.Sorted(), k) {
				if s.Similarity >= worst {
					n++
				}
			}
			return n
		}
		scored += count(byScore)
		refined += count(fine)
		all += k
	}
	spread := math.Sqrt(squares / (all / k * float64(len(vs))))
	t.Logf("recall@10: scores, best 200: %.4f; fine codes, best 20: %.4f; error of fine codes %.4f", scored/all, refined/all, spread)
	if scored/all < 0.99 {
		t.Errorf("the best 200 by score hold %.4f of the ten nearest, want 0.99", scored/all)
	}
	if refined/all < 0.99 {
		t.Errorf("the best 20 by fine codes hold %.4f of the ten nearest, want 0.99", refined/all)
	}
	if spread > 0.006 {
		t.Errorf("fine codes are off by %.4f, want 0.006 at most", spread)
	}
}

// TestCategoriesStayUseful lets 3,000 sentences find their categories.
func TestCategoriesStayUseful(t *testing.T) {
	vs, err := corpus()
	if err != nil {
		t.Fatal(err)
	}
	vs = vs[:3000]
	var cats []vector.Category
	for _, v := range vs {
		i, _, ok := vector.Assign(v, cats, vector.CategoryOptions{})
		if !ok {
			i = len(cats)
			cats = append(cats, vector.Category{})
		}
		if err := cats[i].Centroid.Add(v); err != nil {
			t.Fatal(err)
		}
		gone := make(map[int]bool)
		for _, p := range vector.Merge(cats, vector.CategoryOptions{}) {
			if err := cats[p.Into].Centroid.Join(cats[p.From].Centroid); err != nil {
				t.Fatal(err)
			}
			gone[p.From] = true
		}
		var left []vector.Category
		for i, c := range cats {
			if !gone[i] {
				left = append(left, c)
			}
		}
		cats = left
	}
	largest := 0
	for _, c := range cats {
		largest = max(largest, c.Centroid.Count)
	}
	t.Logf("%d categories, the largest of %d", len(cats), largest)
	if len(cats) < 10 || len(cats) > 150 || largest > len(vs)/4 {
		t.Errorf("%d categories, the largest of %d of %d", len(cats), largest, len(vs))
	}
}
