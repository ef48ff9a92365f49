package question

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/internal/text/lazyregexp"
)

// Expectation is what a question implies about its answer.
type Expectation struct {
	kind  answerKind
	asked []string // the words of the question
	// optional holds the words that an answer often leaves out or says differently: the
	// kind of thing asked for ("which charity", where the answer names one) and the verb
	// of the question ("who treats my knee", where the answer says who the
	// physiotherapist is). It is filled only for English questions.
	optional map[string]bool
}

// answerKind is a kind of expression that the answer to a question must hold.
type answerKind int

const (
	anyAnswer    answerKind = iota
	numberAnswer            // how many
	ageAnswer               // how old; a year answers it too
	timeAnswer              // when
	nameAnswer              // what is it called
	personAnswer            // who does it
)

// expectationOf returns what a question implies about its answer. wantsTime says whether
// it asks for a time.
func expectationOf(asked *text.Analysis, wantsTime bool) Expectation {
	e := Expectation{asked: asked.Words(), optional: make(map[string]bool)}
	e.kind = kindAsked(asked.Composed(), wantsTime)
	for i, w := range e.asked {
		rest := e.asked[i+1:]
		switch {
		case w == "what" || w == "which":
			e.expectThing(rest)
		case w == "who" && len(rest) > 0 && !auxiliary[rest[0]]:
			e.optional[rest[0]] = true
		case i > 0 && len(rest) > 0 && subject[w] && auxiliary[e.asked[i-1]]:
			e.optional[rest[0]] = true
		}
	}
	return e
}

// Optional reports whether answers often leave out a word of the question or say it
// differently.
func (e *Expectation) Optional(word string) bool { return e.optional[word] }

// AsksName reports whether the question asks for a name.
func (e *Expectation) AsksName() bool { return e.kind == nameAnswer }

// maxThing is the most words that name the kind of thing asked for.
const maxThing = 3

// expectThing marks the words after "what" or "which" up to an auxiliary as optional:
// they name the kind of thing asked for. Without an auxiliary, it marks the next word,
// which is a verb ("what broke") or such a kind.
func (e *Expectation) expectThing(rest []string) {
	n := slices.IndexFunc(rest, func(w string) bool { return auxiliary[w] })
	if n < 0 || n > maxThing {
		n = min(1, len(rest))
	}
	for _, w := range rest[:n] {
		e.optional[w] = true
	}
}

var (
	auxiliary = text.WordSet(`do does did is are was were should shall may might can could will would have has had`)
	subject   = text.WordSet(`i you he she it we they`)
)

var (
	asksNumber = lazyregexp.New(`(?i)\b(?:how (?:many|much|tall|far|high|big|large|heavy|fast|deep|wide|expensive)|number of|` +
		`wie ?viele?|wie (?:hoch|groß|weit|schwer|teuer)|combien|cu[aá]nt[oa]s?)\b`)
	asksAge    = lazyregexp.New(`(?i)\b(?:how old|wie alt|quel âge)\b`)
	asksName   = lazyregexp.New(`(?i)\b(?:(?:name|title) of|(?:called|named) ?\?)`)
	asksPerson = lazyregexp.New(`(?i)^\W*(?:who(?:m|se)?|wer|wem|wen)\s+(\w+)`)
)

// kindAsked returns the kind of expression that a question asks for. A question of who
// somebody or something is accepts any answer.
func kindAsked(question string, wantsTime bool) answerKind {
	if m := asksPerson.FindStringSubmatch(question); m != nil && !slices.Contains([]string{"is", "are", "was", "were", "am", "ist", "sind", "war", "waren"}, strings.ToLower(m[1])) {
		return personAnswer
	}
	switch {
	case asksAge.MatchString(question):
		return ageAnswer
	case asksNumber.MatchString(question):
		return numberAnswer
	case wantsTime:
		return timeAnswer
	case asksName.MatchString(question):
		return nameAnswer
	}
	return anyAnswer
}

// HeldBy reports whether a text holds an expression of the kind asked for, as far as it
// can tell. A text without any capital letter may name anybody.
func (e *Expectation) HeldBy(s string) bool {
	switch e.kind {
	case numberAnswer:
		return hasNumber(text.Words(s), false)
	case ageAnswer:
		return hasNumber(text.Words(s), true)
	case timeAnswer:
		words := text.Words(s)
		return hasNumber(words, true) || slices.ContainsFunc(words, saysWhen)
	case nameAnswer:
		return e.hasName(s) || strings.ContainsAny(s, "\"'“„«") || slices.ContainsFunc(text.Words(s), func(w string) bool { return w == "called" || w == "named" })
	case personAnswer:
		return e.hasName(s) || slices.ContainsFunc(text.Words(s), func(w string) bool { return people[strings.TrimSuffix(w, "s")] })
	}
	return true
}

// hasNumber reports whether there is a number among the words. Days and years count only
// if dates is set.
func hasNumber(words []string, dates bool) bool {
	for i, w := range words {
		if !numberWords[w] && !(w[0] >= '0' && w[0] <= '9') {
			continue
		}
		isYear := len(w) == 4 && (strings.HasPrefix(w, "19") || strings.HasPrefix(w, "20"))
		isDay := i > 0 && months[words[i-1]] || i+1 < len(words) && months[words[i+1]]
		if dates || !isYear && !isDay {
			return true
		}
	}
	return false
}

// saysWhen reports whether a lower-case word tells a time.
func saysWhen(w string) bool {
	w = withoutPossessive(w)
	return timeWords[w] || timeWords[strings.TrimSuffix(w, "s")] || months[w] || moreTimes[w]
}

// hasName reports whether a text holds a capitalized word that may be a name: one that is
// neither in the question nor a day or month. A text without any capital letter, or in a
// script that has none, counts as holding one.
func (e *Expectation) hasName(s string) bool {
	capital := false
	for field := range strings.FieldsSeq(s) {
		w := strings.TrimFunc(field, notWord)
		first, _ := utf8.DecodeRuneInString(w)
		if !unicode.IsUpper(first) {
			continue
		}
		capital = true
		lower := strings.ToLower(withoutPossessive(w))
		if !text.IsStop(lower) && !saysWhen(lower) && !e.asks(lower) {
			return true
		}
	}
	return !capital
}

// asks reports whether the question has a word, in any inflection.
func (e *Expectation) asks(word string) bool {
	term := text.Term(word)
	return slices.ContainsFunc(e.asked, func(w string) bool { return w == word || text.Term(w) == term })
}

var (
	months = text.WordSet(`january february march april may june july august september october november december
		januar februar märz mai juni juli oktober dezember`)
	moreTimes = text.WordSet(`day days morning evening night noon midnight hour hours minute minutes second
		daily weekly monthly yearly always never every each after before during until when while once twice
		easter christmas täglich wöchentlich immer nach vor bis jeden jede`)
	numberWords = text.WordSet(`one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
		sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million
		dozen half none zero zwei drei vier fünf sechs sieben acht neun zehn zwölf deux trois quatre cinq dos tres cuatro cinco`)
	// people are nouns for a person, in the singular.
	people = text.WordSet(`mother father mum mom dad parent sister brother wife husband partner son daughter aunt uncle
		grandmother grandfather grandma grandpa cousin niece nephew family friend neighbour neighbor boss manager colleague
		coworker teammate team teacher doctor dentist nurse child kid girlfriend boyfriend roommate flatmate landlord
		lawyer engineer developer owner maintainer admin administrator customer client staff people nobody everybody
		everyone anyone somebody someone person man woman boy girl`)
)
