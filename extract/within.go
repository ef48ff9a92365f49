package extract

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// within finds a pattern that can begin anywhere in a text. The expression is
// tried only at the places where one of the strings stands that it can open
// with; to try it at every place costs most of the time of reading a clause.
type within struct {
	fronts []string // in lower case
	first  [256]bool
	re     *regexp.Regexp // anchored at its start
}

// withinOf returns nil for an expression that is bound to the start of a text,
// looks at what stands before it, or can open with anything.
func withinOf(source string) *within {
	tree, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		return nil
	}
	parts := flat(tree)
	if looksBehind(parts...) {
		return nil
	}
	list, empty := fronts(parts)
	if empty || len(list) == 0 {
		return nil
	}
	w := &within{fronts: list, re: regexp.MustCompile(`^(?:` + source + `)`)}
	for _, front := range list {
		if front == "" || front[0] >= utf8.RuneSelf {
			return nil
		}
		w.first[front[0]] = true
	}
	return w
}

// looksBehind reports whether a match of these parts, one after another, may
// depend on what stands before it.
func looksBehind(parts ...*syntax.Regexp) bool {
	for _, re := range parts {
		switch re.Op {
		case syntax.OpBeginText, syntax.OpBeginLine, syntax.OpWordBoundary, syntax.OpNoWordBoundary, syntax.OpEmptyMatch:
			return true
		case syntax.OpAlternate:
			for _, sub := range re.Sub {
				if looksBehind(sub) {
					return true
				}
			}
		default:
			if looksBehind(re.Sub...) {
				return true
			}
		}
		if !mayBeEmpty(re) {
			return false
		}
		// Where it matches nothing, the next part begins.
	}
	return false
}

// mayBeEmpty reports whether an expression can match nothing.
func mayBeEmpty(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpLiteral, syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL, syntax.OpNoMatch:
		return false
	case syntax.OpQuest, syntax.OpStar:
		return true
	case syntax.OpRepeat:
		return re.Min == 0 || mayBeEmpty(re.Sub[0])
	case syntax.OpCapture, syntax.OpPlus:
		return mayBeEmpty(re.Sub[0])
	case syntax.OpAlternate:
		return slices.ContainsFunc(re.Sub, mayBeEmpty)
	case syntax.OpConcat:
		return !slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return !mayBeEmpty(sub) })
	}
	return true // it looks at a place and takes nothing
}

// find returns the first match in an ASCII text, which is given as it is and in
// lower case, with its groups; nil for none.
func (w *within) find(s, low string) []int {
	for i := range len(low) {
		if !w.first[low[i]] || !opensWith(low[i:], w.fronts) {
			continue
		}
		if at := w.re.FindStringSubmatchIndex(s[i:]); at != nil {
			for g := range at {
				if at[g] >= 0 {
					at[g] += i
				}
			}
			return at
		}
	}
	return nil
}
