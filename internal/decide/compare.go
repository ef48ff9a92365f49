package decide

import (
	"slices"
	"strings"

	"github.com/strata-memory/strata/internal/text"
)

// entailment says how what one text states relates to what another does.
type entailment int

// same, contradicts and different hold both ways; contains one way is containedBy the
// other.
const (
	different   entailment = iota // none of the others is certain
	same                          // they state the same
	contains                      // the first states all that the second does, and more
	containedBy                   // the second states all that the first does, and more
	contradicts                   // by their form they cannot both hold
)

// finding is how two texts relate, and whether two that count as different may still
// contradict each other.
type finding struct {
	relation entailment
	doubtful bool
}

// relate relates two statements by their words. It is strict: every word, number
// and sign counts, in its order, save for articles, the regular -s of English
// and contractions. What it cannot be sure of is different.
func relate(a, b statement) finding {
	if len(a.atoms) == 0 || len(b.atoms) == 0 || a.question != b.question {
		return finding{}
	}
	x, y := a.full(), b.full()
	switch {
	case slices.Equal(x, y):
		return finding{relation: same}
	case a.question:
		return finding{}
	case continues(a, b):
		return finding{relation: contains}
	case continues(b, a):
		return finding{relation: containedBy}
	}
	if flip, doubtful := flips(a, b); flip {
		return contradiction(!doubtful)
	}
	if swap(a, b) {
		return finding{relation: contradicts}
	}
	return differByOne(a, b)
}

// swap reports whether two statements are equal but for two things that one puts
// before or above the other and the other the other way round: "write tests before the
// code", "write the code before the tests".
func swap(a, b statement) bool {
	if len(a.atoms) != len(b.atoms) {
		return false
	}
	var differ []int
	for i := range a.atoms {
		if a.atoms[i].key != b.atoms[i].key {
			differ = append(differ, i)
		}
	}
	if len(differ) != 2 {
		return false
	}
	i, j := differ[0], differ[1]
	return a.atoms[i].key == b.atoms[j].key && a.atoms[j].key == b.atoms[i].key &&
		slices.ContainsFunc(a.atoms[i:j], func(w atom) bool { return w.class.has(comparing) })
}

func contradiction(sure bool) finding {
	if sure {
		return finding{relation: contradicts}
	}
	return finding{doubtful: true}
}

// minStatement is the fewest words that can state something of their own.
const minStatement = 3

// continues reports whether long says all of short and continues with something
// that leaves it true: "User has a cat", "User has a cat named Tom". A modifier
// does not ("Deploys are allowed", "Deploys are allowed on Fridays"), nor does a
// name that picks some of many ("hates people", "hates people named Karen"), nor
// anything that brings a number or a negation, nor any addition to a list that
// was complete ("only tea") or to a value ("the color is black").
func continues(long, short statement) bool {
	n := len(short.atoms)
	if n < minStatement || len(long.atoms) <= n+1 || short.negated() {
		return false
	}
	switch joint := long.atoms[n].class; {
	case joint.has(adding):
	case joint.has(naming) && (short.atoms[n-1].one || short.atoms[n-2].one):
	default:
		return false
	}
	for i, a := range short.atoms {
		if a.key != long.atoms[i].key || a.class.has(limiting|copula) {
			return false
		}
	}
	for _, a := range long.atoms[n:] {
		if a.neg || a.literal {
			return false
		}
	}
	return true
}

// differByOne relates statements that are equal but for one word or value.
func differByOne(a, b statement) finding {
	at, ok := oneDifference(a.atoms, b.atoms)
	if !ok || a.negated() || b.negated() || a.further || b.further {
		return finding{}
	}
	x, y := a.atoms[at], b.atoms[at]
	if opposites[[2]string{x.key, y.key}] {
		whole := at > 0 && !slices.ContainsFunc(a.atoms, func(w atom) bool { return w.class.has(subordinator) })
		return contradiction(whole)
	}
	if is := onlyCopula(a.atoms); is > 0 && at > is {
		sure := !a.indefinite && !b.indefinite && (isOneValue(a.atoms, b.atoms, is, at) || a.presently && isOtherDay(a, b, is, at))
		return finding{relation: contradiction(sure).relation, doubtful: !sure && at == len(a.atoms)-1}
	}
	last := at == len(a.atoms)-1
	alike := x.kind != noKind && x.kind == y.kind
	verb := slices.ContainsFunc(a.atoms[:at], func(w atom) bool { return w.class.has(once) })
	return finding{doubtful: last && (alike || verb)}
}

// isOtherDay reports whether two statements, equal but for the atom at index at, say that
// something is on other days of the week: on some it may be besides, unless one of them
// says that it is now.
func isOtherDay(a, b statement, is, at int) bool {
	day := func(w atom) bool { return classOf(strings.TrimSuffix(w.key, "s")).has(weekdayName) }
	return at == len(a.atoms)-1 && at == is+2 && a.atoms[is+1].class.has(placing) && day(a.atoms[at]) && day(b.atoms[at])
}

// oneDifference returns the only index at which the keys differ.
func oneDifference(a, b []atom) (at int, ok bool) {
	if len(a) != len(b) {
		return 0, false
	}
	at = -1
	for i := range a {
		if a[i].key == b[i].key {
			continue
		}
		if at >= 0 {
			return 0, false
		}
		at = i
	}
	return at, at >= 0
}

// onlyCopula returns the index of the one "is" of a statement; 0 when there is
// none, no subject before it, or more than one.
func onlyCopula(atoms []atom) int {
	found := 0
	for i, a := range atoms {
		if a.class.has(copula) {
			if found > 0 {
				return 0
			}
			found = i
		}
	}
	if found > 0 && !slices.ContainsFunc(atoms[:found], func(a atom) bool { return a.literal || !text.IsStop(a.word) }) {
		return 0 // "it is", "this is": nobody knows what
	}
	return found
}

// maxValueAtoms bounds the value of "X is Y", unit included ("30 years old").
const maxValueAtoms = 4

// isOneValue reports whether the statements, equal but for the atom at index
// at, give the subject before index is two values of which it has only one: two
// weekdays, numbers or addresses, opposite states, or any two words for a
// subject that is unique by its name ("favorite color").
func isOneValue(a, b []atom, is, at int) bool {
	x, y := a[at], b[at]
	tail := a[is+1:]
	first := is + 1
	if x.kind != noKind && len(tail) > 1 && tail[0].class.has(placing) {
		first++
	}
	if at != first || len(tail) > maxValueAtoms || x.kind != y.kind {
		return false
	}
	for _, w := range a[at+1:] {
		if w.kind != noKind || w.class.has(connective) {
			return false // a list, or a value within a value
		}
	}
	switch {
	case x.kind != noKind:
		return true
	case at != len(a)-1:
		return false
	case oppositeStates[[2]string{x.word, y.word}]:
		return true
	}
	unique := a[is-1].class.has(uniqueHead)
	for _, w := range a[:is] {
		unique = unique || w.class.has(uniqueMark)
	}
	return unique
}
