package vector

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"
)

// passage is one row of mapSearcher.
type passage struct {
	parent int64
	v      []float32
}

// mapSearcher is a Searcher over maps. It counts flat searches.
type mapSearcher struct {
	parents  map[int64][]float32
	passages map[int64]passage
	flat     int
	fail     string // the tier that fails
}

var errTier = errors.New("disk on fire")

func (m *mapSearcher) Parents(_ context.Context, q []float32, k int) (near []Scored, passages int, err error) {
	if m.fail == "parents" {
		return nil, 0, errTier
	}
	var all []Scored
	for id, v := range m.parents {
		all = append(all, Scored{id, Cosine(q, v)})
	}
	near = Top(all, k)
	for _, p := range m.passages {
		if slices.ContainsFunc(near, func(n Scored) bool { return n.ID == p.parent }) {
			passages++
		}
	}
	return near, passages, nil
}

func (m *mapSearcher) Inside(_ context.Context, q []float32, parents []int64, k int) ([]Scored, error) {
	if m.fail == "inside" {
		return nil, errTier
	}
	var all []Scored
	for id, p := range m.passages {
		for _, parent := range parents {
			if p.parent == parent {
				all = append(all, Scored{id, Cosine(q, p.v)})
			}
		}
	}
	return Top(all, k), nil
}

func (m *mapSearcher) Flat(_ context.Context, q []float32, k int) ([]Scored, error) {
	m.flat++
	if m.fail == "flat" {
		return nil, errTier
	}
	var all []Scored
	for id, p := range m.passages {
		all = append(all, Scored{id, Cosine(q, p.v)})
	}
	return Top(all, k), nil
}

// fourPassages has two parents, of passages 1 and 2, and of 3 and 4.
func fourPassages() *mapSearcher {
	return &mapSearcher{
		parents: map[int64][]float32{10: {1, 0}, 20: {0, 1}},
		passages: map[int64]passage{
			1: {10, []float32{3, 4}}, 2: {10, []float32{4, 3}},
			3: {20, []float32{1, 0}}, 4: {20, []float32{0, 1}},
		},
	}
}

func TestTiers(t *testing.T) {
	east := []float32{1, 0}
	tests := []struct {
		name string
		q    Query
		want []Candidate
		flat int // flat searches
	}{
		{"two tiers suffice", Query{Vector: east, K: 2, Parents: 1, FlatFrom: -1},
			[]Candidate{{2, 0.8, 2}, {1, 0.6, 2}}, 0},
		{"flat in any case", Query{Vector: east, K: 2, Parents: 1},
			[]Candidate{{3, 1, 3}, {2, 0.8, 3}}, 1},
		{"parents as large as said", Query{Vector: east, K: 2, Parents: 1, FlatFrom: 2},
			[]Candidate{{3, 1, 3}, {2, 0.8, 3}}, 1},
		{"parents a passage smaller", Query{Vector: east, K: 2, Parents: 1, FlatFrom: 3},
			[]Candidate{{2, 0.8, 2}, {1, 0.6, 2}}, 0},
		{"underfilled", Query{Vector: east, K: 3, Parents: 1, FlatFrom: -1},
			[]Candidate{{3, 1, 3}, {2, 0.8, 2}, {1, 0.6, 2}}, 1},
		{"weak", Query{Vector: east, K: 2, Parents: 1, FlatFrom: -1, Weak: 0.9},
			[]Candidate{{3, 1, 3}, {2, 0.8, 2}, {1, 0.6, 2}}, 1},
		{"just strong enough", Query{Vector: east, K: 2, Parents: 1, FlatFrom: -1, Weak: 0.79},
			[]Candidate{{2, 0.8, 2}, {1, 0.6, 2}}, 0},
		{"all parents by default", Query{Vector: east, K: 4, FlatFrom: -1},
			[]Candidate{{3, 1, 2}, {2, 0.8, 2}, {1, 0.6, 2}, {4, 0, 2}}, 0},
		{"nothing wanted", Query{Vector: east}, nil, 0},
		{"less than nothing wanted", Query{Vector: east, K: -1}, nil, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := fourPassages()
			got, err := Tiers(context.Background(), s, tt.q)
			if err != nil {
				t.Fatal(err)
			}
			if len(got) != len(tt.want) || s.flat != tt.flat {
				t.Fatalf("Tiers = %v after %d flat searches, want %v after %d", got, s.flat, tt.want, tt.flat)
			}
			for i, c := range got {
				w := tt.want[i]
				if c.ID != w.ID || c.Tier != w.Tier || !near(float64(c.Similarity), float64(w.Similarity), 1e-6) {
					t.Errorf("candidate %d = %v, want %v", i, c, w)
				}
			}
		})
	}
}

func TestEqualCandidatesComeByID(t *testing.T) {
	s := &mapSearcher{passages: map[int64]passage{9: {1, []float32{1}}, 2: {1, []float32{1}}, 5: {1, []float32{2}}}}
	got, err := Tiers(context.Background(), s, Query{Vector: []float32{1}, K: 3})
	if want := []Candidate{{2, 1, 3}, {5, 1, 3}, {9, 1, 3}}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("Tiers = %v, %v, want %v", got, err, want)
	}
}

func TestErrorOfATierIsReturned(t *testing.T) {
	for _, tier := range []string{"parents", "inside", "flat"} {
		s := fourPassages()
		s.fail = tier
		got, err := Tiers(context.Background(), s, Query{Vector: []float32{1, 0}, K: 3, Parents: 1, FlatFrom: -1})
		if !errors.Is(err, errTier) || got != nil {
			t.Errorf("%s failed: %v, %v", tier, got, err)
		}
	}
}

func TestNothingStored(t *testing.T) {
	got, err := Tiers(context.Background(), new(mapSearcher), Query{Vector: []float32{1, 0}, K: 5})
	if err != nil || len(got) != 0 {
		t.Errorf("Tiers = %v, %v", got, err)
	}
}

// A category with one fact, and sixty others elsewhere that are nearer to the
// query: the scoped tier still finds the one.
func TestScopedTierIsNotStarvedByNearerPassagesElsewhere(t *testing.T) {
	s := &mapSearcher{
		parents:  map[int64][]float32{1: {1, 0, 0}, 2: {0, 0, 1}},
		passages: map[int64]passage{1000: {1, []float32{1, 1, 0}}},
	}
	for id := range int64(60) {
		s.passages[id] = passage{2, []float32{1, 0, 0.1}}
	}
	got, err := Tiers(context.Background(), s, Query{Vector: []float32{1, 0, 0}, K: 10, Parents: 1, FlatFrom: -1})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range got {
		if c.ID == 1000 && c.Tier == 2 {
			return
		}
	}
	t.Errorf("the only fact of the nearest category is missing from %v", got)
}
