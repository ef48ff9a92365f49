package extract

import (
	"strings"

	"github.com/strata-memory/strata/internal/text"
)

// subject is whom or what a clause is about.
type subject int

const (
	noSubj    subject = iota // an order, or words without a verb
	selfSubj                 // the speaker: "I"
	ownSubj                  // somebody or something of the speaker's: "my sister", "my visa"
	weSubj                   // "we"
	ourSubj                  // "our build"
	namedSubj                // a name: "Marco from the platform team"
	thingSubj                // "the on-call rotation", "handlers"
	youSubj                  // whoever is spoken to
	pronSubj                 // "it", "that", "there", "they": only the surroundings tell
)

// claim is the grammar of a clause in English: who, what form of which verb, and
// what follows it. It decides whether the clause states something that lasts,
// before any rule says what.
type claim struct {
	subject subject
	who     string // words of the subject, in lower case
	verb    string // base form of the main verb; "" without one
	form    form
	tense   tense
	modal   string // "can", "will", "must" ...
	// progressive is "I'm learning", perfect "I have lived", passive "it is kept".
	progressive, perfect, negated bool
	adverbs                       []string
	object                        string // what follows the verb, as it is written
	words                         []string
}

// has reports whether one of the adverbs around the verb is w.
func (c *claim) has(w string) bool {
	for _, a := range c.adverbs {
		if a == w {
			return true
		}
	}
	return false
}

// expansions write contractions out, those without an apostrophe too.
var expansions = map[string]string{
	"i'm": "i am", "im": "i am", "i've": "i have", "ive": "i have", "i'll": "i will", "i'd": "i would", "we're": "we are", "we've": "we have",
	"we'll": "we will", "we'd": "we would", "you're": "you are", "you've": "you have", "you'll": "you will", "he's": "he is", "she's": "she is",
	"it's": "it is", "that's": "that is", "there's": "there is", "he'll": "he will", "she'll": "she will", "they're": "they are", "they've": "they have",
	"don't": "do not", "dont": "do not", "doesn't": "does not", "doesnt": "does not", "didn't": "did not", "didnt": "did not", "can't": "can not",
	"cant": "can not", "cannot": "can not", "won't": "will not", "wont": "will not", "isn't": "is not", "isnt": "is not", "aren't": "are not",
	"wasn't": "was not", "weren't": "were not", "haven't": "have not", "hasn't": "has not", "hadn't": "had not", "mustn't": "must not",
	"shouldn't": "should not", "wouldn't": "would not", "couldn't": "could not", "gonna": "going to", "wanna": "want to",
}

// token is a word with where its text begins in the clause.
type token struct {
	low  string
	at   int  // of the word it stands in
	name bool // written with a capital
}

func tokens(s string) []token {
	var out []token
	for at := 0; at < len(s); {
		if s[at] == ' ' {
			at++
			continue
		}
		end := at
		for end < len(s) && s[end] != ' ' {
			end++
		}
		w := strings.Trim(s[at:end], ",.;:!?()\"'“”…")
		low := strings.ToLower(w)
		if noun, ok := strings.CutSuffix(low, "'s"); ok && len(noun) > 1 && expansions[low] == "" && isAfter(s[end:]) {
			out = append(out, token{low: noun, at: at, name: startsUpper(w)}, token{low: "is", at: at})
			at = end
			continue
		}
		if full, ok := expansions[low]; ok {
			for part := range strings.FieldsSeq(full) {
				out = append(out, token{low: part, at: at})
			}
		} else if low != "" {
			out = append(out, token{low: low, at: at, name: startsUpper(w)})
		}
		at = end
	}
	return out
}

// isAfter reports whether what follows a noun with "'s" makes it an "is" or "has":
// "the van's a Transit", "Graham's got a dog"; before a noun it says whose.
func isAfter(rest string) bool {
	next, _, _ := strings.Cut(strings.TrimLeft(rest, " "), " ")
	low := strings.ToLower(strings.Trim(next, ",.;:!?"))
	if low == "" {
		return false
	}
	_, f := verbOf(low)
	return f == ing && !strings.HasPrefix(rest, " wedding") || determiners[low] && low != "no" || midAdverbs[low] || aside[low] || lastingStates.MatchString(low)
}

