package recall

// Weights are the parts of the score, which is the sum
//
//	Words·(own + around) + form
//	+ Vector·closeness·(1 - own - around)
//	+ Parent·parent + Recency·recency + salience
//
// where own + around, closeness, parent and recency lie in [0,1], form is at
// most Statement + When and salience at most salience.MaxBonus. The weights (of
// Recency and Time the greater) and that bound add up to 1 at most, and so does
// the score.
//
//   - own is the BM25 of the passage divided by the most the question could
//     reach: the inverse document frequencies of all its terms.
//   - around is what the turns before and after add, term by term: the best of
//     the decayed contributions, less what the passage itself has.
//   - closeness is the cosine of the built-in embedding above Floor, with what a
//     model beside it adds as far as that stands out from chance. It counts for
//     what the words leave open: where they match, it would only say so again.
//   - parent is the BM25 of the session or category as one bag of words,
//     joined with the closeness of its mean vector.
//   - recency is the age of the passage or, where the question names a time,
//     its distance from that time.
type Weights struct {
	Words, Vector, Parent, Recency float64

	// K1 is how late a repeated word stops counting and B, in [0,1], how much
	// a long passage is held against itself, both as BM25 names them. ParentB
	// is B for parents.
	K1, B, ParentB float64
	// Before and After are what a word counts, in [0,1], that stands in the
	// turn 1, 2, … places before or after the one that is read.
	Before, After []float64
	// Reply is what a word counts in the turn directly before if that asks a
	// question: an answer seldom repeats the words it answers to.
	Reply float64
	// Other is what the words of a turn count if the question names speakers
	// and the turn is by somebody else.
	Other float64
	// Time stands in for Recency where the question names a time.
	Time float64
	// Statement is what a turn gains by speaking of its speaker, When by telling
	// a time where the question asks for one, both added to the words.
	Statement, When float64
	// Asking is what the words of a turn lose that ends with a question, in
	// [0,1]: it seeks what the question seeks.
	Asking float64
	// Synonym is what another name or form of a word counts, Hyponym a thing of the
	// kind that it names, both in [0,1].
	Synonym, Hyponym float64
	// Part is how far the best matched part of a question with several stands
	// for the whole of it, in [0,1].
	Part float64
	// Window is the part of the closeness of the turns beside it that a turn
	// has where they are nearer, in [0,1].
	Window float64
	// Floor is the cosine up to which texts count as unrelated, in [0,1).
	Floor float64
	// Centroid is the share of the mean vector in the parent component, in
	// [0,1]; the rest is words.
	Centroid float64
}

// DefaultWeights returns the weights in use, chosen on the five LoCoMo
// conversations kept for development (1,018 questions) by the recall of evidence
// turns. docs/ranking.md has what they reach, what weights that are chosen
// without each conversation in turn reach on that one, and what each component
// is worth; no single value matters much. The built-in embedder adds where words
// end (@25 and beyond) and costs a little at 5, since its vectors are made of
// the same words.
func DefaultWeights() Weights {
	return Weights{
		Words: 0.59, Vector: 0.07, Parent: 0.16, Recency: 0.03,
		Time: 0.06, Statement: 0.02, When: 0.05, Asking: 0.22,
		Synonym: 0.35, Hyponym: 0.5, Part: 0.5,
		K1: 0.9, B: 0.4, ParentB: 0.4,
		// Two turns back the same person speaks; directly before it is the
		// other, who only counts when asking.
		Before:   []float64{0.2, 0.4},
		After:    []float64{0.3, 0},
		Reply:    1,
		Other:    0.7,
		Window:   0.3,
		Floor:    0.1,
		Centroid: 0.1,
	}
}

// closeness maps a cosine to [0,1]: 0 up to the floor, 1 for the same.
func (w *Weights) closeness(cosine float32) float64 {
	return min(max(0, float64(cosine)-w.Floor)/(1-w.Floor), 1)
}

// decay returns what a word counts that stands so many turns after (or, below
// 0, before) the turn that is read, and what it counts if the turn directly
// before asks a question.
func (w *Weights) decay(distance int64) (plain, asked float64) {
	switch {
	case distance == 0:
		return 1, 1
	case distance < 0:
		plain = w.Before[-distance-1]
	default:
		plain = w.After[distance-1]
	}
	if distance == -1 {
		return plain, max(w.Reply, plain)
	}
	return plain, plain
}
