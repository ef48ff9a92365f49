package question

import (
	"slices"
	"strings"

	"github.com/strata-memory/strata/internal/text"
)

// pronouns point to somebody or something that was named before.
var pronouns = text.WordSet(`it its he him his she her hers they them their theirs this that these those
	er sie es ihr ihre sein seine il elle lui leur son sa ses él ella su sus`)

// Parts divides a question that asks for several things, as [Analysis.Subquestions]
// does, into texts of which each can be asked alone. A part that points back is given
// the names of the part before; where there are none it is left out. Of a question of
// one part it returns nil.
func Parts(question string) []string {
	question = text.Analyze(text.Head(question, maxAnalyzed)).Composed()
	all := names(question)
	var out, carried []string
	divided := clauses(question)
	for _, clause := range divided {
		var named []string
		content, points := false, false
		for tok := range text.Tokens(clause) {
			content = content || !tok.Stop && !generic[tok.Word]
			points = points || pronouns[tok.Word]
			if i := slices.IndexFunc(all, func(n string) bool { return strings.EqualFold(n, withoutPossessive(tok.Word)) }); i >= 0 {
				named = append(named, all[i])
			}
		}
		switch {
		case len(named) > 0:
			carried = named
		case points && len(carried) > 0:
			clause += " " + strings.Join(carried, " ")
		case points:
			continue
		}
		if content {
			out = append(out, clause)
		}
		if len(out) == maxSubquestions {
			break
		}
	}
	if len(divided) < 2 {
		return nil
	}
	return out
}
