package extract

import (
	"slices"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
)

var (
	ours = expr(`(?i)^(?:we|we're|we've|our|let's)\b`)
	// notAFact are openings that "remember that" does not turn into a fact.
	notAFact      = expr(`(?i)^(?:to|when|what|how|where|who|why|if|whether|the time|last|our (?:last|previous)|me|you|your|him|her|them|it)\b`)
	relationStart = expr(`(?i)^((?:my|our) (?:{relation}))(?:,? (\p{Lu}[\pL'-]+))?\b`)
	heShe         = expr(`(?i)^(she|he|it)(?:'s|'ll)? `)
	// rightValue is the new value of a correction.
	rightValue = expr(`(?i)^(?:(?:his|her|its|their|the|my|our) (?:[\pL-]+ ){1,2}(?:is|was|should be|are)|it's|it is|it was|that's|that is|that should be|it should be|should be|i meant(?: to say)?|i mean|make that|make it|(?:s?he|it)(?:'s| is) (?:called|named)|not .{1,40}?,? but)\s+(?:actually |really |now |called |named |spelled |spelt |on |at |in |the |an? )*(.+?)(?:,? (?:now|instead|actually|though|of course|sorry|these days|from now on|nowadays))*$`)
)

// explicitFact makes a fact of what somebody asked to remember and no rule knows.
func explicitFact(c clause) (match, bool) {
	if notAFact.MatchString(c.text) || words(c.text) < 3 || asks.MatchString(c.text) {
		return match{}, false
	}
	kind, _, _ := Classify(text.Analyze(c.text))
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

// itIs opens a clause about the thing that the clause before it was about.
var itIs = expr(`(?i)^it(?:'s| is| was| will| has| (?:only|never|always|listens|runs|needs|takes|uses|lives|sits|starts|ends|comes|goes|belongs|contains|supports|costs|weighs|measures|expires|serves|stores|talks|exports|imports)) `)

// thingOf returns the thing that a clause is about, for an "it" in the next one:
// "my phone number changed, it's …".
func thingOf(text string) string {
	says := readClaim(text)
	if says.subject != ownSubj && says.subject != ourSubj && says.subject != thingSubj || strings.Count(says.who, " ") > 4 {
		return ""
	}
	return text[:min(len(text), len(says.who))]
}

var gotRelation = expr(`(?i)^(?:i|we|i've|we've) (?:just |recently |finally )?(?:have|got|adopted|rescued|bought|took in|welcomed) (?:an?|our|my) (?:[\pL-]+ ){0,3}?({relation})\b`)

// objectRelation returns the person or animal that a clause says to be new: "we got a
// puppy, she's called Luna".
func objectRelation(text string) string {
	if m := gotRelation.FindStringSubmatch(text); m != nil {
		return "my " + m[1]
	}
	return ""
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
		verb := " is "
		if says := readClaim(text); says.perfect || has.MatchString(rest) {
			verb = " has "
		}
		rest = verb + rest[len("'s "):]
	}
	return relation + rest
}

// has is "'s" before what somebody has done.
var has = expr(`(?i)^'s (?:(?:just|only|recently|already|now|since) )+(?:\pL+ed|been|gone|become|got|taken|started|left|begun|bought|sold|quit) |^'s (?:been|become|got|switched|moved|changed|started|stopped) `)

// corrected finds the statement that a correction means and returns it with the
// new value in it. What the correction says to be wrong names it ("PostgreSQL, not
// MySQL"); else it is the latest statement that holds one value of the same kind: a
// day for a day, a number for a number, a name for a name.
func (s *extractor) corrected(c clause, t strata.Turn) (previous, statement, bool) {
	value, wrong, ok := c.newValue()
	moved := movedTo.FindStringSubmatch(c.text)
	if moved != nil && !ok {
		value, ok = strings.TrimRight(moved[1], " .,!"), words(moved[1]) <= 5
	}
	says := readClaim(c.text)
	if !ok {
		return previous{}, statement{}, false
	}
	for i := len(s.recent) - 1; i >= 0; i-- {
		h := s.recent[i]
		if s.turns-h.turn > maxCorrected {
			break
		}
		if h.speaker != t.Speaker || value == c.text && h.made.value == "" && nameShape.MatchString(value) && !strings.Contains(h.made.content, value[strings.LastIndexByte(value, ' ')+1:]) {
			continue // a name alone is a correction of a name, not a cry
		}
		if moved != nil && says.subject != pronSubj && says.subject != weSubj && common(says.who, h.made.content) == 0 {
			continue // another thing has moved
		}
		if made, ok := h.made.corrected(value, wrong, t.At); ok {
			return h, made, true
		}
	}
	return previous{}, statement{}, false
}

// maxCorrected is how many turns of the user back a correction reaches.
const maxCorrected = 4

