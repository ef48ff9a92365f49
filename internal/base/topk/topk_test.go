package topk

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestSelect_IsTheHeadOfTheSortedList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.SampledFrom([]int{0, 3, 50, 1 << 30}).Draw(t, "most") // few values, so that many are equal, or many
		list := rapid.SliceOfN(rapid.IntRange(-most, most), 0, 400).Draw(t, "list")
		switch rapid.SampledFrom([]string{"as drawn", "rising", "falling"}).Draw(t, "order") {
		case "rising":
			slices.Sort(list)
		case "falling":
			slices.SortFunc(list, func(a, b int) int { return cmp.Compare(b, a) })
		}
		n := rapid.IntRange(0, 450).Draw(t, "n")
		sorted := slices.Sorted(slices.Values(list))
		got := slices.Sorted(slices.Values(Select(list, n, cmp.Compare[int])))
		if want := sorted[:min(n, len(sorted))]; !slices.Equal(got, want) {
			t.Fatalf("the best %d: %v, not %v", n, got, want)
		}
		slices.Sort(list)
		if !slices.Equal(list, sorted) {
			t.Fatalf("elements were lost: %v, not %v", list, sorted)
		}
	})
}

// Elements that are all equal are divided once.
func TestSelect_OfEquals(t *testing.T) {
	list := make([]int, 100_000)
	compared := 0
	got := Select(list, 600, func(a, b int) int { compared++; return cmp.Compare(a, b) })
	if len(got) != 600 || compared > 3*len(list) {
		t.Fatalf("%d elements by %d comparisons", len(got), compared)
	}
}

// Pivots that split nothing off must not make it quadratic. The values are decided while
// they are compared, so that every pivot is bad (McIlroy, A Killer Adversary for
// Quicksort, 1999).
func TestSelect_OfBadPivots(t *testing.T) {
	const n = 20_000
	list, value := make([]int, n), make([]int, n)
	for i := range list {
		list[i], value[i] = i, n // n: not decided, more than all that are
	}
	compared, decided, candidate := 0, 0, 0
	Select(list, n/2, func(a, b int) int {
		compared++
		if value[a] == n && value[b] == n {
			settled := b
			if a == candidate {
				settled = a
			}
			value[settled] = decided
			decided++
		}
		if value[a] == n {
			candidate = a
		} else if value[b] == n {
			candidate = b
		}
		return cmp.Compare(value[a], value[b])
	})
	if compared > 100*n {
		t.Errorf("%d comparisons of %d elements", compared, n)
	}
	t.Logf("%.1f comparisons an element", float64(compared)/n)
}
