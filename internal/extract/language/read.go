package language

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Statement is what a clause says.
type Statement struct {
	Kind string // "user", "project" or "feedback"
	// Rule is the entity of the slot that a standing wish fills; empty for none.
	Rule string
	// Relation is the English name of somebody or something of the user's that it is
	// about, "cat"; empty for the user.
	Relation string
	// Attribute is the attribute of the user or of the relation that it gives, in
	// English; empty for none.
	Attribute string
	Value     string // what the attribute is, as it stands in Text
	Text      string // in the person's words, without a final mark
	Ended     bool   // Value is no longer so
	Explicit  bool   // it was asked to be kept
	// Corrects reports that it puts right what was said before: by Text itself where
	// that is not empty, else with Value in the place of Wrong, or of a value of the
	// same kind.
	Corrects bool
	Wrong    string
}

// Reader reads the sentences of one turn. The zero Reader is ready to use.
type Reader struct {
	owner      string // whom the sentence before was about: "meine Schwester"
	correcting bool   // the sentence before was "no" and nothing else
	greeted    bool   // the sentence before opened with a greeting
	closed     bool   // what follows is a text to work on
}

// Read returns what a sentence says that lasts. Of a question only what is stated
// before it counts.
func (r *Reader) Read(l *Language, sentence string, question bool) []Statement {
	var out []Statement
	if r.closed || len(sentence) > maxSentence {
		return nil
	}
	owner, small := r.owner, !strings.ContainsFunc(sentence, unicode.IsUpper)
	greeted := r.greeted
	r.owner, r.greeted = "", false
	for _, text := range l.cut(sentence, question) {
		c := l.open(text)
		c.small = small
		c.greeted = c.greeted || greeted
		greeted = c.greeted
		if r.correcting {
			c.correct, r.correcting = true, false
		}
		if c.text == "" {
			r.correcting = c.correct
			continue
		}
		st, end := l.state(c, owner)
		if l.material.MatchString(c.low) {
			r.closed = true
			return out
		}
		if end {
			break
		}
		if st.Text != "" || st.Corrects {
			out = append(out, st)
		}
		if who := l.subjectOf(st.Text); who != "" {
			owner = who
		}
	}
	r.owner, r.greeted = owner, greeted && len(out) == 0
	return out
}

// maxSentence bounds a sentence, in bytes.
const maxSentence = 600

// clause is a part of a sentence, without the words that it opens with.
type clause struct {
	text, low         string // as it is written, and in lower case at the same places
	correct, explicit bool
	small             bool // whoever wrote it uses no capitals
	greeted           bool // it follows a greeting
}

// with returns the clause with other words.
func (c clause) with(text string) clause {
	c.text, c.low = text, lower(text)
	return c
}

// skip drops the first n bytes.
func (c *clause) skip(n int) {
	c.text = strings.TrimLeft(c.text[n:], " ,:;.!、，：-–—")
	c.low = c.low[len(c.low)-len(c.text):]
}

// open takes off what a clause opens and closes with, and notes what it says.
func (l *Language) open(text string) clause {
	c := clause{}.with(strings.Trim(text, " ,:;.!、，：-–—¿¡"))
	for range 6 {
		before := len(c.text)
		if at := l.correct.FindStringIndex(c.low); at != nil {
			c.correct = true
			c.skip(at[1])
		}
		if at := l.remember.FindStringIndex(c.low); at != nil {
			c.explicit = true
			c.skip(at[1])
		}
		if at := l.greeting.FindStringIndex(c.low); at != nil {
			c.greeted = true
			c.skip(at[1])
		}
		if at := l.lead.FindStringIndex(c.low); at != nil {
			c.skip(at[1])
		}
		if len(c.text) == before {
			break
		}
	}
	if at := l.tail.FindStringIndex(c.low); at != nil {
		c.text, c.low = c.text[:at[0]], c.low[:at[0]]
	}
	return c
}

