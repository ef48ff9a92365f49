package recall

import (
	"slices"

	"github.com/strata-memory/strata/concept"
	"github.com/strata-memory/strata/internal/text"
)

const (
	// maxTags is the most concept tags of a question.
	maxTags = 4
	// tagWeight is what a word counts that only a tag holds: a glossary's name
	// for what the question says in other words.
	tagWeight = 0.3
)

// tags fills Tags and adds the words that only they hold, so that they meet the
// tags that FactText puts into the index.
func (a *Analysis) tags(question string) {
	a.Tags = concept.Derive(question, maxTags)
	for _, tag := range a.Tags {
		for _, tok := range text.Analyze(tag) {
			known := slices.ContainsFunc(a.Terms, func(t Term) bool { return t.Term == tok.Term })
			if !known && !tok.Stop && len(a.Terms) < maxTerms {
				a.Terms = append(a.Terms, Term{Term: tok.Term, Word: tok.Word, Weight: tagWeight})
			}
		}
	}
}
