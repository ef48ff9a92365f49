package wordvec

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

const (
	// smoothing is the frequency, as a part of all words, at which a word weighs a
	// half. Between a third and ten times of it recall is the same.
	smoothing = 1e-3
	// zipf makes a frequency of a rank: the word of rank r is one of zipf*r words.
	// It is the sum of 1/r over some 300,000 ranks.
	zipf = 13
	// commonDirections is how many of the directions in which words differ the
	// most are removed. Few leave the vectors of long texts alike, many take
	// meaning away: 5 to 10 are within half a point of recall.
	commonDirections = 7
)

// Word is a word with its vector, and its rank by frequency from 1.
type Word struct {
	Text   string
	Rank   int
	Values []float64
}

// Build makes trained vectors ready to be added up: without their common part,
// longer the more a word says, and with values in [-1,1]. The values change in
// place, and the words are sorted.
func Build(words []Word) error {
	if err := check(words); err != nil {
		return err
	}
	slices.SortFunc(words, func(a, b Word) int { return cmp.Compare(a.Text, b.Text) })
	counts := make([]float64, len(words)) // by which a word takes part in a mean
	total := 0.0
	for i, w := range words {
		p := 1 / (zipf * float64(w.Rank))
		counts[i] = p * weight(p)
		total += counts[i]
	}
	removeMean(words, counts, total)
	products := secondMoments(words, counts)
	for range commonDirections {
		direction := products.strongest()
		for _, w := range words {
			along := dot(direction, w.Values)
			for i := range w.Values {
				w.Values[i] -= along * direction[i]
			}
		}
	}
	largest := 0.0
	for _, w := range words {
		for i := range w.Values {
			w.Values[i] *= weight(1 / (zipf * float64(w.Rank)))
			largest = max(largest, math.Abs(w.Values[i]))
		}
	}
	for _, w := range words {
		for i := range w.Values {
			w.Values[i] /= max(largest, math.SmallestNonzeroFloat64)
		}
	}
	return nil
}

// weight is the smooth inverse frequency, in (0,1].
func weight(p float64) float64 { return smoothing / (smoothing + p) }

// check reports words that no table can be made of.
func check(words []Word) error {
	if len(words) == 0 {
		return fmt.Errorf("no words")
	}
	dims := len(words[0].Values)
	seen := make(map[string]bool, len(words))
	for _, w := range words {
		switch {
		case len(w.Values) != dims || dims == 0 || dims > maxDims:
			return fmt.Errorf("%q has %d values and the first word %d (at most %d)", w.Text, len(w.Values), dims, maxDims)
		case seen[w.Text]:
			return fmt.Errorf("%q comes twice", w.Text)
		case w.Text == "" || len(w.Text) > maxWordBytes || w.Rank < 1:
			return fmt.Errorf("%.80q is no word, or has no rank", w.Text)
		}
		seen[w.Text] = true
		for _, x := range w.Values {
			if !(math.Abs(x) <= maxValue) { // also if it is NaN
				return fmt.Errorf("%q has the value %g", w.Text, x)
			}
		}
	}
	return nil
}

func removeMean(words []Word, counts []float64, total float64) {
	mean := make([]float64, len(words[0].Values))
	for i, w := range words {
		for j, x := range w.Values {
			mean[j] += counts[i] * x
		}
	}
	for _, w := range words {
		for j := range w.Values {
			w.Values[j] -= mean[j] / total
		}
	}
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}

// matrix is a symmetric matrix of second moments.
type matrix [][]float64

func secondMoments(words []Word, counts []float64) matrix {
	m := make(matrix, len(words[0].Values))
	for i := range m {
		m[i] = make([]float64, len(m))
	}
	for n, w := range words {
		for i, x := range w.Values {
			for j, y := range w.Values {
				m[i][j] += counts[n] * x * y
			}
		}
	}
	return m
}

// powerSteps is how often strongest multiplies: directions that are then still
// mixed are about equally strong, and both are removed in turn.
const powerSteps = 200

// strongest returns the direction of the largest eigenvalue, of length 1, and
// takes it out of the matrix.
func (m matrix) strongest() []float64 {
	v := make([]float64, len(m))
	for i := range v {
		v[i] = 1 + float64(i%7) // anything that is not orthogonal to it
	}
	value := 0.0
	for range powerSteps {
		next := make([]float64, len(m))
		for i := range m {
			next[i] = dot(m[i], v)
		}
		value = math.Sqrt(dot(next, next))
		if value == 0 {
			return next // nothing is left
		}
		for i := range next {
			v[i] = next[i] / value
		}
	}
	for i := range m {
		for j := range m {
			m[i][j] -= value * v[i] * v[j]
		}
	}
	return v
}