// state returns what a clause says; end reports that all which follows in its
// sentence is a condition or somebody else's words. owner is whom a pronoun means.
func (l *Language) state(c clause, owner string) (st Statement, end bool) {
	st = Statement{Kind: "user", Explicit: c.explicit}
	if m, ok := l.match(l.feedback, c); ok && !strings.Contains(c.text, "\uFFFC") {
		st = l.statement(m)
		st.Rule, st.Attribute = l.ruleSlot(m.clause.low)
		return st, false
	}
	if l.condition.MatchString(c.low) || l.report.MatchString(c.low) {
		return Statement{}, true
	}
	if _, left := l.match(l.leave, c); left || l.refuse.MatchString(c.low) || strings.Contains(c.text, "\uFFFC") {
		return Statement{}, false
	}
	m, ok := l.find(c)
	if !ok && owner != "" {
		m, ok = l.findAbout(c, owner)
	}
	switch {
	case ok && m.rule.kind == "plan":
		ok = l.tellsTime(c.low)
	case ok && !c.explicit && !m.rule.lasts():
		ok = !l.passing.MatchString(c.low)
	}
	if ok {
		st = l.statement(m)
		st.Explicit, st.Corrects = c.explicit, c.correct
		if l.past.MatchString(m.clause.low) {
			st.Attribute, st.Relation = "", ""
		}
		return st, false
	}
	if !c.correct && l.ask.MatchString(c.low) {
		return Statement{}, false
	}
	if c.explicit {
		if l.length(c.text) < 3 {
			return Statement{}, false
		}
		st.Kind = "project"
		if l.begins.MatchString(c.low) {
			st.Kind = "user"
		}
		for _, o := range l.orders {
			if again, ok := o.apply(c); ok && o.retold {
				c = again
				break
			}
		}
		st.Text = capitalize(c.text)
		return st, false
	}
	return l.correction(c), false
}

// correction returns the new value that a clause gives, a statement of nothing where it
// gives none.
func (l *Language) correction(c clause) Statement {
	for i := range l.right {
		m, ok := l.right[i].match(c)
		if !ok {
			continue
		}
		st := Statement{Corrects: true, Value: m.groups["value"], Wrong: m.groups["wrong"]}
		if st.Value != "" && (c.correct || st.Wrong != "") && l.length(st.Value) <= 6 {
			return st
		}
	}
	if c.correct && l.length(c.text) <= 3 {
		return Statement{Corrects: true, Value: c.text}
	}
	return Statement{}
}

// find returns the first rule that a clause matches, in its own order of the words or in
// another.
func (l *Language) find(c clause) (match, bool) {
	if m, ok := l.match(l.rules, c); ok {
		return m, true
	}
	for _, o := range l.orders {
		again, ok := o.apply(c)
		if !ok {
			continue
		}
		if m, ok := l.match(l.rules, again); ok {
			if !o.retold {
				m.text = c.text
			}
			return m, true
		}
	}
	return match{}, false
}

// findAbout reads a clause as one about owner: with its pronoun replaced, or without a
// subject.
func (l *Language) findAbout(c clause, owner string) (match, bool) {
	rest := c.text
	if at := l.pronoun.FindStringIndex(c.low + " "); at != nil && at[1] < len(c.text) {
		rest = strings.TrimLeft(c.text[at[1]:], " ")
	} else if l.begins.MatchString(c.low) {
		return match{}, false
	} else if first, n := utf8.DecodeRuneInString(rest); unicode.IsUpper(first) {
		rest = string(unicode.ToLower(first)) + rest[n:] // it opened the sentence
	}
	return l.find(c.with(owner + l.space() + rest))
}

// tellsTime reports whether a clause names a time.
func (l *Language) tellsTime(low string) bool {
	if l.when.MatchString(low) {
		return true
	}
	for _, d := range l.dates {
		if d.pattern.MatchString(low) {
			return true
		}
	}
	return false
}

// length is how many words a text has; in a script that does not part them, two letters
// count as one.
func (l *Language) length(s string) int {
	if l.spaced {
		return len(strings.Fields(s))
	}
	return (utf8.RuneCountInString(s) + 1) / 2
}

func (l *Language) space() string {
	if l.spaced {
		return " "
	}
	return ""
}

// apply puts the words of a clause into another order.
func (o order) apply(c clause) (clause, bool) {
	at := o.pattern.FindStringSubmatchIndex(c.low)
	if at == nil {
		return clause{}, false
	}
	text := string(o.pattern.ExpandString(nil, o.text, c.text, at))
	return c.with(strings.Join(strings.Fields(text), " ")), true
}
