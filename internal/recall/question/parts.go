package question

import (
	"slices"
	"strings"

	"github.com/strata-memory/strata/internal/text"
)

// pronouns refer to somebody or something named before.
var pronouns = text.WordSet(`it its he him his she her hers they them their theirs this that these those
	er sie es ihr ihre sein seine il elle lui leur son sa ses él ella su sus`)

// Parts splits a question that asks for several things, like [Analysis.Subquestions],
// into texts that can each be asked alone. It appends the names of the previous part to a
// part that refers back; if there are none, it leaves the part out. It returns nil for a
// question of one part.
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
