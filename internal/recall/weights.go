package recall

import "github.com/strata-memory/strata/store"

// Weights are the parameters of the score, which is the sum
//
//	Words·(own + around) + cues
//	+ (Vector + Unmatched·(1 - best))·closeness·(1 - own - around)
//	+ Parent·parent + Recency·recency + salience
//
// where own + around, closeness, parent and recency lie in [0,1], cues is at most
// Statement + When and salience at most salience.MaxBonus. Words, Parent, the
// greater of Recency and Time, and those bounds add up to 1 at most, Vector and
// Unmatched to Words, and so the score is at most 1.
//
//   - own is the BM25 of the passage divided by the most it could be: the sum of
//     the inverse document frequencies of the question.
//   - around is what the turns before and after add, term by term: the best of
//     their decayed contributions, less what the passage itself has.
//   - cues are what the wording of a turn adds, whatever its subject.
//   - closeness is the cosine of the built-in embedding above Floor, with what a
//     model that re-ranks adds. It counts for what the words leave open: where
//     they match, it would only repeat them.
//   - best is the greatest own + around of all passages: where the words of the
//     question find nothing that has most of them, its meaning counts more.
//   - parent is the BM25 of the session, category or document as one bag of words,
//     joined with the closeness of its mean vector.
//   - recency falls with the age of the passage or, where the question names a
//     time, with the distance from that time.
type Weights struct {
	Words, Vector, Unmatched, Parent, Recency float64

	// K1 and B are the parameters of BM25: how late a repeated word stops
	// counting and how much a long passage is penalized, the latter in [0,1].
	// They are those of facts and sections; turns have their own. ParentB is B for
	// parents.
	K1, B, ParentB float64
	// People are the weights of turns among people, Assistant those of turns of a
	// conversation with an assistant, where questions are short and answers long.
	People, Assistant TurnWeights
	// Answer is what the words of an assistant or a tool count, in [0,1], unless the
	// question goes on from what was said: see [question.Analysis].
	Answer float64
	// Session is what the session counts, beside the best of its turns, where
	// sessions are ranked, and SessionAnswer takes the place of Answer there.
	Session, SessionAnswer float64
	// Other is what the words of a turn count, in [0,1], if the question names
	// speakers and somebody else speaks.
	Other float64
	// Time is the weight in place of Recency where the question names a time.
	Time float64
	// When is what a turn gains that says when, where the question asks for that.
	When float64
	// Synonym and Hyponym are what a synonym or hyponym counts as a frequency of
	// the word of the question, in [0,1].
	Synonym, Hyponym float64
	// Subquestion is the share of the part that is matched best, in [0,1], in the
	// score of a question with several parts. The rest is that of the whole.
	Subquestion float64
	// Window is the part, in [0,1], of what its neighbors are closer to the
	// question that a turn's own closeness gains.
	Window float64
	// Floor is the cosine up to which texts count as unrelated, in [0,1).
	Floor float64
	// Centroid is the share of the mean vector in the parent component, in [0,1];
	// the rest is words.
	Centroid float64
}

// TurnWeights are the weights of turns of one sort of conversation.
type TurnWeights struct {
	K1, B float64 // see Weights
	// Parent is the weight of the session, in place of that of Weights.
	Parent float64
	// Before and After are what a word counts, in [0,1], in the turn 1, 2, ...
	// places before or after the one that is scored.
	Before, After []float64
	// Rest is what a word counts, in [0,1], in another passage of the same turn.
	Rest float64
	// Reply is what a word counts, in [0,1], in the turn directly before if that
	// asks a question: an answer seldom repeats the words of the question.
	Reply float64
	// Statement is what a turn gains whose speaker speaks of himself or herself.
	Statement float64
	// Asking is the part of its words that a turn loses if it ends with a question,
	// in [0,1]: among people it seeks what the question seeks. Who talks to an
	// assistant says most of what there is to know in questions.
	Asking float64
}

// DefaultWeights returns the weights in use. They were chosen on six collections of
// conversations by the one that gains least over BM25. Source: docs/ranking.md, which
// also has what each component is worth. No single value matters much.
func DefaultWeights() Weights {
	return Weights{
		Words: 0.59, Vector: 0.07, Unmatched: 0.05, Parent: 0.16, Recency: 0.03,
		Time: 0.06, When: 0.05,
		Synonym: 0.35, Hyponym: 0.5, Subquestion: 0.5,
		K1: 0.9, B: 0.4, ParentB: 0.4,
		People: TurnWeights{
			K1: 0.9, B: 0.4, Parent: 0.16, Statement: 0.02, Asking: 0.22,
			// The same person speaks two turns before. Directly before speaks the
			// other, who counts less unless he or she asks.
			Before: []float64{0.2, 0.4}, After: []float64{0.3, 0}, Reply: 0.6, Rest: 0.3,
		},
		Assistant: TurnWeights{
			K1: 1.5, B: 0.75, Parent: 0.05, Statement: 0.02,
			Before: []float64{0.3, 0.3}, After: []float64{0.2, 0}, Reply: 0.3, Rest: 0.3,
		},
		Answer: 0.3, Session: 1, SessionAnswer: 0.6,
		Other:    0.7,
		Window:   0.3,
		Floor:    0.1,
		Centroid: 0.1,
	}
}

// closeness maps a cosine to [0,1]: 0 up to the floor, 1 for equal directions.
func (w *Weights) closeness(cosine float32) float64 {
	return min(max(0, float64(cosine)-w.Floor)/(1-w.Floor), 1)
}

// turn returns the weights of a turn by who speaks.
func (w *Weights) turn(s store.Speech) *TurnWeights {
	if s == store.SpeechPeople {
		return &w.People
	}
	return &w.Assistant
}

// decay returns what a word counts in the turn at a distance, negative for one
// before: as a rule, and if the turn directly before asks a question.
func (w *TurnWeights) decay(distance int64) (plain, asked float64) {
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
