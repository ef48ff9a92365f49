package vector_test

import (
	"testing"

	"github.com/strata-memory/strata/vector"
)

// blocks are codes in groups.
type blocks struct {
	groups []byte
	n      int // codes in groups
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
		if codes, err = coder.AppendCode(codes, v); err != nil {
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
	var all []vector.Scored
	for _, c := range candidates {
		all = append(all, vector.Scored{ID: c.ID, Similarity: vector.Dot(query, vs[c.ID])})
	}
	return vector.Top(all, k)
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
	var scored, all float64
	for _, q := range embed(t, sentences(40, 2)) {
		byScore := make([]vector.Scored, len(vs))
		for i := range vs {
			byScore[i].ID = int64(i)
		}
		worst := rescored(q, vs, byScore, k)[k-1].Similarity

		probe, err := coder.Probe(q)
		if err != nil {
			t.Fatal(err)
		}
		scores := make([]uint16, block.n)
		if err := probe.Scan(scores, block.groups); err != nil {
			t.Fatal(err)
		}
		for i := range vs {
			byScore[i].Similarity = float32(scores[i])
		}
		for _, s := range rescored(q, vs, vector.Top(byScore, 200), k) {
			if s.Similarity >= worst {
				scored++
			}
		}
		all += k
	}
	t.Logf("recall@10: best 200: %.4f", scored/all)
	if scored/all < 0.99 {
		t.Errorf("the best 200 by score hold %.4f of the ten nearest, want 0.99", scored/all)
	}
}

// TestSplitPutsLikeWithLike divides 3,000 sentences: the parts are small enough, and
// two sentences of one part are more alike than two of any.
func TestSplitPutsLikeWithLike(t *testing.T) {
	vs, err := corpus()
	if err != nil {
		t.Fatal(err)
	}
	vs = vs[:3000]
	const most = 200
	groups := vector.Split(vs, most)
	size := make(map[int]int)
	for _, g := range groups {
		size[g]++
	}
	for g, n := range size {
		if n > most || n < most/4 {
			t.Errorf("part %d holds %d of %d", g, n, len(vs))
		}
	}
	var same, any, pairs float64
	for i := range vs {
		for j := i + 1; j < len(vs); j += 7 {
			s := float64(vector.Dot(vs[i], vs[j]))
			any += s / float64(len(vs))
			if groups[i] == groups[j] {
				same += s
				pairs++
			}
		}
	}
	any *= 7.0 * 2 / float64(len(vs))
	t.Logf("%d parts; similarity %.3f inside of them, %.3f anywhere", len(size), same/pairs, any)
	if same/pairs < any+0.05 {
		t.Errorf("similarity %.3f inside of parts, %.3f anywhere", same/pairs, any)
	}
}
