package extract

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
)

// pattern is a regular expression with two cheap tests before it. A clause
// meets some hundred patterns and matches one or two. Most of the others can be
// told by a string they need and the clause lacks, at a hundredth of the cost.
// One that can match anywhere is tried only where it can begin. The tests and
// the expression are made when they are first used.
type pattern struct {
	sieve  func() sieve
	re     func() *regexp.Regexp
	within func() *within // nil: tried everywhere
}

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

// expr makes a pattern of an expression. Names in braces stand for the word
// lists of [lexicon].
func expr(source string) *pattern {
	full := sync.OnceValue(func() string { return strings.NewReplacer(lexicon()...).Replace(source) })
	return &pattern{
		sieve:  sync.OnceValue(func() sieve { return sieveOf(full()) }),
		re:     sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(full()) }),
		within: sync.OnceValue(func() *within { return withinOf(full()) }),
	}
}

// may reports whether the pattern can match a text in lower case.
func (p *pattern) may(low string) bool {
	s := p.sieve()
	return (s.fronts == nil || opensWith(low, s.fronts)) && (s.required == nil || holds(low, s.required))
}

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

func (p *pattern) MatchString(s string) bool { return p.find(s) != nil }

func (p *pattern) FindString(s string) string {
	at := p.find(s)
	if at == nil {
		return ""
	}
	return s[at[0]:at[1]]
}

func (p *pattern) FindStringIndex(s string) []int {
	at := p.find(s)
	if at == nil {
		return nil
	}
	return at[:2]
}

func (p *pattern) FindStringSubmatch(s string) []string {
	if !p.may(strings.ToLower(s)) {
		return nil
	}
	return p.re().FindStringSubmatch(s)
}

func (p *pattern) FindStringSubmatchIndex(s string) []int { return p.find(s) }

// Split cuts s at the matches, as [regexp.Regexp.Split] with no limit.
func (p *pattern) Split(s string) []string {
	if p.find(s) == nil {
		return []string{s}
	}
	return p.re().Split(s, -1)
}

func (p *pattern) FindAllStringSubmatchIndex(s string) [][]int {
	if p.find(s) == nil {
		return nil
	}
	return p.re().FindAllStringSubmatchIndex(s, -1)
}

func (p *pattern) ReplaceAllString(s, with string) string {
	if p.find(s) == nil {
		return s
	}
	return p.re().ReplaceAllString(s, with)
}

// find returns the first match with its groups, as
// [regexp.Regexp.FindStringSubmatchIndex].
func (p *pattern) find(s string) []int {
	low := strings.ToLower(s)
	if !p.may(low) {
		return nil
	}
	if w := p.within(); w != nil && isASCII(s) {
		return w.find(s, low)
	}
	return p.re().FindStringSubmatchIndex(s)
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

// fronts returns the strings that a sequence of expressions can open with, in
// lower case, and whether it can match nothing at all. The list is nil when an
// opening is not a plain string.
func fronts(parts []*syntax.Regexp) (list []string, empty bool) {
	for i, part := range parts {
		var own []string
		skips := false
		switch part.Op {
		case syntax.OpEmptyMatch, syntax.OpWordBoundary, syntax.OpNoWordBoundary, syntax.OpBeginText:
			continue
		case syntax.OpLiteral:
			own = []string{strings.ToLower(string(part.Rune))}
			if len(part.Rune) == 1 {
				own = extended(own[0], parts[i+1:])
			}
		case syntax.OpCharClass:
			own = fewRunes(part.Rune)
		case syntax.OpCapture, syntax.OpConcat:
			own, skips = fronts(part.Sub)
		case syntax.OpPlus:
			own, skips = fronts(part.Sub)
		case syntax.OpQuest, syntax.OpStar:
			if own, skips = fronts(part.Sub); own == nil && !skips {
				return nil, false
			}
			skips = true
		case syntax.OpAlternate:
			for _, sub := range part.Sub {
				r, e := fronts([]*syntax.Regexp{sub})
				if skips = skips || e; r == nil && !e {
					return nil, false
				}
				own = append(own, r...)
			}
		}
		if own == nil && !skips {
			return nil, false
		}
		if list = append(list, own...); len(list) > maxSigns {
			return nil, false
		}
		if !skips {
			return list, false
		}
	}
	return list, true
}

// extended returns a front of one character with what can follow it, where that
// is known: a space alone tells little.
func extended(front string, rest []*syntax.Regexp) []string {
	next, empty := fronts(rest)
	if empty || len(next) == 0 {
		return []string{front}
	}
	out := make([]string, len(next))
	for i, n := range next {
		out[i] = front + n
	}
	return out
}

// fewRunes returns the characters of a small class, such as white space, in
// lower case; nil for a larger one. The class is pairs of first and last.
func fewRunes(class []rune) []string {
	const few = 8
	var out []string
	for i := 0; i+1 < len(class); i += 2 {
		for r := class[i]; r <= class[i+1]; r++ {
			if len(out) == few {
				return nil
			}
			out = append(out, strings.ToLower(string(r)))
		}
	}
	return out
}
