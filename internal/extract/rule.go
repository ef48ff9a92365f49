package extract

import (
	"strings"
	"sync"

	"github.com/strata-memory/strata"
)

// rule recognizes one way to state a lasting fact.
type rule struct {
	name string // becomes the reason of the candidate
	// heads are the first words a clause must have, parted by spaces; "*" is
	// any. They keep the cost of a clause to the few rules that can match.
	heads string
	// pattern is matched at the start of the clause, whatever the case. A name
	// in braces is replaced by a list of words, see [lexicon].
	pattern string
	kind    strata.Type
	sure    float64 // confidence; 0: [likely]
	tense   tense   // how dates without a year are read
	// reads looks at the groups of the match; nil accepts every match.
	reads func(m []string) (reading, bool)
	// verbatim keeps the person's words and person: an instruction, or a
	// statement that is not about them.
	verbatim bool
	// deictic allows words such as "it" and "this", where the rule knows what
	// they mean.
	deictic bool
}

// reading is what a rule makes of a match beyond the person's own words.
type reading struct {
	say               string // the statement in the first person; empty: the clause itself
	entity, attribute string // the slot, both empty for none
	value             string // what fills it, as it is in the statement
}

// The confidences of rules. A statement about oneself in plain words is as sure
// as text gets; a rule that leans on a wide pattern is less so.
const (
	certain = 0.95 // the person asked for it to be remembered
	sure    = 0.9
	likely  = 0.8
	fair    = 0.7
)

// compiled is a rule with its pattern.
type compiled struct {
	rule
	re *pattern
}

// ruleSet holds the rules by the first word of a clause, in the order they are tried.
type ruleSet struct {
	byHead map[string][]*compiled
	any    []*compiled
}

// rules is the book of all rules. It is built on first use, so that a program
// that never extracts does not pay for it.
var rules = sync.OnceValue(func() *ruleSet {
	b := &ruleSet{byHead: make(map[string][]*compiled)}
	for _, family := range [][]rule{
		feedbackRules(), referenceRules(), planRules(), peopleRules(), identityRules(), preferenceRules(),
		projectRules(),
	} {
		for _, r := range family {
			c := &compiled{rule: r, re: expr(`(?i)^(?:` + r.pattern + `)`)}
			if c.sure == 0 {
				c.sure = likely
			}
			for h := range strings.FieldsSeq(r.heads) {
				if h == "*" {
					b.any = append(b.any, c)
					continue
				}
				b.byHead[h] = append(b.byHead[h], c)
			}
		}
	}
	return b
})

// match is a clause that a rule recognized.
type match struct {
	*compiled
	reading
}

// find returns the first rule that recognizes a clause.
func (b *ruleSet) find(text string) (match, bool) {
	first, _, _ := strings.Cut(text, " ")
	first = strings.ToLower(strings.TrimRight(first, ",:"))
	for _, list := range [2][]*compiled{b.byHead[first], b.any} {
		for _, c := range list {
			groups := c.re.FindStringSubmatch(text)
			if groups == nil {
				continue
			}
			m := match{compiled: c}
			if c.reads != nil {
				var ok bool
				if m.reading, ok = c.reads(groups); !ok {
					continue
				}
			}
			if m.kind == strata.TypeFeedback && m.entity == "" {
				m.entity, m.attribute = ruleSlot(text)
			}
			return m, true
		}
	}
	return match{}, false
}