var aside = text.WordSet(`got been called named gone in on at from with of my our your his her their out off up just outside near`)

var auxiliaries = text.WordSet(`am is are was were be been being do does did have has had can could will would shall should may might must`)
var modals = text.WordSet(`can could will would shall should may might must`)
var midAdverbs = text.WordSet(`always never often usually sometimes also just still now only ever already mostly actually really currently normally
	typically generally rarely seldom absolutely both even all either mainly then once first finally recently totally not no longer almost nearly quite
	basically originally permanently strictly exclusively primarily probably definitely since regularly occasionally completely severely highly deathly mildly
	very so too pretty quite happily officially technically legally`)

// readClaim reads the grammar of a clause.
func readClaim(s string) claim {
	ts := tokens(s)
	c := claim{}
	for _, t := range ts {
		c.words = append(c.words, t.low)
	}
	if len(ts) == 0 {
		return c
	}
	verb := c.findSubject(ts)
	if verb < 0 {
		c.object = s
		return c
	}
	c.who = strings.Join(c.words[:verb], " ")
	c.verbGroup(s, ts, verb)
	return c
}

// findSubject sets the subject and returns where its verb begins, -1 without one.
func (c *claim) findSubject(ts []token) int {
	switch first := ts[0].low; first {
	case "i":
		c.subject = selfSubj
		return min(1, len(ts)-1)
	case "there":
		c.subject = pronSubj
		return 1
	case "we":
		c.subject = weSubj
		return min(1, len(ts)-1)
	case "you":
		c.subject = youSubj
		return min(1, len(ts)-1)
	case "it", "this", "that", "he", "she", "they", "these", "those", "here", "something", "nothing":
		c.subject = pronSubj
		return nextVerb(ts, 1)
	case "ours":
		c.subject = ourSubj
		return nextVerb(ts, 1)
	case "both", "neither", "none", "all", "half", "everyone", "everybody", "nobody", "no", "only":
		if of := quantified(ts); of > 0 {
			c.subject = ownSubj
			return nextVerb(ts, of)
		}
		if first == "no" || first == "only" {
			return -1
		}
	case "my", "mine":
		c.subject = ownSubj
		if and := compound(ts); and > 0 {
			return min(and+1, len(ts)-1)
		}
		return nextVerb(ts, 2)
	case "our":
		c.subject = ourSubj
		return nextVerb(ts, 2)
	case "your":
		c.subject = youSubj
		return nextVerb(ts, 2)
	case "in", "on", "at", "for", "from", "with", "under":
		return -1 // what is about the speaker was turned round
	case "please", "never", "always", "do", "let's":
		if first != "do" || len(ts) > 1 && ts[1].low == "not" {
			return -1
		}
	}
	if of := quantified(ts); of > 0 {
		c.subject = ownSubj
		return nextVerb(ts, of)
	}
	if elided(ts) {
		c.subject = selfSubj
		return 0
	}
	if _, f := verbOf(ts[0].low); f == base && !ts[0].name || f == base && len(ts) > 1 && !auxiliaries[ts[1].low] && !thirdForm(ts[1].low) {
		return -1 // an order
	}
	at := nextVerb(ts, 1)
	if and := compound(ts); and > 0 {
		c.subject = ownSubj
		return min(and+1, len(ts)-1)
	}
	if _, f := verbOf(ts[0].low); f == ing && at > 0 && relativeBefore(ts[:at]) {
		return -1 // "reading a post where they moved …"
	}
	switch {
	case at < 0:
		return -1
	case !determiners[ts[0].low] && ts[0].name && !commonWords[ts[0].low] && !plural(ts[0].low):
		c.subject = namedSubj
	default:
		c.subject = thingSubj
	}
	return at
}

