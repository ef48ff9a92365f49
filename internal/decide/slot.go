package decide

import (
	"fmt"
	"slices"

	"github.com/strata-memory/strata"
)

// fillSlot lets a slot hold one value: another value supersedes the one that is
// there. Several holders are a question, because nobody said which of them the
// candidate replaces.
func fillSlot(in *trial) (Outcome, bool) {
	c := in.Candidate
	if c.Entity == "" || c.Attribute == "" || len(in.Slot) == 0 {
		return Outcome{}, false
	}
	name := c.Entity + " · " + c.Attribute
	for i := range in.Slot {
		f := &in.Slot[i]
		if sameValue(c, in.statement(), *f) {
			return noop("the slot "+name+" holds this already as "+f.ID, f), true
		}
	}
	if len(in.Slot) > 1 {
		return Outcome{
			Op:         strata.OpAdd,
			Reason:     fmt.Sprintf("the slot %s has %d values and none was named, so all are kept", name, len(in.Slot)),
			Confidence: keptSeveral,
			Ambiguous:  &Ambiguity{Kind: AmbiguousSlot, Facts: in.Slot},
		}, true
	}
	f := &in.Slot[0]
	if c.Type == strata.TypeFeedback {
		return change(strata.OpSupersede, "the newer rule on "+oneLine(c.Attribute, maxQuote)+", was "+quote(f.Text), f), true
	}
	return change(strata.OpSupersede, "fills the slot "+name+", was "+quote(f.Text), f), true
}

// sameValue reports whether f gives the slot the same value as the candidate:
// the same statement, one that says more, or other words around an equal value
// ("My cat's name is Tom", "My cat is called Tom").
func sameValue(c strata.Candidate, said statement, f strata.Fact) bool {
	held := parse(f.Text)
	switch relate(said, held).relation {
	case same, containedBy:
		return true
	case contradicts, contains:
		return false
	}
	named := slotNames(c.Entity, c.Attribute)
	if swapped(said, held, named) {
		return false
	}
	v := value(said, named)
	return len(v) > 0 && said.question == held.question && slices.Equal(v, value(held, named))
}

// slotNames returns the keys of the words by which a slot is named.
func slotNames(entity, attribute string) map[string]bool {
	names := make(map[string]bool)
	for _, a := range append(parse(entity).atoms, parse(attribute).atoms...) {
		names[withoutPossessive(a.key)] = true
	}
	return names
}

// swapped reports whether two statements have the names of their slot in another
// order: "prefers tabs over spaces", "prefers spaces over tabs".
func swapped(a, b statement, named map[string]bool) bool {
	order := func(s, other statement) []string {
		return s.keys(func(i int) bool {
			key := s.atoms[i].key
			return named[withoutPossessive(key)] && slices.ContainsFunc(other.atoms, func(o atom) bool { return o.key == key })
		})
	}
	return !slices.Equal(order(a, b), order(b, a))
}

// value returns the keys that are left of a statement without the slot's own
// names and the words that link them to the value.
func value(s statement, named map[string]bool) []string {
	var out []string
	for _, a := range s.atoms {
		if key := withoutPossessive(a.key); !named[key] && !a.class.has(linking|definite|indefinite) {
			out = append(out, a.key)
		}
	}
	return out
}
