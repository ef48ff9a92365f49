package vector

import (
	"cmp"
	"math"
	"slices"
)

const (
	// JoinFrom is the similarity from which a passage that nothing else is known of
	// joins a category.
	JoinFrom = 0.45
	// MaxCategories is how many there are at most: beyond it a passage joins the
	// nearest, however far.
	MaxCategories = 150

	// sizePrior is how much the logarithm of a category's share counts against a
	// cosine in Nearest.
	sizePrior = 0.03
)

// Category is a set of passages about one subject.
type Category struct {
	Name     string
	Centroid Centroid
}

// Assign returns the category that a passage with vector v joins: the most similar
// if it is at least as similar as from says. If ok is false the passage is to start
// a new category, to be named by the caller, and index is -1.
//
// Categories of another dimension, and a v that is not finite, have no similarity
// to anything.
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

// Match is a category and how similar something is to it.
type Match struct {
	Index      int // in the categories given
	Similarity float32
}

// Nearest returns the k categories in which passages like v are most likely to
// be, the likeliest first, equals by index: by cosine to the centroid, with a
// little for size, because of two equally similar categories the larger holds
// more of what is looked for. Empty ones are left out.
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

// NearestFew returns those of [Nearest] up to the first with which they would hold
// more than most passages together.
func NearestFew(v []float32, cats []Category, k, most int) []Match {
	near := Nearest(v, cats, k)
	for i, m := range near {
		if most -= cats[m.Index].Centroid.Count; most < 0 {
			return near[:i]
		}
	}
	return near
}

// SizedSimilarity is the rank by which [Nearest] orders categories: the cosine,
// and a little for the share of all passages that the category holds.
func SizedSimilarity(similarity float32, count, all int) float64 {
	share := float64(max(count, 1)) / float64(max(all, 1))
	return float64(similarity) + float64(sizePrior*math.Log(share))
}

// total returns how many passages the categories hold.
func total(cats []Category) int {
	n := 0
	for _, c := range cats {
		n += max(c.Centroid.Count, 0)
	}
	return n
}
