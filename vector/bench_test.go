package vector_test

import (
	"bytes"
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

func BenchmarkCode384(b *testing.B) {
	vs := benchVectors(b)
	coder, _ := coded(b, vs[:1000])
	var code []byte
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		var err error
		if code, err = coder.AppendCode(code[:0], vs[i%len(vs)]); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkProbe384(b *testing.B) {
	vs := benchVectors(b)
	coder, _ := coded(b, vs[:1000])
	for b.Loop() {
		if _, err := coder.Probe(vs[0]); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkScan100k scores the codes of the corpus ten times over, with and
// without finding the best.
func BenchmarkScan100k(b *testing.B) {
	coder, block := coded(b, benchVectors(b))
	block.groups = bytes.Repeat(block.groups, 10)
	probe, err := coder.Probe(embed(b, []string{"Who is allergic to bees?"})[0])
	if err != nil {
		b.Fatal(err)
	}
	scores := make([]uint16, 10*block.n)
	b.Run("score", func(b *testing.B) {
		b.SetBytes(int64(len(block.groups)))
		for b.Loop() {
			if err := probe.Scan(scores, block.groups); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("score-and-best-512", func(b *testing.B) {
		slots := make([]int32, 4096)
		for b.Loop() {
			if err := probe.Scan(scores, block.groups); err != nil {
				b.Fatal(err)
			}
			var histogram vector.Histogram
			histogram.Add(scores)
			vector.Above(slots, scores, histogram.Least(512))
		}
	})
}

// BenchmarkCategorize is what one save costs: Assign and Add among the categories
// of 10,000 passages.
func BenchmarkCategorize(b *testing.B) {
	vs := benchVectors(b)
	cats := make([]vector.Category, 50)
	for i, v := range vs {
		if err := cats[i%len(cats)].Centroid.Add(v); err != nil {
			b.Fatal(err)
		}
	}
	for i := 0; b.Loop(); i++ {
		v := vs[i%len(vs)]
		at, _, ok := vector.Assign(v, cats, vector.JoinFrom)
		if !ok {
			at = 0
		}
		if err := cats[at].Centroid.Add(v); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSplit10k divides as many passages as a large scope holds.
func BenchmarkSplit10k(b *testing.B) {
	vs := benchVectors(b)
	for b.Loop() {
		vector.Split(vs, len(vs)/5)
	}
}
