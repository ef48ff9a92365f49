package question

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/internal/text/timeexpr"
	"github.com/strata-memory/strata/internal/topics"
)

const (
	// MaxTerms is the most distinct terms that a question is matched by. People
	// ask in about ten words; a pasted document is represented by its first.
	MaxTerms = 64
	// maxAnalyzed is how many bytes of a question are read at all.
	maxAnalyzed = 64 << 10
	// maxAcronym is the length of the longest acronym that may be a stop word.
	maxAcronym = 5
	// genericWeight is the weight of a generic word.
	genericWeight = 0.4
	// maxTags is the most concept tags of a question.
	maxTags = 4
	// tagWeight is the weight of a word that comes from a tag: a glossary's name
	// for what the question says in other words.
	tagWeight = 0.3
	// identifierPartWeight is the weight of a part of an identifier, in addition to
	// the identifier itself.
	identifierPartWeight = 0.4
)

// Term is one word of a question.
type Term struct {
	Term   string  // as in the index
	Word   string  // as written, in lower case
	Weight float64 // in [0,1]; 0 for a stop word
	Stop   bool    // is a stop word
	Tag    bool    // is no word of the question, but of one of its concept tags
}

// Analysis is what a question asks for. The zero value asks for nothing.
type Analysis struct {
	// Terms are the distinct terms in order. Stop words have weight 0, unless the
	// question has nothing else.
	Terms []Term
	// Names are the words that look like names, as they are written but without
	// possessive: capitalized, and not at the beginning of a sentence.
	Names []string
	// Phrases are the quoted parts and the identifiers ("deploy-v2.4.7"), as
	// index terms that must follow each other.
	Phrases [][]string
	// Tags are the concept tags of the question.
	Tags []string
	// Range is the time the question speaks of; nil if it names none.
	Range *timeexpr.Range
	// Since reports that nothing said before Range is asked for ("since March"),
	// Only that nothing outside of it is ("only in May").
	Since, Only bool
	// Relative is a time that the question counts from an event; nil if it does
	// not, or if Range is known.
	Relative *timeexpr.Relative
	// WantsTime reports whether the question asks when or how long.
	WantsTime bool
	// Expected is what the question lets expect of its answer.
	Expected Expectation
	// GoesOn reports whether the question goes on from what was said before: what an
	// assistant said counts in full then.
	GoesOn bool
	// Value is which of several values of a thing is asked for.
	Value Value
	// Subquestions are the terms of each part of a question that has several.
	Subquestions [][]string
	// Unspaced reports whether the question holds a script without spaces.
	Unspaced bool
	// Truncated reports whether the question was longer than what is looked up.
	Truncated bool
}

// Analyze reads a question that was asked at the time now, from which expressions
// like "last week" are counted. It never fails: a question without any word has no
// terms.
func Analyze(question string, now time.Time) Analysis {
	var a Analysis
	if len(question) > maxAnalyzed {
		question, a.Truncated = text.Head(question, maxAnalyzed), true
	}
	asked := text.Analyze(question)
	question = asked.Composed()
	a.terms(asked)
	a.identifiers(question)
	a.Names = names(question)
	a.Phrases = phrases(question)
	a.tags(asked)
	a.time(asked.Words(), now)
	a.Expected = expectationOf(asked, a.WantsTime)
	a.GoesOn = goesOn(question)
	a.Value = valueOf(asked.Words())
	a.Subquestions = subquestions(question, a.Names)
	a.Unspaced = text.HasUnspaced(question)
	return a
}

// terms fills Terms: the first MaxTerms distinct terms that are not stop words,
// and as many that are.
func (a *Analysis) terms(asked *text.Analysis) {
	seen := make(map[string]int)
	content, stops := 0, 0
	short := acronyms(asked.Composed())
	for _, tok := range asked.Tokens() {
		if tok.Stop && short[tok.Word] {
			tok.Stop = false // "IT" is not "it"
		}
		if at, ok := seen[tok.Term]; ok {
			// A term may come from a stop word and from another word ("be", "being").
			if t := &a.Terms[at]; t.Stop && !tok.Stop && content < MaxTerms {
				*t = Term{Term: tok.Term, Word: tok.Word, Weight: wordWeight(tok.Word)}
				content++
				stops--
			}
			continue
		}
		count := &content
		if tok.Stop {
			count = &stops
		}
		if *count == MaxTerms {
			a.Truncated = a.Truncated || !tok.Stop
			continue
		}
		*count++
		seen[tok.Term] = len(a.Terms)
		t := Term{Term: tok.Term, Word: tok.Word, Stop: tok.Stop}
		if !t.Stop {
			t.Weight = wordWeight(tok.Word)
		}
		a.Terms = append(a.Terms, t)
	}
	if content == 0 {
		for i := range a.Terms {
			a.Terms[i].Weight = 1
		}
	}
}

// acronyms returns the stop words, in lower case, that a question writes in
// capitals: IT, US. In a question that is all in capitals there are none.
func acronyms(question string) map[string]bool {
	var out map[string]bool
	if !strings.ContainsFunc(question, unicode.IsLower) && strings.ContainsFunc(strings.TrimSpace(question), unicode.IsSpace) {
		return nil
	}
	for _, field := range strings.Fields(question) {
		w := strings.TrimFunc(field, notWord)
		if len(w) < 2 || len(w) > maxAcronym || strings.ToUpper(w) != w || !strings.ContainsFunc(w, unicode.IsUpper) {
			continue
		}
		if lower := strings.ToLower(w); text.IsStop(lower) {
			if out == nil {
				out = make(map[string]bool)
			}
			out[lower] = true
		}
	}
	return out
}

// generic are words that questions are built with ("what kind of", "how many times
// did"). They are no stop words, because a fact may be about them, but they seldom
// say what a question is about.
var generic = text.WordSet(`kind kinds type types sort sorts way ways thing things
	many much long often far name names called happen happened happens
	currently recently usually specific main different certain various
	describe mention mentioned discuss discussed explain list give find
	tell remember recall know think thought feel feels felt say`)

func wordWeight(word string) float64 {
	if generic[word] {
		return genericWeight
	}
	return 1
}

// tags fills Tags and adds the terms that only they hold, which match the tags
// that FactText puts into the index.
func (a *Analysis) tags(asked *text.Analysis) {
	a.Tags = topics.Derive(asked, maxTags)
	for _, tag := range a.Tags {
		for tok := range text.Tokens(tag) {
			a.addTerm(Term{Term: tok.Term, Word: tok.Word, Weight: tagWeight, Stop: tok.Stop, Tag: true})
		}
	}
}

// identifiers adds the words of the identifiers of a question to its terms.
func (a *Analysis) identifiers(question string) {
	for _, word := range text.IdentifierWords(question) {
		for tok := range text.Tokens(word) {
			a.addTerm(Term{Term: tok.Term, Word: tok.Word, Weight: identifierPartWeight, Stop: tok.Stop})
		}
	}
}

// addTerm adds a term that is not known yet, unless it is a stop word or one too
// many.
func (a *Analysis) addTerm(t Term) {
	known := slices.ContainsFunc(a.Terms, func(have Term) bool { return have.Term == t.Term })
	if !known && !t.Stop && len(a.Terms) < MaxTerms {
		a.Terms = append(a.Terms, t)
	}
}

// time fills what the question says of time.
func (a *Analysis) time(words []string, now time.Time) {
	if e := timeexpr.Find(words, now); e != nil {
		a.Range, a.Since, a.Only = &e.Range, e.Since, e.Only
	} else {
		a.Relative = timeexpr.FindRelative(words)
	}
	a.WantsTime = wantsTime(words)
}