// quantified returns where the noun of "both my parents", "none of us", "nobody in my
// family" ends at the earliest, 0 for another subject.
func quantified(ts []token) int {
	if !quantifiers[ts[0].low] {
		return 0
	}
	for i := 1; i < min(len(ts)-1, 5); i++ {
		switch w := ts[i].low; {
		case w == "us" && ts[i-1].low == "of":
			return i + 1
		case w == "my" || w == "our":
			return i + 2
		case w != "of" && w != "in" && w != "at" && w != "one" && w != "body" && !quantifiers[w]:
			return 0
		}
	}
	return 0
}

var quantifiers = text.WordSet(`both neither none all only half most one two three some several many everyone everybody nobody no-one no each every even`)

// compound returns where the "I" of "my wife Lena and I" stands, 0 without one.
func compound(ts []token) int {
	for i := 1; i+1 < min(len(ts), 7); i++ {
		if ts[i].low == "i" && ts[i-1].low == "and" {
			return i
		}
	}
	return 0
}

// paired reports whether a subject joins two: "my sister and her husband".
func paired(ts []token) bool {
	for i := 1; i+1 < len(ts); i++ {
		if ts[i].low == "and" {
			return true
		}
	}
	return len(ts) > 2 && ts[0].low == "all" && ts[1].low == "of"
}

// relativeBefore reports whether a clause about something opens among some words.
func relativeBefore(ts []token) bool {
	for _, t := range ts {
		switch t.low {
		case "where", "which", "who", "that", "how", "why", "when":
			return true
		}
	}
	return false
}

// elided reports whether a clause leaves out its "I": "moved to Leeds last year",
// "can't stand coriander", "been here for ten years".
func elided(ts []token) bool {
	first := ts[0].low
	if len(ts) < 3 {
		return false
	}
	if first == "can" && ts[1].low == "not" || first == "been" || (first == "used" && ts[1].low == "to") || (first == "have" && ts[1].low == "been") {
		return true
	}
	lemma, f := verbOf(first)
	return f == pastForm && lemma != "be" && lemma != "have" && lemma != "do" && first != "put" && first != "set" && first != "cut" && first != "let" && first != "left" && !auxiliaries[ts[1].low]
}

func thirdForm(w string) bool { _, f := verbOf(w); return f == third }

var determiners = text.WordSet(`the a an every each all some any no this that these those most many both another one two three four five`)

// commonWords open a sentence with a capital without being a name.
var commonWords = text.WordSet(`tests code builds deploys releases people everyone everybody nobody somebody someone dinner lunch breakfast work
	traffic coffee tea music food production staging logs backups meetings standup`)

// nextVerb returns where the first verb from i on stands, -1 without one.
func nextVerb(ts []token, i int) int {
	for ; i < len(ts); i++ {
		w := ts[i].low
		if auxiliaries[w] || midAdverbs[w] && i+1 < len(ts) && isFinite(ts, i+1) {
			return i
		}
		if isFinite(ts, i) {
			return i
		}
	}
	return -1
}

// isFinite reports whether the word at i can be the verb of the subject before it.
func isFinite(ts []token, i int) bool {
	w := ts[i].low
	if auxiliaries[w] {
		return true
	}
	if ts[i].name && i > 0 {
		return false
	}
	_, f := verbOf(w)
	before := ts[i-1].low
	if f == third && i+1 < len(ts) && auxiliaries[ts[i+1].low] {
		return false // "code reviews are", "our tests must"
	}
	switch f {
	case third:
		return !prepositions[before] && !determiners[before] && before != "my" && before != "our" && before != "'s"
	case pastForm:
		return !prepositions[before] && !determiners[before]
	case base:
		return paired(ts[:i]) || plural(before) && !strings.HasSuffix(before, "'s") || before == "i" || before == "we" || before == "you" || before == "they" || midAdverbs[before] && i > 1 && plural(ts[i-2].low)
	}
	return false
}

var prepositions = text.WordSet(`in on at to from of for with by about over under between into through during before after since until near behind
	without within like as than and or`)

