package decide

import (
	"slices"
	"strings"
	"unicode"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
)

// Relation says how a fact that was said later relates to one that was said earlier.
type Relation int

// The relations.
const (
	Unrelated Relation = iota // both may hold, as far as their words tell
	// Repeats: the later says as much as the earlier, which adds nothing.
	Repeats
	// Included: the earlier says as much as the later, and more.
	Included
	// Excludes: they cannot both hold.
	Excludes
)

// Compare relates two current facts of a scope by the rules by which [Decide] would
// have the later one join the earlier. What is merely likely to be the same or to
// contradict is Unrelated, and so is what holds at another time.
//
// Repeats and Included are stricter than a noop of Decide, for there the new text is
// refused, and here a fact that somebody saved goes: both are of one type and slot, and
// hold in the same time, with the same names, numbers and negations.
func Compare(later, earlier strata.Fact) Relation {
	if later.Scope != earlier.Scope || later.ID == earlier.ID || apart(later, earlier) {
		return Unrelated
	}
	out := Decide(meeting(later, earlier))
	rule := out.Rules[len(out.Rules)-1]
	switch {
	case out.Op == strata.OpSupersede && (rule == "contradiction" || rule == "ended"):
		return Excludes
	case out.Op == strata.OpSupersede && rule == "slot" && otherValue(later, earlier):
		return Excludes
	case out.Op != strata.OpNoop && !saysMore(later, earlier):
		return Unrelated
	case absorbs(later, earlier) && !saysMore(earlier, later):
		return Repeats
	case absorbs(earlier, later) && !saysMore(later, earlier):
		return Included
	}
	return Unrelated
}

// otherValue reports whether two facts give their slot values of which neither is a
// part of the other: what one says in more words is no other value.
func otherValue(a, b strata.Fact) bool {
	named := slotNames(a.Entity, a.Attribute)
	x, y := value(parse(a.Text), named), value(parse(b.Text), named)
	lacks := func(list []string) func(string) bool {
		return func(key string) bool { return !slices.Contains(list, key) }
	}
	return slices.ContainsFunc(x, lacks(y)) && slices.ContainsFunc(y, lacks(x))
}

// meeting is the later fact as a candidate that meets the earlier one alone.
func meeting(later, earlier strata.Fact) Input {
	in := Input{Candidate: strata.Candidate{
		Scope: later.Scope, Content: later.Text, Type: later.Type, Entity: later.Entity, Attribute: later.Attribute,
		Origin: strata.OriginDream, Verbatim: later.Verbatim,
	}}
	facts := []strata.Fact{earlier}
	switch {
	case text.Normalize(later.Text) == text.Normalize(earlier.Text):
		in.SameText = facts
	case sameSlot(later, earlier) && later.Entity != "":
		in.Slot = facts
	}
	in.Near = []Near{{Fact: earlier}}
	return in
}

// sameSlot reports whether two facts fill the same slot, or both none.
func sameSlot(a, b strata.Fact) bool {
	return sameWords(a.Entity, b.Entity) && sameWords(a.Attribute, b.Attribute)
}

// apart reports whether two facts hold at times that have no moment in common.
func apart(a, b strata.Fact) bool {
	ends := func(a, b strata.Fact) bool {
		return a.ValidTo != nil && b.ValidFrom != nil && !b.ValidFrom.Before(*a.ValidTo)
	}
	return ends(a, b) || ends(b, a)
}

// absorbs reports whether nothing is lost with a fact that says the same as another or
// less: its type, its slot, its time, and the spelling of every name and number.
func absorbs(whole, part strata.Fact) bool {
	if whole.Type != part.Type || part.Entity != "" && !sameSlot(whole, part) {
		return false
	}
	if part.ValidFrom != nil && (whole.ValidFrom == nil || !whole.ValidFrom.Equal(*part.ValidFrom)) ||
		part.ValidTo != nil && (whole.ValidTo == nil || !whole.ValidTo.Equal(*part.ValidTo)) {
		return false
	}
	said := proper(whole.Text)
	for word, name := range proper(part.Text) {
		if _, ok := said[word]; name && !ok {
			return false
		}
	}
	return true
}

// saysMore reports whether a fact says all that another does, and more.
func saysMore(a, b strata.Fact) bool {
	return relate(parse(a.Text), parse(b.Text)).relation == contains
}

// proper returns the words of a text as they are spelled, in lower case, and which of
// them are names or values: written with a capital or with anything but letters.
func proper(s string) map[string]bool {
	out := make(map[string]bool)
	for _, chunk := range strings.Fields(s) {
		word := trimPunctuation(strings.ReplaceAll(chunk, "’", "'"))
		lower := withoutPossessive(strings.ToLower(word))
		if lower == "" || text.IsStop(lower) {
			continue
		}
		out[lower] = out[lower] || !isPlain(word) || slices.ContainsFunc([]rune(word), unicode.IsUpper)
	}
	return out
}