// newValue returns the value that a correction brings and the one that it says to
// be wrong, empty where it names none.
func (c clause) newValue() (value, wrong string, ok bool) {
	text := c.text
	if at := butNot.FindStringSubmatchIndex(text); at != nil {
		wrong = strings.Trim(text[at[2]:at[3]], " .,!\"'")
		text = text[:at[0]]
	} else if m := notBut.FindStringSubmatch(text); m != nil {
		wrong, text = strings.Trim(m[1], " .,!\"'"), "it's "+m[2]
	}
	if g := notThis.FindStringSubmatch(text); g != nil {
		wrong, text = strings.Trim(g[1], " "), "it's "+g[2]
	}
	m := rightValue.FindStringSubmatch(text)
	if withEnding.MatchString(text) && nameShape.MatchString(withEnding.ReplaceAllString(text, "")) {
		c.correct = true // "John with an h"
	}
	if put := trailing.FindStringSubmatch(text); put != nil && words(put[1]) <= 3 && !iSaid.MatchString(put[1]) {
		c.correct, text = true, put[1]
	}
	for _, shape := range [...]*pattern{spelledOut, counted, anotherNumber, onAnother, useThis} {
		if g := shape.FindStringSubmatch(text); g != nil && m == nil && (shape != onAnother || aTime.MatchString(strings.Join(g[1:], ""))) {
			m, c.correct = []string{"", strings.Join(g[1:], "")}, true
		}
	}
	switch {
	case m != nil:
		value = m[1]
	case wrong != "" && words(text) <= 4, c.correct && words(text) <= 3 && !yesNo.MatchString(text):
		value = text
	}
	value = strings.TrimSuffix(strings.TrimSuffix(value, " from now on"), " these days")
	value = strings.Trim(withEnding.ReplaceAllString(value, ""), " .,!\"'")
	meant := nowIs.MatchString(c.text) || strings.HasPrefix(strings.ToLower(c.text), "i meant")
	meant = meant || strings.HasPrefix(strings.ToLower(c.text), "make that") || m != nil && anAddress.MatchString(value)
	return value, wrong, value != "" && words(value) <= 6 && !onlySubject.MatchString(value) && (c.correct || meant || wrong != "")
}

// onlySubject is what stands before "not" in a whole sentence: "I'm not vegan".
var onlySubject = expr(`(?i)^(?:i|we|you|he|she|it|they|this|that|there)(?:'m|'re|'s|'ve|'d| am| are| is| was| were| do| did| does| have| has)?$`)

// anAddress can only be meant for what had another.
var anAddress = expr(`^(?:\S+@\S+\.\S+|\+?\d[\d ()/-]{6,}\d)$`)

// withEnding says how a name is written.
var withEnding = expr(`(?i),? (?:with|without) (?:an? |one |two |no )?(?:\pL|\pL\pL?'?s?)$`)

// nowIs says of something named before what it is now: "it's Thun now".
var nowIs = expr(`(?i)^(?:it's|it is|that's|they're|he's|she's) (?:now )?\S+(?: \S+){0,3}? (?:now|these days|from now on|nowadays)$|^(?:it's|it is) (?:now|spelled|spelt|written) `)

var (
	butNot = expr(`(?i),? (?:not|and not|instead of|rather than) ([^,]+?)(?:,? (?:sorry|of course|actually))?$`)
	notBut = expr(`(?i)^(?:it's |that's |i'm )?not ([^,]{1,40}?),? but (.+)$`)
	yesNo  = expr(`(?i)^(?:yes|no|nope|yeah|never mind|thanks|thank you|sorry|wait|really|again|please|one moment|hold on)\b`)
)

// corrected returns the statement with a new value in the place of the only one of
// its kind, or of the wrong one.
func (m statement) corrected(value, wrong string, at time.Time) (statement, bool) {
	old := m.content
	if first, rest, ok := strings.Cut(value, " "); ok && len(first) > 2 && !aNumber.MatchString(first) && strings.Contains(strings.ToLower(old), " "+strings.ToLower(first)+" ") {
		value = rest // "port 9090": of a port it was said before
	}
	if wrong != "" {
		from := strings.Index(strings.ToLower(old), strings.ToLower(wrong))
		if from < 0 || len(strings.ToLower(old)) != len(old) {
			return statement{}, false
		}
		to := from + len(wrong)
		return m.replaced(from, to+len(version.FindString(old[to:])), value), true
	}
	if aWord.MatchString(value) && aWord.MatchString(m.value) && strings.Count(old, m.value) == 1 {
		from := strings.Index(old, m.value)
		return m.replaced(from, from+len(m.value), value), true
	}
	for _, k := range valueKinds {
		if !k.whole.MatchString(value) {
			continue
		}
		if k.date { // a day is nothing else
			if found := dateSpan.FindAllStringSubmatchIndex(old); len(found) == 1 {
				from, to := found[0][0], found[0][1]
				if !weekdayShape.MatchString(value) && !endsInYear.MatchString(old[from:to]) {
					return m.replaced(from, to, value), true // every year
				}
				return m.replaced(from, to, onDay(value, at, m.when)), true
			}
			if found := weekdaySpan.FindAllStringSubmatchIndex(old); len(found) == 1 && weekdayShape.MatchString(value) {
				return m.replaced(found[0][2], found[0][3], strings.TrimSuffix(value, "s")), true
			}
			return statement{}, false
		}
		from, to, ok := k.place(old, m.value)
		if _, unit, two := strings.Cut(value, " "); ok && two && strings.HasPrefix(old[to:], " "+unit) {
			to += len(unit) + 1 // "three rooms", of "four rooms"
		}
		if ok && !strings.EqualFold(old[from:to], value) {
			if from > 0 && numberWord.MatchString(value) {
				value = lowerFirst(value)
			}
			return m.replaced(from, to, value), true
		}
	}
	return statement{}, false
}

