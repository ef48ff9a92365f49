package extract

import (
	"regexp/syntax"
	"strings"
)

// sieve is what a text must hold, in lower case, for a pattern to match. A nil
// list asks for nothing.
type sieve struct {
	fronts   []string // one of these at the start
	required []sign   // one of these anywhere
}

// sign is a string with its first pair of bytes, which tells at once of most
// texts that they lack it.
type sign struct {
	text string
	pair uint16 // as pairOf makes it; 0 for a shorter string, which is always looked for
}

// pairs is a set of the pairs of adjacent bytes of a text, as one bit for each
// value of pairOf.
type pairs [1 << pairBits / 64]uint64

const pairBits = 11

// pairOf maps two bytes in lower case to a number below 1<<pairBits that is
// not 0. Different pairs may share one: then a search decides.
func pairOf(a, b byte) uint16 {
	return (uint16(a)<<5^uint16(a)>>2^uint16(b))&(1<<pairBits-1) | 1
}

func pairsOf(low string) (set pairs) {
	for i := 1; i < len(low); i++ {
		p := pairOf(low[i-1], low[i])
		set[p/64] |= 1 << (p % 64)
	}
	return set
}

func signsOf(list []string) []sign {
	if list == nil {
		return nil
	}
	signs := make([]sign, len(list))
	for i, s := range list {
		signs[i].text = s
		if len(s) > 1 {
			signs[i].pair = pairOf(s[0], s[1])
		}
	}
	return signs
}

// maxSigns bounds a list of a sieve; a longer one would cost what it saves.
const maxSigns = 250

func opensWith(low string, fronts []string) bool {
	for _, front := range fronts {
		if strings.HasPrefix(low, front) {
			return true
		}
	}
	return false
}

// holds reports whether one of the signs is in a text.
func holds(low string, signs []sign) bool {
	const few = 3 // signs are found quicker than the pairs of a text
	if len(signs) <= few {
		for _, s := range signs {
			if strings.Contains(low, s.text) {
				return true
			}
		}
		return false
	}
	set := pairsOf(low)
	for _, s := range signs {
		if (s.pair == 0 || set[s.pair/64]&(1<<(s.pair%64)) != 0) && strings.Contains(low, s.text) {
			return true
		}
	}
	return false
}

// sieveOf derives the sieve of an expression. One that cannot be parsed has no
// sieve; compiling it reports why.
func sieveOf(source string) sieve {
	tree, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		return sieve{}
	}
	s := sieve{required: signsOf(required(tree))}
	if parts := flat(tree); parts[0].Op == syntax.OpBeginText {
		if list, empty := fronts(parts[1:]); !empty {
			s.fronts = list
		}
	}
	return s
}

// flat returns the parts of a concatenation, or the expression alone.
func flat(re *syntax.Regexp) []*syntax.Regexp {
	for re.Op == syntax.OpCapture {
		re = re.Sub[0]
	}
	if re.Op == syntax.OpConcat {
		return re.Sub
	}
	return []*syntax.Regexp{re}
}

// required returns strings one of which every match holds, in lower case, or
// nil when there is no such list that is worth its while.
func required(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		return []string{strings.ToLower(string(re.Rune))}
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return required(re.Sub[0])
		}
	case syntax.OpConcat:
		var best []string
		for _, sub := range re.Sub {
			if r := required(sub); rarer(r, best) {
				best = r
			}
		}
		return best
	case syntax.OpAlternate:
		var all []string
		for _, sub := range re.Sub {
			r := required(sub)
			if r == nil {
				return nil
			}
			if all = append(all, r...); len(all) > maxSigns {
				return nil
			}
		}
		return all
	}
	return nil
}

// rarer reports whether a says more than b: its shortest string is longer, or
// it has fewer of them.
func rarer(a, b []string) bool {
	if a == nil || b == nil {
		return a != nil
	}
	la, lb := shortest(a), shortest(b)
	return la > lb || la == lb && len(a) < len(b)
}

func shortest(list []string) int {
	n := 4 // longer ones tell no better
	for _, s := range list {
		n = min(n, len(s))
	}
	return n
}
