package vector

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestSplit(t *testing.T) {
	for name, tt := range map[string]struct {
		vs   [][]float32
		most int
		want []int
	}{
		"nothing":            {nil, 5, []int{}},
		"small enough":       {[][]float32{{1, 0}, {0, 1}}, 3, []int{0, 0}},
		"two subjects":       {[][]float32{{1, 0}, {0, 1}, {0.9, 0.1}, {0.1, 0.9}, {1, 0}}, 3, []int{0, 1, 0, 1, 0}},
		"all equal":          {[][]float32{{1, 0}, {1, 0}, {1, 0}, {1, 0}}, 3, []int{1, 0, 0, 0}},
		"one without vector": {[][]float32{{1, 0}, nil, {0, 1}, {0, 1}}, 3, []int{1, 0, 0, 0}},
	} {
		got := Split(tt.vs, tt.most)
		if name == "all equal" || name == "one without vector" { // in some way, none too large
			if n := largestGroup(got); len(got) != 4 || n > 3 {
				t.Errorf("%s: %v", name, got)
			}
			continue
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}

func largestGroup(groups []int) int {
	size := make(map[int]int)
	most := 0
	for _, g := range groups {
		size[g]++
		most = max(most, size[g])
	}
	return most
}

func TestSplitProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		vs := rapid.SliceOfN(vectors(4), 0, 60).Draw(t, "vectors")
		most := rapid.IntRange(-1, 30).Draw(t, "most")
		got := Split(vs, most)
		if len(got) != len(vs) || largestGroup(got) > max(most, 3) {
			t.Fatalf("groups %v of at most %d", got, most)
		}
		if !slices.Equal(got, Split(vs, most)) {
			t.Fatal("the same vectors are divided differently")
		}
		groups := 0
		for _, g := range got {
			groups = max(groups, g+1)
		}
		for g := range groups {
			if !slices.Contains(got, g) {
				t.Fatalf("group %d of %d is empty", g, groups)
			}
		}
	})
}