// aWord is a value of one plain word: a color, the name of a repository.
var aWord = expr(`^\p{Ll}[\pL-]+$`)

var numberWord = expr(`(?i)^(?:` + numbers + `)\b`)

// replaced returns the statement with value in place of a part of its content.
func (m statement) replaced(from, to int, value string) statement {
	m.value = strings.Replace(m.value, m.content[from:to], value, 1)
	m.content = m.content[:from] + value + m.content[to:]
	return m
}

// onDay writes a day as statements do: ahead, unless they tell of the past.
func onDay(value string, at time.Time, t tense) string {
	if t == timeless {
		t = future
	}
	return strings.TrimPrefix(resolve("on "+strings.TrimPrefix(value, "the "), at, t), "on ")
}

// valueKind is a kind of values that one can stand for another.
type valueKind struct {
	date        bool
	whole, span *pattern // recognizes a value; finds one in a statement, as its first group where it has one
}

// valueKinds are the kinds that corrections know, the most special first.
var valueKinds = []valueKind{
	{date: true, whole: weekdayShape},
	{date: true, whole: dateShape},
	{whole: expr(`(?i)^(?:the )?\d{1,2}(?:st|nd|rd|th)$`), span: expr(`(?i)\b(\d{1,2}(?:st|nd|rd|th)?)(?: of)? (?:` + months + `)`)},
	{whole: urlShape, span: expr(url)},
	{whole: expr(`^\S+@\S+\.\S+$`), span: expr(`\S+@\S+\.\w+`)},
	{whole: expr(`(?i)^\d{1,2}(?::\d\d)? ?(?:am|pm|o'clock)$|^\d{1,2}:\d\d$|^(?:noon|midnight)$`), span: expr(`(?i)\b(?:\d{1,2}(?::\d\d)? ?(?:am|pm|o'clock)|\d{1,2}:\d\d|noon|midnight)\b`)},
	{whole: expr(`^\+?\d[\d ()/-]{5,}\d$`), span: expr(`\+?\d[\d ()/-]{5,}\d`)},
	{whole: expr(`^\pL+/[\w./-]+$|^v\d[\w.]*$`), span: expr(`\b\pL+/[\w./-]*\w|\bv\d[\w.]*`)},
	{whole: expr(`(?i)^(?:[€$£]\s?)?(?:\d[\d.,:]*|` + numbers + `)(?:\s?(?:%|[€$£]|\pL+))?$`), span: expr(`(?i)(?:[€$£]\s?)?\b(?:\d[\d.,:]*\d|\d|` + numbers + `)\b`)},
	{whole: nameShape, span: expr(`(?:^|[ (])(\p{Lu}[\pL'.-]*(?: (?:\p{Lu}|de |van |von |la |\d)[\pL\d'-]*){0,3})`)},
}

// place returns where in a statement its only value of the kind stands.
func (k valueKind) place(s, known string) (from, to int, ok bool) {
	if known != "" && k.whole.MatchString(known) && strings.Count(s, known) == 1 {
		from = strings.Index(s, known)
		return from, from + len(known), true
	}
	found := k.span.FindAllStringSubmatchIndex(s)
	found = slices.DeleteFunc(found, func(at []int) bool { // a capital opens every statement, and days are no names
		at = at[len(at)-2:]
		return at[0] == 0 || dayWord.MatchString(s[at[0]:at[1]])
	})
	if len(found) != 1 {
		return 0, 0, false
	}
	at := found[0][len(found[0])-2:]
	return at[0], at[1], true
}

var (
	dateSpan    = expr(`(?i)\b` + dayPattern + `(?:,? (?:19|20)\d\d)?\b`)
	weekdaySpan = expr(`(?i)\b(` + weekdays + `)s?\b`)
	dayWord     = expr(`(?i)^(?:` + months + `|` + weekdays + `)$`)
	endsInYear  = expr(`\d{4}$`)
	version     = expr(`^ v?\d[\w.]*`)
)

var (
	weekdayShape = expr(`(?i)^(?:` + weekdays + `)s?$`)
	dateShape    = expr(`(?i)^` + dayPattern + `(?:,? (?:19|20)\d\d)?$`)
	urlShape     = expr(`^` + url + `$`)
	nameShape    = expr(`^\p{Lu}[\pL'.-]*(?: (?:\p{Lu}|de |van |von |la |\d)[\pL\d'.-]*){0,3}$`)
)
