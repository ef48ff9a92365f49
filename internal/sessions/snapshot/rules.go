package snapshot

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/secrets"
	"github.com/strata-memory/strata/internal/secrets/fence"
	"github.com/strata-memory/strata/internal/text"
)

// split separates the standing rules from the other facts.
func split(all []strata.Fact) (facts, rules []strata.Fact) {
	for _, f := range all {
		if f.Type == strata.TypeFeedback {
			rules = append(rules, f)
		} else {
			facts = append(facts, f)
		}
	}
	return facts, rules
}

// showableRules returns the rules that hold now and may be shown in a session of the
// kind. How the user wants work done is not private; how the user is addressed is.
func showableRules(rules []strata.Fact, kind strata.SessionKind, now time.Time) (out []strata.Fact, private int) {
	for _, f := range rules {
		switch {
		case !f.Current(), f.Text == strata.ForgottenText, strings.TrimSpace(f.Text) == "":
		case f.ValidTo != nil && f.ValidTo.Before(now):
		case others(kind) && f.Entity == strata.RuleAnswers && f.Attribute == strata.RuleAddress:
			private++
		default:
			out = append(out, f)
		}
	}
	return out, private
}

// chooseRules sets the lines of the rules, last said or used first, so that the least
// recently used are cut first. Each text is listed once, and for each slot only the rule
// of the most specific scope. chooseRules returns the texts in the normal form of package
// internal/text.
func (c *content) chooseRules(rules []strata.Fact, l Limits, now time.Time) (said map[string]bool) {
	c.rulePart = Part{Kind: PartRules, Total: len(rules)}
	deepest := deepestOf(rules)
	slices.SortFunc(rules, func(a, b strata.Fact) int {
		return cmp.Or(lastUse(b).Compare(lastUse(a)), cmp.Compare(depth(b.Scope), depth(a.Scope)),
			cmp.Compare(a.ID, b.ID), cmp.Compare(a.Scope.Key(), b.Scope.Key()), cmp.Compare(a.Text, b.Text))
	})
	said = make(map[string]bool)
	for _, f := range rules {
		key := text.Normalize(f.Text)
		if said[key] || depth(f.Scope) < deepest[slotOf(&f)] {
			continue
		}
		said[key] = true
		line, redacted, threats := ruleLine(f, l, now)
		c.rules = append(c.rules, line)
		c.rulePart.note(redacted, threats)
	}
	c.distinctRules = len(c.rules)
	return said
}

// lastUse returns when a fact was last said, or shown to somebody who asked.
func lastUse(f strata.Fact) time.Time {
	if f.LastAccess.After(f.RecordedAt) {
		return f.LastAccess
	}
	return f.RecordedAt
}

// deepestOf returns the depth of the most specific scope that fills each slot.
func deepestOf(facts []strata.Fact) map[slot]int {
	holder := make(map[slot]int)
	for i := range facts {
		if s := slotOf(&facts[i]); s != (slot{}) {
			holder[s] = max(holder[s], depth(facts[i].Scope))
		}
	}
	return holder
}

// ruleLine returns the line for a rule: "- Always answer in Spanish. (400 days old,
// verify)".
func ruleLine(f strata.Fact, l Limits, now time.Time) (line string, redacted int, threats []string) {
	plain, found := secrets.Redact(f.Text)
	threats = threatsIn(plain)
	return "- " + cutFact(fence.Line(plain), l.FactChars) + marks(f, threats, l, now), len(found), threats
}

// note adds what was found in one line to the report of the part.
func (p *Part) note(redacted int, threats []string) {
	p.Redacted += redacted
	for _, t := range threats {
		if !slices.Contains(p.Threats, t) {
			p.Threats = append(p.Threats, t)
		}
	}
}