// verbGroup reads the verb with its auxiliaries and adverbs, from i on.
func (c *claim) verbGroup(s string, ts []token, i int) {
	seen := ""
	for ; i < len(ts); i++ {
		w := ts[i].low
		switch {
		case w == "not" || w == "never":
			c.negated = true
			c.adverbs = append(c.adverbs, w)
			continue
		case w == "no" && i+1 < len(ts) && ts[i+1].low == "longer":
			c.negated = true
			c.adverbs = append(c.adverbs, "no longer")
			i++
			continue
		case midAdverbs[w]:
			c.adverbs = append(c.adverbs, w)
			continue
		case modals[w]:
			c.modal, seen = w, w
			continue
		case w == "do" || w == "does" || w == "did":
			if i+1 < len(ts) && (ts[i+1].low == "not" || ts[i+1].low == "never") {
				if w == "did" {
					c.tense = past
				}
				seen = "do"
				continue
			}
		case w == "have" || w == "has" || w == "had":
			if next := c.after(ts, i); next != "" {
				if next == "got" && w != "had" { // "I've got two kids"
					for ts[i].low != "got" {
						i++
					}
					c.verb, c.form = "have", base
					c.rest(s, ts, i+1)
					return
				}
				if _, f := verbOf(next); (f == pastForm || f == participle) && next != "cut" && next != "set" {
					c.perfect, seen = true, "have"
					c.tense = past
					continue
				}
			}
			if i+2 < len(ts) && ts[i+1].low == "to" {
				if _, f := verbOf(ts[i+2].low); f == base {
					c.modal = "must"
					i++
					continue
				}
			}
		case w == "used" && i+1 < len(ts) && ts[i+1].low == "to" && seen != "be":
			c.tense, c.modal = past, "used to"
			i++
			continue
		case w == "is" && c.after(ts, i) == "got":
			for ts[i].low != "got" {
				i++
			}
			c.verb, c.form = "have", base
			c.rest(s, ts, i+1)
			return
		case w == "am" || w == "is" || w == "are" || w == "was" || w == "were" || w == "be" || w == "been":
			next := c.after(ts, i)
			if w == "was" || w == "were" {
				c.tense = past
			}
			if _, f := verbOf(next); f == ing && next != "during" && next != "ceiling" {
				c.progressive = true
				if next == "going" && c.then(ts, i, "going", "to") {
					c.modal, c.tense, c.progressive = "will", future, false
					for ts[i].low != "to" {
						i++
					}
					seen = "will"
					continue
				}
				seen = "be"
				continue
			}
			if c.perfect {
				c.tense = timeless // "I have been at Acme for years": still so
			}
			c.verb, c.form = "be", base
			c.rest(s, ts, i+1)
			return
		}
		break
	}
	if i >= len(ts) {
		return
	}
	c.verb, c.form = verbOf(ts[i].low)
	if c.verb == "" {
		c.verb = ts[i].low
	}
	if c.form == pastForm && seen == "" {
		c.tense = past
	}
	if c.modal == "will" || c.modal == "shall" {
		c.tense = future
	}
	c.rest(s, ts, i+1)
}

// after returns the next word that is no adverb.
func (c *claim) after(ts []token, i int) string {
	for i++; i < len(ts); i++ {
		if !midAdverbs[ts[i].low] {
			return ts[i].low
		}
	}
	return ""
}

// then reports whether word, from i on, is followed by next.
func (c *claim) then(ts []token, i int, word, next string) bool {
	for ; i+1 < len(ts); i++ {
		if ts[i].low == word {
			return ts[i+1].low == next
		}
	}
	return false
}

// rest sets what follows the verb.
func (c *claim) rest(s string, ts []token, i int) {
	for i < len(ts) && (ts[i].low == "not" || ts[i].low == "never" || ts[i].low == "no" && i+1 < len(ts) && ts[i+1].low == "longer" || c.verb == "be" && midAdverbs[ts[i].low]) {
		if ts[i].low == "not" || ts[i].low == "never" || ts[i].low == "no" {
			c.negated = true
		}
		c.adverbs = append(c.adverbs, ts[i].low)
		i++
	}
	if i < len(ts) {
		c.object = strings.Trim(s[ts[i].at:], " ,.;:!?")
	}
}
