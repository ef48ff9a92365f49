// Package wordvec prepares word vectors so that they can be added up to the vector of a
// text, and reads and writes the file that holds them.
//
// Trained vectors share directions that reflect how frequent a word is rather than what
// it means, and frequent words say little. A [Builder] removes these directions and
// weights words by smooth inverse frequency (Arora, Liang and Ma, "A simple but
// tough-to-beat baseline for sentence embeddings", 2017; Mu and Viswanath,
// "All-but-the-top", 2018), so that a reader only has to add.
//
// The file is not loaded: [Open] and [OpenFile] read its beginning, and [Table.Find] the
// few places that a binary search needs. A program that embeds it loads nothing and holds
// no map. [Read] imports vectors from files in other formats, of any size.
package wordvec

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
)

const (
	// smoothing is the frequency, as a fraction of all words, at which the weight of a
	// word is one half. Recall is the same between a third and ten times this value.
	smoothing = 1e-3
	// zipf converts a rank into a frequency: one of zipf*r words is the word of rank r.
	// It is the sum of 1/r over some 300,000 ranks.
	zipf = 13
	// commonDirections is how many of the directions in which words differ most are
	// removed, but at most one per dimsPerDirection dimensions. Removing too few leaves
	// the vectors of long texts alike; removing too many takes meaning away. With 100
	// dimensions, 5 to 10 are within half a point of recall.
	commonDirections = 7
	dimsPerDirection = 10
	// minCommon is the fewest words whose mean and directions are those of a language
	// rather than of these particular words.
	minCommon = 100
	// maxSampled is how many of the first words the mean and the directions are computed
	// from. Later words are too rare to change them.
	maxSampled = 1 << 16
	// maxSampleWork bounds the product of maxSampled and the square of the dimensions.
	maxSampleWork = 1 << 35
)

// Word is a word with its vector, and its rank by frequency from 1.
type Word struct {
	Text   string
	Rank   int
	Values []float64
}

// wordError is the message of what is wrong with a word.
type wordError string

// Error returns the message.
func (e wordError) Error() string { return string(e) }

func badWord(format string, args ...any) error { return wordError(fmt.Sprintf(format, args...)) }

// Builder prepares trained vectors to be added up: it removes their common part, makes
// the vectors of more significant words longer, and scales values to [-1,1]. It keeps the
// words in memory and their values in a temporary file.
type Builder struct {
	dims  int
	rows  *rows
	words []listed
	place map[string]int // index of each word in words

	// Sums over the first words, each weighted by its share in the mean.
	total   float64
	sums    []float64
	squares matrix // sums of products, on and above the diagonal
}

// listed is a word whose values are in the temporary file.
type listed struct {
	text string
	rank int
	most float64 // the largest absolute value of its prepared vector
}

// NewBuilder returns a builder of vectors with the given number of dimensions. It keeps
// their values in wait, which must be empty. The caller still owns the file.
func NewBuilder(dims int, wait *os.File) (*Builder, error) {
	if dims < 1 || dims > MaxDims {
		return nil, badWord("vectors of %d dimensions, where 1 to %d can be", dims, MaxDims)
	}
	b := &Builder{dims: dims, rows: newRows(wait, dims), place: make(map[string]int), sums: make([]float64, dims), squares: make(matrix, dims)}
	for i := range b.squares {
		b.squares[i] = make([]float64, dims)
	}
	return b, nil
}

// Len returns the number of words added.
func (b *Builder) Len() int { return len(b.words) }

// Has reports whether a word was added.
func (b *Builder) Has(text string) bool {
	_, ok := b.place[text]
	return ok
}

// Add adds a word. The most frequent words should come first.
func (b *Builder) Add(w Word) error {
	if err := b.check(w); err != nil {
		return err
	}
	if err := b.rows.append(w.Values); err != nil {
		return err
	}
	text := strings.Clone(w.Text)
	b.place[text] = len(b.words)
	b.words = append(b.words, listed{text: text, rank: w.Rank})
	if len(b.words) <= min(maxSampled, max(2*b.dims, maxSampleWork/(b.dims*b.dims))) {
		b.sample(w)
	}
	return nil
}

