package decide

import "github.com/strata-memory/strata"

// skipDuplicate looks for a fact that says the same in other words. The same
// content is a noop, as is less than what is known; more of the same supersedes
// the shorter fact.
func skipDuplicate(in *trial) (Outcome, bool) {
	var more, less *strata.Fact
	for i, found := range in.related() {
		f := &in.Near[i].Fact
		switch found.relation {
		case same:
			if f.Verbatim && !in.Candidate.Verbatim && in.Candidate.Entity != "" {
				return change(strata.OpSupersede, "reads what was kept in own words: "+quote(f.Text), f), true
			}
			return noop("says the same as "+f.ID, f), true
		case containedBy:
			if more == nil {
				more = f
			}
		case contains:
			if less == nil && slotAllows(in.Candidate, *f, true) {
				less = f
			}
		}
	}
	switch {
	case more != nil:
		return noop("already part of "+more.ID, more), true
	case less != nil:
		return change(strata.OpSupersede, "says more than "+quote(less.Text), less), true
	}
	return Outcome{}, false
}

// replaceContradicted looks for facts that cannot hold if the candidate does. All
// its outcomes are ambiguous: texts alone do not prove that a fact has ended.
//
// The default is to supersede where the form of the two statements leaves no
// room for both, and to keep both otherwise, because a fact retired by mistake
// is missed by everyone and noticed by nobody.
func replaceContradicted(in *trial) (Outcome, bool) {
	var sure, maybe []strata.Fact
	for i, found := range in.related() {
		f := in.Near[i].Fact
		switch {
		case !slotAllows(in.Candidate, f, false):
		case found.relation == contradicts:
			sure = append(sure, f)
		case found.doubtful:
			maybe = append(maybe, f)
		}
	}
	switch {
	case len(sure) == 1:
		f := &sure[0]
		return Outcome{
			Op: strata.OpSupersede, Reason: "contradicts " + quote(f.Text), Confidence: likelyReplaced,
			Target: f, Ambiguous: &Ambiguity{Kind: AmbiguousContradiction, Facts: append(sure, maybe...)},
		}, true
	case len(sure) > 1:
		return Outcome{
			Op: strata.OpAdd, Reason: "contradicts several facts, so all are kept", Confidence: keptSeveral,
			Ambiguous: &Ambiguity{Kind: AmbiguousContradiction, Facts: append(sure, maybe...)},
		}, true
	case len(maybe) > 0:
		return Outcome{
			Op: strata.OpAdd, Reason: "may contradict " + maybe[0].ID + ", so both are kept", Confidence: keptBoth,
			Ambiguous: &Ambiguity{Kind: AmbiguousContradiction, Facts: maybe},
		}, true
	}
	return Outcome{}, false
}

// slotAllows reports whether the candidate may take the place of f as far as
// their slots tell. Two different slots are two different subjects. With keep,
// a fact in a slot gives way only to one in the same slot, so that the slot is
// not emptied by the way.
func slotAllows(c strata.Candidate, f strata.Fact, keep bool) bool {
	if f.Entity == "" || c.Entity == "" && !keep {
		return true
	}
	return sameWords(c.Entity, f.Entity) && sameWords(c.Attribute, f.Attribute)
}
