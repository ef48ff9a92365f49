package decide

import "slices"

// markNegations marks the words that negate, with those that belong to them,
// and drops the "do" that English needs for a negation only.
func (st *statement) markNegations() {
	atoms := st.atoms
	seen := false
	for i := range atoms {
		a := &atoms[i]
		switch {
		case a.literal:
		case a.class.has(negation):
			affirms := i+1 < len(atoms) && atoms[i+1].class.has(onlyWord)
			counts := i+1 < len(atoms) && a.word == "no" && atoms[i+1].kind == number
			a.neg = !affirms && !counts
		case a.class.has(afterNegation):
			a.neg = seen
		case a.word == "ya":
			a.neg = i+1 < len(atoms) && atoms[i+1].word == "no"
		}
		seen = seen || a.neg
	}
}

// negated reports whether the statement holds a negation.
func (st statement) negated() bool {
	return slices.ContainsFunc(st.atoms, func(a atom) bool { return a.neg })
}

// full returns the keys to compare two statements by: all of them, but for the
// "do" before "not".
func (st statement) full() []string {
	return st.keys(func(i int) bool { return !st.isSupport(i) })
}

// affirmed returns the keys without negations.
func (st statement) affirmed() []string {
	return st.keys(func(i int) bool { return !st.atoms[i].neg && !st.isSupport(i) })
}

func (st statement) keys(keep func(i int) bool) []string {
	out := make([]string, 0, len(st.atoms))
	for i, a := range st.atoms {
		if keep(i) {
			out = append(out, a.key)
		}
	}
	return out
}

// isSupport reports whether atom i is the "do" or "does" of "does not".
func (st statement) isSupport(i int) bool {
	a := st.atoms
	return (a[i].word == "do" || a[i].word == "does") && i+1 < len(a) && a[i+1].neg && a[i+1].word == "not"
}

// flips reports whether one of two statements is the other's negation, and
// whether that is doubtful: the negation may deny a part only.
func flips(a, b statement) (flip, doubtful bool) {
	if a.negated() == b.negated() {
		return false, false
	}
	if b.negated() {
		a, b = b, a
	}
	core := a.affirmed()
	if len(core) == 0 || !slices.Equal(core, b.affirmed()) {
		return false, false
	}
	return true, !a.deniesAll()
}

// deniesAll reports whether the negation of a negated statement is a single one
// and denies the statement as a whole. It errs toward no.
func (st statement) deniesAll() bool {
	count := 0
	first := -1
	for i, a := range st.atoms {
		if a.class.has(subordinator) {
			return false
		}
		if !a.neg {
			continue
		}
		if first < 0 {
			first = i
		}
		if a.class.has(strict) {
			count++
		}
	}
	if count > 1 || first < 0 {
		return false
	}
	var before class
	if first > 0 {
		before = st.atoms[first-1].class
	}
	switch st.atoms[first].word {
	case "not":
		followedByWith := first+1 < len(st.atoms) && isWith(st.atoms[first+1].word)
		return before.has(auxiliary) && !followedByWith
	case "pas":
		return false // without "ne" it denies a part
	}
	return !before.has(preposition)
}

// isWith reports whether "not" before the word comes from "without".
func isWith(word string) bool {
	for _, with := range withNegation {
		if word == with {
			return true
		}
	}
	return false
}
