package vector

import (
	"cmp"
	"math"
	"slices"
)

const (
	// JoinFrom is the least similarity at which a passage joins a category when nothing
	// else is known about the passage.
	JoinFrom = 0.45
	// MaxCategories is the highest number of categories. Once it is reached, a passage
	// joins the nearest category, however far away.
	MaxCategories = 150

	// sizePrior is the weight of the logarithm of a category's share against a cosine in
	// Nearest.
	sizePrior = 0.03
)

// Category is a set of passages about one subject.
type Category struct {
	Name     string
	Centroid Centroid
}

// Assign returns the category that a passage with vector v joins: the most similar one,
// if its similarity is at least from or if there are [MaxCategories] categories.
// Otherwise ok is false and index is -1: the caller starts and names a new category.
//
// Categories of another dimension are ignored. A v that is not finite has similarity 0 to
// all.
func Assign(v []float32, cats []Category, from float32) (index int, similarity float32, ok bool) {
	at, similar := similarTo(v, cats)
	index = -1
	for j, i := range at {
		if index < 0 || similar[j] > similarity {
			index, similarity = i, similar[j]
		}
	}
	if index >= 0 && (similarity >= from || len(cats) >= MaxCategories) {
		return index, similarity, true
	}
	return -1, 0, false
}

// similarTo returns the indexes of the categories that can be compared with v, and
// their similarities to it.
func similarTo(v []float32, cats []Category) (at []int, similar []float32) {
	at = make([]int, 0, len(cats))
	for i := range cats {
		if c := &cats[i].Centroid; c.Count >= 1 && len(c.Sum) == len(v) {
			at = append(at, i)
		}
	}
	similar = make([]float32, len(at))
	similarities(similar, v, Dot(v, v), cats, at)
	return at, similar
}

// Match is a category with its similarity to a vector.
type Match struct {
	Index      int // index into the given categories
	Similarity float32
}

// Nearest returns the k categories most likely to hold passages like v, most likely
// first; ties go to the lower index. It ranks by cosine to the centroid plus a small
// bonus for size, because of two equally similar categories the larger holds more of the
// wanted passages. Empty categories are left out.
func Nearest(v []float32, cats []Category, k int) []Match {
	type ranked struct {
		Match
		rank float64
	}
	total := total(cats)
	at, similar := similarTo(v, cats)
	all := make([]ranked, len(at))
	for j, i := range at {
		all[j] = ranked{Match{i, similar[j]}, SizedSimilarity(similar[j], cats[i].Centroid.Count, total)}
	}
	slices.SortStableFunc(all, func(a, b ranked) int { return cmp.Compare(b.rank, a.rank) })
	out := make([]Match, min(max(k, 0), len(all)))
	for i := range out {
		out[i] = all[i].Match
	}
	return out
}

// NearestFew returns the longest prefix of what [Nearest] returns whose categories
// together hold at most most passages.
func NearestFew(v []float32, cats []Category, k, most int) []Match {
	near := Nearest(v, cats, k)
	for i, m := range near {
		if most -= cats[m.Index].Centroid.Count; most < 0 {
			return near[:i]
		}
	}
	return near
}

// SizedSimilarity returns the rank by which [Nearest] orders categories: the cosine, plus
// a small weight for the category's share of all passages.
func SizedSimilarity(similarity float32, count, all int) float64 {
	share := float64(max(count, 1)) / float64(max(all, 1))
	return float64(similarity) + float64(sizePrior*math.Log(share))
}

// total returns the number of passages in the categories.
func total(cats []Category) int {
	n := 0
	for _, c := range cats {
		n += max(c.Centroid.Count, 0)
	}
	return n
}
