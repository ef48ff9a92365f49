package recall

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestTopKIsTheHeadOfTheSortedList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.IntRange(-50, 50), 0, 400).Draw(t, "list")
		switch rapid.SampledFrom([]string{"as drawn", "rising", "falling"}).Draw(t, "order") {
		case "rising":
			slices.Sort(list)
		case "falling":
			slices.SortFunc(list, func(a, b int) int { return cmp.Compare(b, a) })
		}
		n := rapid.IntRange(0, 450).Draw(t, "n")
		sorted := slices.Sorted(slices.Values(list))
		got := slices.Sorted(slices.Values(topK(list, n, cmp.Compare[int])))
		if want := sorted[:min(n, len(sorted))]; !slices.Equal(got, want) {
			t.Fatalf("the best %d: %v, not %v", n, got, want)
		}
		slices.Sort(list)
		if !slices.Equal(list, sorted) {
			t.Fatalf("elements were lost: %v, not %v", list, sorted)
		}
	})
}

// A pivot that splits nothing off must not make it slow, or never end.
func TestTopKOfEquals(t *testing.T) {
	list := make([]int, 100_000)
	compared := 0
	got := topK(list, 600, func(a, b int) int { compared++; return cmp.Compare(a, b) })
	if len(got) != 600 || compared > 40*len(list)*17 {
		t.Fatalf("%d elements by %d comparisons", len(got), compared)
	}
}
