package prompt

import (
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
)

// same is the least share of the words of each of two statements that the other holds
// if they are to say the same. A model says "called" where a rule says "named".
const same = 0.75

// Merge adds what a model found to what the rules found in the same messages. The rules'
// findings stay, but for statements in the speaker's own words that the model says
// better; what both found is there once.
func Merge(found []strata.Candidate, a Answer) []strata.Candidate {
	var out []strata.Candidate
	for i, c := range found {
		if !slices.Contains(a.Reworded, i) {
			out = append(out, c)
		}
	}
	byRules := len(out)
	for _, c := range a.Candidates {
		at := slices.IndexFunc(out[:byRules], func(known strata.Candidate) bool { return saysTheSame(known, c) })
		switch {
		case at < 0:
			out = append(out, c)
		case out[at].Verbatim:
			out[at] = c
		}
	}
	return out
}

// saysTheSame reports whether what a model found is what a rule found in the same turn.
func saysTheSame(rule, model strata.Candidate) bool {
	if model.Action != strata.ActionSave || model.Replaces != "" && model.Replaces != rule.Replaces {
		return false
	}
	if !slices.ContainsFunc(model.Sources, func(id string) bool { return slices.Contains(rule.Sources, id) }) {
		return false
	}
	return text.Grounding(model.Content, text.Vocabulary(rule.Content)) >= same &&
		text.Grounding(rule.Content, text.Vocabulary(model.Content)) >= same
}
