// Package decide decides what becomes of a proposed change of memory.
//
// [Decide] is the whole of it: a pure function from a candidate and what memory
// holds near it to an operation, a reason and the names of the rules that were
// tried. It reads no clock and no store. The caller reads the facts inside the
// transaction in which it will apply the outcome, so that nothing can change in
// between.
//
// # What counts as the same
//
// Two statements are the same only if they say the same thing word for word,
// articles and inflection aside. A shared topic, shared words or a
// close vector is never enough: losing a fact as a false duplicate is worse
// than keeping one twice.
//
// # What takes the place of what
//
// A fact is superseded only when it and the candidate cannot both hold: they
// fill the same slot, one negates the other, or they give another value to
// something that has one. Where that is likely but not certain the outcome is
// ambiguous, both are kept, and a model may be asked.
package decide

import (
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
)

// Input is what a decision rests on. Facts of other scopes, and facts that are
// no longer current, are ignored wherever they appear, save for Target, whose
// retirement is reported.
type Input struct {
	// Candidate is valid, its scope is resolved and its type and slot are
	// filled in where they could be inferred.
	Candidate strata.Candidate
	// Said is the analysis of what the candidate says; nil has it made.
	Said *text.Analysis
	// Secrets are the names of the rules that found a secret in the text.
	Secrets []string
	// Forgotten reports that the text has a tombstone in this scope.
	Forgotten bool
	// Target is the latest version of the fact that Candidate.Target names;
	// nil if the scope holds none.
	Target *strata.Fact
	// SameText are the current facts with the same normalized text.
	SameText []strata.Fact
	// Replaced are the current facts with the text that Candidate.Replaces names.
	Replaced []strata.Fact
	// Slot are the current facts in the candidate's slot.
	Slot []strata.Fact
	// Near are facts that may say the same, found by words and by vector.
	Near []Near
	// Advice is the answer to an earlier ambiguous outcome; nil before. It is
	// ignored if the outcome is no longer ambiguous.
	Advice *Advice
}

// Near is a fact that resembles the candidate.
type Near struct {
	Fact strata.Fact
	// Similarity is the cosine of the two vectors, 0 when unknown. It orders
	// facts that are related to the candidate in the same way; it never makes
	// two statements the same.
	Similarity float64
}

// Outcome is what should happen.
type Outcome struct {
	Op     strata.Op
	Reason string // one sentence, at most 240 bytes, never holding a secret
	// Rules are the names of the rules that were tried; the last one decided.
	Rules []string
	// Confidence in [0,1]: 1 for a rejection and an error, 0.95 for a noop, 0.9
	// for a change, less for what is ambiguous.
	Confidence float64
	// Target is the fact to update, supersede or delete, or the one that says
	// it already; nil where there is none.
	Target *strata.Fact
	// Ambiguous is set when a model may be asked. Op is what happens if nobody
	// answers.
	Ambiguous *Ambiguity
	// Err is a conflict or a missing target that the caller must return. Op is
	// then reject, and nothing may be changed or recorded.
	Err *strata.Error
}

// The confidence of decisions. Those of ambiguous ones fall with what speaks
// for the default.
const (
	sureReject     = 1.0
	sureNoop       = 0.95
	sureChange     = 0.9
	likelyReplaced = 0.75 // the texts exclude each other by form
	keptBoth       = 0.6  // they may exclude each other
	keptSeveral    = 0.5  // several facts claim the same place
)

// trial is the input of one decision with what the rules found out on the way.
type trial struct {
	Input
	parsed   *statement // the candidate's content; nil before statement
	findings []finding  // by index of Near; nil before related
}

// statement returns the candidate's content, parsed.
func (t *trial) statement() statement {
	if t.parsed == nil {
		s := parseComposed(t.Said.Composed())
		t.parsed = &s
	}
	return *t.parsed
}

// related returns how the candidate relates to each of Near.
func (t *trial) related() []finding {
	if t.findings == nil {
		t.findings = make([]finding, len(t.Near))
		for i, n := range t.Near {
			t.findings[i] = relate(t.statement(), parse(n.Fact.Text))
		}
	}
	return t.findings
}

// rule decides, or passes the candidate on by returning false.
type rule struct {
	name string
	try  func(*trial) (Outcome, bool)
}

// rules are tried in this order. The last one always decides.
var rules = [...]rule{
	{"secret", rejectSecret},
	{"forgotten", keepForgotten},
	{"delete", deleteFact},
	{"update", updateTarget},
	{"same_text", skipSameText},
	{"correction", replaceCorrected},
	{"slot", fillSlot},
	{"near_duplicate", skipDuplicate},
	{"ended", replaceEnded},
	{"contradiction", replaceContradicted},
	{"add", addFact},
}

// Decide returns what becomes of the candidate. It is deterministic and does
// not depend on the order of the facts in in.
func Decide(in Input) Outcome {
	if in.Said == nil {
		in.Said = text.Analyze(in.Candidate.Content)
	}
	t := &trial{Input: onlyVisible(in)}
	tried := make([]string, 0, len(rules)+1)
	for _, r := range rules {
		tried = append(tried, r.name)
		out, decided := r.try(t)
		if !decided {
			continue
		}
		if out.Ambiguous != nil && in.Advice != nil {
			out = takeAdvice(out, *in.Advice)
			tried = append(tried, "advice")
		}
		if in.Forgotten && out.Op.Changed() {
			out.Reason = "said again after it was forgotten: " + out.Reason
		}
		out.Reason = oneLine(out.Reason, maxReason)
		out.Rules = tried
		return out
	}
	return Outcome{Op: strata.OpReject, Reason: "no rule applies", Rules: tried, Confidence: sureReject}
}

// onlyVisible removes what the candidate's scope does not own and what is no
// longer current, and sorts the rest: newest first, then by id.
func onlyVisible(in Input) Input {
	scope := in.Candidate.Scope
	hidden := func(f strata.Fact) bool { return f.Scope != scope || !f.Current() }
	if in.Target != nil && (in.Target.Scope != scope || in.Target.ID != in.Candidate.Target) {
		in.Target = nil
	}
	in.SameText = slices.DeleteFunc(slices.Clone(in.SameText), hidden)
	in.Replaced = slices.DeleteFunc(slices.Clone(in.Replaced), hidden)
	in.Slot = slices.DeleteFunc(slices.Clone(in.Slot), hidden)
	in.Near = slices.DeleteFunc(slices.Clone(in.Near), func(n Near) bool { return hidden(n.Fact) })
	slices.SortFunc(in.SameText, newestFirst)
	slices.SortFunc(in.Replaced, newestFirst)
	slices.SortFunc(in.Slot, newestFirst)
	slices.SortFunc(in.Near, closestFirst)
	return in
}
