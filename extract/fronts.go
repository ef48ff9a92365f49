package extract

import (
	"regexp/syntax"
	"strings"
)

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
		if list = append(list, own...); len(list) > maxFronts {
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

// maxFronts bounds a list of fronts; a longer one would cost what it saves.
const maxFronts = 250

func opensWith(low string, fronts []string) bool {
	for _, front := range fronts {
		if strings.HasPrefix(low, front) {
			return true
		}
	}
	return false
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
