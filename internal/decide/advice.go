package decide

import (
	"math"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
)

// The kinds of ambiguity.
const (
	AmbiguousSlot          = "slot"          // several facts fill the candidate's slot
	AmbiguousContradiction = "contradiction" // facts that cannot, or may not, hold at the same time
)

// Ambiguity is a question that rules alone do not settle: does the candidate
// be kept along with these facts, replace one of them, or say nothing new?
type Ambiguity struct {
	Kind string
	// Facts are those in question, the most likely first; never empty.
	Facts []strata.Fact
}

// Advice is a model's answer to an [Ambiguity].
type Advice struct {
	Op strata.Op // add, supersede or noop; anything else is ignored
	// Target is the id of the fact to supersede or that says it already. It
	// must be one of those in question; it may be empty if there is only one.
	Target string
	// Reason is in the model's words; it may be empty and is not kept for add.
	Reason string
	// Confidence in [0,1]; 0 or a number outside means not said.
	Confidence float64
}

// adviceConfidence is used where a model does not say how sure it is.
const adviceConfidence = 0.8

// takeAdvice applies an answer to the outcome it was asked for. An answer that
// does not fit the question changes nothing, and the reason says so.
func takeAdvice(out Outcome, a Advice) Outcome {
	target, ok := advisedTarget(*out.Ambiguous, a)
	if !ok {
		out.Reason += "; a model's answer did not fit the question"
		return out
	}
	if !(a.Confidence > 0 && a.Confidence <= 1) || math.IsNaN(a.Confidence) {
		a.Confidence = adviceConfidence
	}
	reason := "a model decided"
	switch {
	case a.Op == strata.OpAdd:
		reason += " that both hold" // its own words may repeat a fact the decision is not about
	case a.Reason != "":
		reason += ": " + a.Reason
	}
	return Outcome{Op: a.Op, Reason: reason, Confidence: a.Confidence, Target: target}
}

// advisedTarget finds the fact an answer names. It reports false for an answer
// that cannot be followed.
func advisedTarget(q Ambiguity, a Advice) (*strata.Fact, bool) {
	switch a.Op {
	case strata.OpAdd:
		return nil, true
	case strata.OpSupersede, strata.OpNoop:
	default:
		return nil, false
	}
	for i := range q.Facts {
		if q.Facts[i].ID == a.Target || a.Target == "" && len(q.Facts) == 1 {
			return &q.Facts[i], true
		}
	}
	return nil, false
}

// sameWords reports whether two names are the same once normalized.
func sameWords(a, b string) bool { return text.Normalize(a) == text.Normalize(b) }
