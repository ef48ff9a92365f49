package recall

import "github.com/strata-memory/strata/store"

// Weights are the parameters of the score, which is the sum
//
//	Words·(own + around) + cues
//	+ (Vector + Unmatched·(1 - best))·closeness·(1 - own - around)
//	+ Parent·parent + Recency·recency + salience
//
// where own + around, closeness, parent and recency lie in [0,1], cues is at most
// Statement + When and salience at most salience.MaxBonus. Words, Parent, the greater of
// Recency and Time, and those bounds add up to at most 1, and Vector and Unmatched to at
// most Words. So the score is at most 1.
//
//   - own is the BM25 score of the passage divided by the most it could be: the sum of
//     the inverse document frequencies of the question.
//   - around is what the turns before and after add, term by term: the best of their
//     decayed contributions, minus what the passage itself has.
//   - cues is what the wording of a turn adds, whatever its subject.
//   - closeness is the cosine of the built-in embedding above Floor, plus what a model
//     that re-ranks adds. It counts only for what the words leave unmatched; elsewhere it
//     would just repeat them.
//   - best is the greatest own + around of all passages: if no passage has most of the
//     words of the question, its meaning counts more.
//   - parent is the BM25 score of the session, category or document as one bag of words,
//     combined with the closeness of its mean vector.
//   - recency falls with the age of the passage or, if the question names a time, with
//     the distance from that time.
type Weights struct {
	Words, Vector, Unmatched, Parent, Recency float64

	// K1 and B are the parameters of BM25 for facts and sections; turns have their own.
	// K1 sets how soon a repeated word stops counting, B how much a long passage is
	// penalized, in [0,1]. ParentB is B for parents.
	K1, B, ParentB float64
	// People holds the weights of turns among people, and Assistant those of turns in a
	// conversation with an assistant, where questions are short and answers long.
	People, Assistant TurnWeights
	// Answer is the weight of the words of an assistant or a tool, in [0,1]. They count
	// in full if the question goes on from what was said: see [question.Analysis].
	Answer float64
	// Session is added to the parent weight of turns if the query ranks sessions, and
	// SessionAnswer then replaces Answer.
	Session, SessionAnswer float64
	// Other is the weight, in [0,1], of the words of a turn whose speaker is not one that
	// the question names, if it names any.
	Other float64
	// Time replaces Recency if the question names a time.
	Time float64
	// When is the bonus of a turn that says when, if the question asks for a time.
	When float64
	// Synonym and Hyponym are the frequencies, in [0,1], that a synonym and a hyponym
	// count for the word of the question.
	Synonym, Hyponym float64
	// Subquestion is the share of the best-matched part, in [0,1], in the score of a
	// question with several parts. The whole question has the rest.
	Subquestion float64
	// Window is how far a turn's closeness moves, in [0,1], toward that of a closer
	// neighbor.
	Window float64
	// Floor is the cosine, in [0,1), up to which texts count as unrelated.
	Floor float64
	// Centroid is the share of the mean vector in the parent component, in [0,1]; words
	// have the rest.
	Centroid float64
}

// TurnWeights holds the weights of turns in one kind of conversation.
type TurnWeights struct {
	K1, B float64 // see Weights
	// Parent is the weight of the session and replaces that of Weights.
	Parent float64
	// Before and After are the weights, in [0,1], of a word in the turn 1, 2, ... places
	// before or after the one that is scored.
	Before, After []float64
	// Rest is the weight, in [0,1], of a word in another passage of the same turn.
	Rest float64
	// Reply is the weight, in [0,1], of a word in the turn directly before if that turn
	// asks a question: an answer seldom repeats the words of the question.
	Reply float64
	// Statement is the bonus of a turn in which the speaker uses the first person.
	Statement float64
	// Asking is the fraction of its words' score, in [0,1], that a turn loses if it ends
	// with a question: among people, such a turn seeks what the question seeks. Users of
	// an assistant state most facts in questions.
	Asking float64
}

// DefaultWeights returns the weights in use. They were chosen on six collections of
// conversations, to do best on the one that gains least over BM25. docs/ranking.md has
// the source and what each component is worth. No single value matters much.
func DefaultWeights() Weights {
	return Weights{
		Words: 0.59, Vector: 0.07, Unmatched: 0.05, Parent: 0.16, Recency: 0.03,
		Time: 0.06, When: 0.05,
		Synonym: 0.35, Hyponym: 0.5, Subquestion: 0.5,
		K1: 0.9, B: 0.4, ParentB: 0.4,
		People: TurnWeights{
			K1: 0.9, B: 0.4, Parent: 0.16, Statement: 0.02, Asking: 0.22,
			// The same person usually spoke two turns before. The other one spoke
			// directly before, and counts less unless that turn asks a question.
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

// closeness maps a cosine to [0,1]: 0 up to Floor, 1 for equal directions.
func (w *Weights) closeness(cosine float32) float64 {
	return min(max(0, float64(cosine)-w.Floor)/(1-w.Floor), 1)
}

// turn returns the weights of a turn with the given speech.
func (w *Weights) turn(s store.Speech) *TurnWeights {
	if s == store.SpeechPeople {
		return &w.People
	}
	return &w.Assistant
}

// decay returns the weight of a word in the turn at the given distance, which is negative
// for a turn before. asked applies if the turn directly before asks a question, plain if
// it does not.
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
