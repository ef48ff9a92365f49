package topics

import (
	"math"
	"slices"
	"strings"

	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/internal/text/wordvec"
)

const (
	// wordFloor is the cosine of a word and a topic from which the word speaks for
	// it: unrelated words reach a tenth, seldom two.
	wordFloor = 0.2
	// ClearFrom is the weight from which a text has a topic.
	ClearFrom = 0.3
	// A text mostly begins with what it is about, so its first word of a topic counts
	// most: each after it counts shareStep less, down to leastShare.
	shareStep  = 0.1
	leastShare = 0.6
	// maxClassified bounds the words whose weights are remembered.
	maxClassified = 1 << 13
)

// Weights say how much a text speaks for each topic, in the order of the list of
// topics. A word of a topic's list weighs 1, or less if it is vague; a word that is
// near to those by meaning weighs by how near it is.
type Weights []float32

// Classifier finds the topics of texts, also of those that hold no word of the
// lists: a word that is not listed speaks for the topics whose words mean nearly
// the same. It is safe for concurrent use.
type Classifier struct {
	vectors *wordvec.Table
	centers [][]float32 // of each topic: the direction of its clear words
	words   *text.Memo[Weights]
}

// NewClassifier returns a classifier that knows what words mean by their vectors.
func NewClassifier(vectors *wordvec.Table) *Classifier {
	c := &Classifier{vectors: vectors, centers: make([][]float32, len(topicTable())), words: text.NewMemo[Weights](maxClassified)}
	common := make([]float32, vectors.Dimensions())
	for i, t := range topicTable() {
		center := make([]float32, vectors.Dimensions())
		for w := range strings.FieldsSeq(t.clear) {
			if v := c.direction(w); v != nil {
				addTo(center, v, 1)
			}
		}
		c.centers[i] = unit(center)
		addTo(common, center, 1/float32(len(topicTable())))
	}
	// What all topics have in common tells none from another.
	for _, center := range c.centers {
		addTo(center, common, -1)
		unit(center)
	}
	return c
}

// Weigh returns the weights of a text. Each of its words counts once; by meaning
// those of time, number and talk do not count. Only the first 16 KiB are read.
func (c *Classifier) Weigh(a *text.Analysis) Weights {
	out := make(Weights, len(topicTable()))
	r := read(a)
	var seen []string // each word counts once
	share := float32(1)
	for i, w := range r.known {
		word := r.words[i]
		if slices.Contains(seen, word) {
			continue
		}
		seen = append(seen, word)
		speaks := false
		for _, t := range w.triggers {
			if t.begins(r.words[i+1:]) {
				out[t.topic] += share * float32(t.weight)
				speaks = true
			}
		}
		if !text.IsStop(word) && !isGeneral(word) {
			meaning := c.weighWord(word)
			addTo(out, meaning, share)
			speaks = speaks || meaning != nil
		}
		if speaks {
			share = max(share-shareStep, leastShare)
		}
	}
	if !text.IsASCII(r.text) {
		r.countUnspaced(nil, func(t trigger) { out[t.topic] += float32(t.weight) })
	}
	return out
}

// weighWord returns the weights of a word by its meaning; nil if it is unknown.
func (c *Classifier) weighWord(w string) Weights {
	return c.words.Get(w, func(w string) Weights {
		v := c.direction(strings.TrimSuffix(w, "'s"))
		if v == nil {
			return nil
		}
		out := make(Weights, len(c.centers))
		for i, center := range c.centers {
			out[i] = max(0, dot(v, center)-wordFloor)
		}
		return out
	})
}

// direction returns the vector of a word at unit length, nil if it is unknown.
func (c *Classifier) direction(word string) []float32 {
	v, ok := c.vectors.Find(word)
	if !ok {
		return nil
	}
	out := make([]float32, len(v.Values))
	for i := range out {
		out[i] = float32(int8(v.Values[i]))
	}
	return unit(out)
}

// best returns the topic of the greatest weight, the first of equals. It is not ok
// if even that weighs too little to tell.
func (w Weights) best() (topic int, ok bool) {
	for i, x := range w {
		if x > w[topic] {
			topic = i
		}
	}
	return topic, len(w) > 0 && w[topic] >= ClearFrom
}

// addTo adds a multiple of v, which may be nil, to sum.
func addTo(sum, v []float32, times float32) {
	for i, x := range v {
		sum[i] += times * x
	}
}

func dot(a, b []float32) (sum float32) {
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}

// unit brings v to unit length, in place, unless it is zero.
func unit(v []float32) []float32 {
	if n := float32(math.Sqrt(float64(dot(v, v)))); n > 0 {
		for i := range v {
			v[i] /= n
		}
	}
	return v
}
