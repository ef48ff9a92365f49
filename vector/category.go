package vector

import (
	"cmp"
	"math"
	"slices"
)

// Defaults of [CategoryOptions] and the limits of categories. They were chosen
// on 2,960 turns of conversations, in the order said and shuffled, so that
// the three categories nearest to a question hold all its evidence more
// often than not, though none may hold more than a fifth of everything.
const (
	DefaultJoin     = 0.45
	DefaultSameName = 0.15
	DefaultMaxShare = 0.2

	// MinCategories is how few categories Merge leaves at least.
	MinCategories = 12
	// MaxCategories is how many there are at most: beyond it a passage joins the
	// nearest that has room, however far.
	MaxCategories = 150

	// mergeFactor is how far categories may outgrow their number before they are
	// merged. Merging many at once makes better categories than merging one for
	// each that comes (57 questions of 100 instead of 50), and it is rare.
	mergeFactor = 3

	// shareFrom is the number of passages from which shares mean anything: of ten
	// facts, five about one subject are not too many.
	shareFrom = 50

	// sizePrior is how much the logarithm of a category's share counts against a
	// cosine in Nearest.
	sizePrior = 0.03
)

// Category is a set of passages about one subject, as the policy sees it.
type Category struct {
	Name     string
	Centroid Centroid
}

// CategoryOptions tunes [Assign] and [Merge]. The zero value means the
// defaults.
type CategoryOptions struct {
	// Name is what a new category would be called, the topic of the passage; ""
	// if none is known. Only Assign uses it.
	Name string
	// Join is the similarity from which a passage joins a category. 0 is
	// DefaultJoin, -1 makes it join the nearest that has room.
	Join float32
	// All is how many passages there are, where the categories given are only a
	// part; 0 is the sum of theirs. Only Assign uses it.
	All int
	// SameName is what an equal name is worth: it is added to the similarity
	// of passage and category, and lowers the cost of a merge by that part. 0 is
	// DefaultSameName, below 0 is none.
	SameName float32
	// MaxShare is the part of all passages that a category may hold, above 0 and
	// at most 1. 0 is DefaultMaxShare.
	MaxShare float32
}

func (o CategoryOptions) withDefaults() CategoryOptions {
	if o.Join == 0 {
		o.Join = DefaultJoin
	}
	if o.SameName == 0 {
		o.SameName = DefaultSameName
	}
	o.SameName = max(0, min(1, o.SameName))
	if !(o.MaxShare > 0 && o.MaxShare <= 1) {
		o.MaxShare = DefaultMaxShare
	}
	return o
}

// CategoryLimit returns to how many categories [Merge] reduces those of so many
// passages: twelve, and from some thousand passages on more, by their cube root,
// up to half of MaxCategories.
func CategoryLimit(passages int) int {
	n := int(0.8 * math.Cbrt(float64(max(passages, 0))))
	return max(MinCategories, min(n, MaxCategories/2))
}

// Assign returns the category that a passage with vector v joins: the most
// similar of those that have room, if it is similar enough. If ok is false the
// passage is to start a new category, to be named by the caller, and index is -1.
// The similarity is the cosine to that category's centroid, without what a name
// added.
//
// A category that holds its share of all passages is full and takes none: a
// new one next to it, even of the same name, keeps both useful. Categories of
// another dimension, and a v that is not finite, have no similarity to anything.
func Assign(v []float32, cats []Category, opts CategoryOptions) (index int, similarity float32, ok bool) {
	opts = opts.withDefaults()
	room := roomFor(max(opts.All, total(cats)), opts.MaxShare)
	index = -1
	var bestRank float32
	at := make([]int, 0, len(cats))
	for i := range cats {
		if c := &cats[i].Centroid; c.Count >= 1 && c.Count < room && len(c.Sum) == len(v) {
			at = append(at, i)
		}
	}
	similar := make([]float32, len(at))
	similarities(similar, v, Dot(v, v), cats, at)
	for j, i := range at {
		s := similar[j]
		rank := s
		if opts.Name != "" && cats[i].Name == opts.Name {
			rank += opts.SameName
		}
		if index < 0 || rank > bestRank {
			index, similarity, bestRank = i, s, rank
		}
	}
	if index >= 0 && (bestRank >= opts.Join || len(cats) >= MaxCategories) {
		return index, similarity, true
	}
	return -1, 0, false
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
	at := make([]int, 0, len(cats))
	for i := range cats {
		if c := &cats[i].Centroid; c.Count >= 1 && len(c.Sum) == len(v) {
			at = append(at, i)
		}
	}
	similar := make([]float32, len(at))
	similarities(similar, v, Dot(v, v), cats, at)
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

// roomFor returns how many passages of all a category may hold.
func roomFor(all int, share float32) int {
	if all < shareFrom {
		return math.MaxInt
	}
	return int(float64(share) * float64(all))
}