// check returns an error if no table can hold a word.
func (b *Builder) check(w Word) error {
	switch {
	case w.Text == "" || len(w.Text) > maxWordBytes || w.Rank < 1:
		return badWord("%.80q is no word, or has no rank", w.Text)
	case len(w.Values) != b.dims:
		return badWord("%.80q has %d values, and others have %d", w.Text, len(w.Values), b.dims)
	case b.Has(w.Text):
		return badWord("%.80q comes twice", w.Text)
	case len(b.words) == maxWords:
		return badWord("there are more than %d words", maxWords)
	}
	zero := true
	for _, x := range w.Values {
		if !(math.Abs(x) <= maxValue) { // also if it is NaN
			return badWord("%.80q has the value %g", w.Text, x)
		}
		zero = zero && x == 0
	}
	if zero {
		return badWord("%.80q has nothing but zeros", w.Text)
	}
	return nil
}

// weight returns the smooth inverse frequency of a rank, in (0,1].
func weight(rank int) float64 { return smoothing / (smoothing + frequency(rank)) }

func frequency(rank int) float64 { return 1 / (zipf * float64(rank)) }

// sample adds a word to the sums from which common is computed.
func (b *Builder) sample(w Word) {
	count := frequency(w.Rank) * weight(w.Rank)
	b.total += count
	for i, x := range w.Values {
		b.sums[i] += count * x
		row := b.squares[i][i:]
		for j, y := range w.Values[i:] {
			row[j] += count * x * y
		}
	}
}

// common is the part that all words of a language share.
type common struct {
	mean       []float64
	directions [][]float64
}

// common returns the part to remove from every word. It overwrites the sums.
func (b *Builder) common() common {
	c := common{mean: make([]float64, b.dims)}
	if len(b.words) < minCommon {
		return c
	}
	for i, x := range b.sums {
		c.mean[i] = x / b.total
	}
	m := b.squares // becomes the matrix of deviations from the mean
	for i := range m {
		for j := i; j < b.dims; j++ {
			m[i][j] -= b.total * c.mean[i] * c.mean[j]
			m[j][i] = m[i][j]
		}
	}
	for range min(commonDirections, b.dims/dimsPerDirection) {
		c.directions = append(c.directions, m.strongest())
	}
	return c
}

// prepare transforms the values of a word, except for their scale.
func (c common) prepare(values []float64, rank int) {
	for i := range values {
		values[i] -= c.mean[i]
	}
	for _, d := range c.directions {
		along := dot(d, values)
		for i := range values {
			values[i] -= along * d[i]
		}
	}
	for i := range values {
		values[i] *= weight(rank)
	}
}

// Finish writes the file of the words that were added.
func (b *Builder) Finish(out io.Writer) error {
	if len(b.words) == 0 {
		return errors.New("no words")
	}
	c := b.common()
	largest := math.SmallestNonzeroFloat64
	values := make([]float64, b.dims)
	for i := range b.words {
		w := &b.words[i]
		if err := b.rows.read(i, values); err != nil {
			return err
		}
		c.prepare(values, w.rank)
		for _, x := range values {
			w.most = max(w.most, math.Abs(x))
		}
		largest = max(largest, w.most)
	}
	return b.write(out, largest, func(place int, values []float64) error {
		if err := b.rows.read(place, values); err != nil {
			return err
		}
		c.prepare(values, b.words[place].rank)
		for i := range values {
			values[i] /= largest
		}
		return nil
	})
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

// powerSteps is the number of multiplications in strongest. Directions that are still
// mixed after that are about equally strong, and both are removed in turn.
const powerSteps = 200

// strongest returns the unit eigenvector of the largest eigenvalue and removes its
// direction from the matrix.
func (m matrix) strongest() []float64 {
	v := make([]float64, len(m))
	for i := range v {
		v[i] = 1 + float64(i%7) // any start that is not orthogonal to the result
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
