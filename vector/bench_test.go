package vector_test

import (
	"testing"

	"github.com/strata-memory/strata/vector"
)

var sink float32

func benchVectors(b *testing.B) [][]float32 {
	vs, err := corpus()
	if err != nil {
		b.Fatal(err)
	}
	return vs
}

func BenchmarkDot384(b *testing.B) {
	vs := benchVectors(b)
	for b.Loop() {
		sink += vector.Dot(vs[0], vs[1])
	}
}

func BenchmarkL2Squared384(b *testing.B) {
	vs := benchVectors(b)
	for b.Loop() {
		sink += vector.L2Squared(vs[0], vs[1])
	}
}

func BenchmarkCode384(b *testing.B) {
	vs := benchVectors(b)
	coder, _ := coded(b, vs[:1000])
	code := make([]uint64, coder.Words())
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if err := coder.Code(code, vs[i%len(vs)]); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkTable384(b *testing.B) {
	vs := benchVectors(b)
	coder, _ := coded(b, vs[:1000])
	for b.Loop() {
		if _, err := coder.Table(vs[0]); err != nil {
			b.Fatal(err)
		}
	}
}

// block100k returns 100,000 codes: those of the corpus ten times.
func block100k(b *testing.B) (*vector.Coder, []byte) {
	coder, block := coded(b, benchVectors(b))
	for range 9 {
		block = append(block, block[:48*10_000]...)
	}
	return coder, block
}

func BenchmarkScan100kHamming(b *testing.B) {
	coder, block := block100k(b)
	code := make([]uint64, coder.Words())
	if err := coder.Code(code, embed(b, []string{"Who is allergic to bees?"})[0]); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		top := vector.NewTopK(1000)
		if err := vector.Scan(block, code, func(i, d int) { top.Offer(int64(i), float32(-d)) }); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkScan100kTable(b *testing.B) {
	coder, block := block100k(b)
	q := embed(b, []string{"Who is allergic to bees?"})[0]
	for b.Loop() {
		table, err := coder.Table(q)
		if err != nil {
			b.Fatal(err)
		}
		scores := make([]float32, len(block)/vector.CodeBytes(coder.Dimensions()))
		if err := table.ScoreAll(scores, block); err != nil {
			b.Fatal(err)
		}
		top := vector.NewTopK(200)
		for i, s := range scores {
			if s >= top.Worst() {
				top.Offer(int64(i), s)
			}
		}
	}
}

// BenchmarkCategorize is what one save costs: Assign, Add and Merge among the
// categories of 10,000 passages.
func BenchmarkCategorize(b *testing.B) {
	vs := benchVectors(b)
	cats := make([]vector.Category, vector.CategoryLimit(len(vs)))
	for i, v := range vs {
		if err := cats[i%len(cats)].Centroid.Add(v); err != nil {
			b.Fatal(err)
		}
	}
	for i := 0; b.Loop(); i++ {
		v := vs[i%len(vs)]
		at, _, ok := vector.Assign(v, cats, vector.CategoryOptions{})
		if !ok {
			at = 0
		}
		if err := cats[at].Centroid.Add(v); err != nil {
			b.Fatal(err)
		}
		vector.Merge(cats, vector.CategoryOptions{})
	}
}

// BenchmarkMerge150 merges the most categories there may be.
func BenchmarkMerge150(b *testing.B) {
	vs := benchVectors(b)
	cats := make([]vector.Category, vector.MaxCategories)
	for i, v := range vs[:3000] {
		if err := cats[i%len(cats)].Centroid.Add(v); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		vector.Merge(cats, vector.CategoryOptions{})
	}
}
