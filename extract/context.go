package extract

import (
	"strings"

	"github.com/strata-memory/strata"
)

var (
	ours = expr(`(?i)^(?:we|we're|we've|our|let's)\b`)
	// notAFact are openings that "remember that" does not turn into a fact.
	notAFact      = expr(`(?i)^(?:to|when|what|how|where|who|why|if|whether|the time|last|our (?:last|previous)|me|you|your|him|her|them|it)\b`)
	relationStart = expr(`(?i)^((?:my|our) (?:{relation}))(?:,? (\p{Lu}[\pL'-]+))?\b`)
	heShe         = expr(`(?i)^(she|he|it)(?:'s|'ll)? `)
	// rightValue is the new value of a correction.
	rightValue = expr(`(?i)^(?:it's|it is|it was|that's|that is|that should be|it should be|should be|i meant(?: to say)?|i mean|make that|make it|(?:s?he|it)(?:'s| is) (?:called|named)|not .{1,40}?,? but)\s+(?:actually |really |now |called |named |spelled |spelt |on |at |in |the )*(.+?)(?:,? (?:not|and not|instead of|rather than) .+)?(?: (?:now|instead|actually|though|of course|sorry))*$`)
	rightAlone = expr(`^(\S+(?: \S+)?),? not \S+.*$`)
)

// explicitFact makes a fact of what somebody asked to remember and no rule knows.
func explicitFact(c clause) (match, bool) {
	if notAFact.MatchString(c.text) || words(c.text) < 3 || asks.MatchString(c.text) {
		return match{}, false
	}
	kind, _, _ := Classify(c.text)
	return match{compiled: &compiled{rule: rule{name: "asked to remember", kind: kind, sure: certain, tense: future,
		verbatim: kind == strata.TypeFeedback, deictic: kind == strata.TypeFeedback}}}, true
}

// relationSubject returns the person or animal of one's own that a clause is about.
func relationSubject(text string) string {
	m := relationStart.FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	if m[2] != "" && startsUpper(m[2]) {
		return m[1] + " " + m[2]
	}
	return m[1]
}

var (
	women   = expr(`(?i)\b(?:wife|girlfriend|mother|mom|mum|sister|daughter|granddaughter|grandmother|grandma|gran|nan|granny|aunt|auntie|niece|landlady|godmother|goddaughter|stepmother|stepdaughter|ex-wife|\pL+-in-law)\b`)
	men     = expr(`(?i)\b(?:husband|boyfriend|father|dad|brother|son|grandson|grandfather|grandpa|grandad|uncle|nephew|godfather|godson|stepfather|stepson|ex-husband|landlord)\b`)
	animals = expr(`(?i)\b(?:cat|dog|puppy|kitten|rabbit|hamster|parrot|horse|pony|tortoise|turtle|guinea pig|goldfish|pet|bird|snake|lizard|budgie|ferret)\b`)
)

// replacePronoun puts the person the sentence before was about where the clause
// says "she", "he" or, of an animal, "it".
func replacePronoun(text, relation string) string {
	m := heShe.FindStringSubmatch(text)
	if m == nil {
		return text
	}
	switch strings.ToLower(m[1]) {
	case "she":
		if men.MatchString(relation) {
			return text
		}
	case "he":
		if women.MatchString(relation) {
			return text
		}
	case "it":
		if !animals.MatchString(relation) {
			return text
		}
	}
	rest := text[len(m[1]):]
	switch {
	case strings.HasPrefix(rest, "'s got "):
		rest = " has " + rest[len("'s got "):]
	case strings.HasPrefix(rest, "'s "):
		rest = " is " + rest[len("'s "):]
	}
	return relation + rest
}

// corrected finds the statement that a correction means and the value it gives
// it. The new value must be of the old one's kind: a weekday for a weekday, a
// number for a number, a name for a name.
func (s *extractor) corrected(c clause, speaker string) (previous, string, bool) {
	m := rightValue.FindStringSubmatch(c.text)
	if m == nil {
		if m = rightAlone.FindStringSubmatch(c.text); m == nil && c.correct && words(c.text) <= 2 {
			m = []string{c.text, c.text}
		}
	}
	if m == nil || !c.correct && !strings.Contains(c.text, " not ") && !strings.HasPrefix(strings.ToLower(c.text), "i meant") {
		return previous{}, "", false
	}
	value := strings.Trim(m[1], " .,!\"'")
	for i := len(s.recent) - 1; i >= 0; i-- {
		h := s.recent[i]
		if s.turns-h.turn > 2 {
			break
		}
		if h.speaker != speaker || h.made.entity == "" {
			continue
		}
		if shape(value) == shape(h.made.value) && shape(value) != "" && !strings.EqualFold(value, h.made.value) &&
			strings.Count(h.made.content, h.made.value) == 1 {
			return h, value, true
		}
	}
	return previous{}, "", false
}

var (
	weekdayShape = expr(`(?i)^(?:` + weekdays + `)s?$`)
	dateShape    = expr(`(?i)^` + dayPattern + `(?:,? (?:19|20)\d\d)?$`)
	numberShape  = expr(`^\d[\d.,:]*$`)
	urlShape     = expr(`^` + url + `$`)
	nameShape    = expr(`^\p{Lu}[\pL'.-]*(?: (?:\p{Lu}|de |van |von |la )[\pL'.-]*){0,3}$`)
)

// shape names the kind of a value; "" for a kind that is not corrected.
func shape(v string) string {
	switch {
	case weekdayShape.MatchString(v):
		return "weekday"
	case dateShape.MatchString(v):
		return "date"
	case numberShape.MatchString(v):
		return "number"
	case urlShape.MatchString(v):
		return "url"
	case nameShape.MatchString(v):
		return "name"
	}
	return ""
}

// with returns the statement with another value.
func (m statement) with(value string) statement {
	if weekdayShape.MatchString(m.value) && !strings.HasSuffix(m.value, "s") {
		value = strings.TrimSuffix(value, "s") // the plural is outside the value
	}
	m.content = strings.Replace(m.content, m.value, value, 1)
	m.value = value
	return m
}
