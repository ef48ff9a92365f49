package vector_test

import (
	"testing"

	"github.com/strata-memory/strata/vector"
)

// coded returns a coder centered on vs, and their block.
func coded(t testing.TB, vs [][]float32) (*vector.Coder, []byte) {
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
	var block []byte
	for _, v := range vs {
		if block, err = coder.AppendCode(block, v); err != nil {
			t.Fatal(err)
		}
	}
	return coder, block
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
	var byTable, byHamming, all float64
	for _, q := range embed(t, sentences(40, 2)) {
		exact := vector.NewTopK(k)
		for i, v := range vs {
			exact.Offer(int64(i), vector.Dot(q, v))
		}
		worst := exact.Sorted()[k-1].Similarity

		table, err := coder.Table(q)
		if err != nil {
			t.Fatal(err)
		}
		tableTop := vector.NewTopK(200)
		scores := make([]float32, len(vs))
		if err := table.ScoreAll(scores, block); err != nil {
			t.Fatal(err)
		}
		for i, s := range scores {
			tableTop.Offer(int64(i), s)
		}
		code := make([]uint64, coder.Words())
		if err := coder.Code(code, q); err != nil {
			t.Fatal(err)
		}
		hammingTop := vector.NewTopK(200)
		if err := vector.Scan(block, code, func(i, d int) { hammingTop.Offer(int64(i), float32(-d)) }); err != nil {
			t.Fatal(err)
		}
		count := func(top *vector.TopK) (n float64) {
			for _, s := range rescored(q, vs, top.Sorted(), k) {
				if s.Similarity >= worst {
					n++
				}
			}
			return n
		}
		byTable += count(tableTop)
		byHamming += count(hammingTop)
		all += k
	}
	t.Logf("recall@10: table, best 200: %.4f; hamming, best 200: %.4f", byTable/all, byHamming/all)
	if byTable/all < 0.99 {
		t.Errorf("the best 200 by table hold %.4f of the ten nearest, want 0.99", byTable/all)
	}
	if byHamming/all < 0.9 {
		t.Errorf("the best 200 by hamming distance hold %.4f of the ten nearest, want 0.9", byHamming/all)
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
